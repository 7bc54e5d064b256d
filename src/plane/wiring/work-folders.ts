/**
 * The folders in which agents work on issues: `work/<workspace>/<issue>/` in the data folder. The tools for files and for commands use
 * it when the worker of the issue calls them, and no other call reaches it. It is removed a while after the issue is done or cancelled.
 */
import type { Dirent, Stats } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ActorHost } from '../../domain/actor-host.js';
import type { CallerFacts } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';
import { sha256 } from '../../util/hash.js';
import { type Identity, sandboxIdentity } from '../../util/sandbox/machine.js';

type Place = Pick<CallerFacts, 'workspaceId' | 'issueId'>;

export interface WorkFolder {
  /** What tools see of it, as `/work`. */
  readonly files: string;
  /** What became of its commands, which no tool reaches. */
  readonly calls: string;
}

export interface WorkFolders {
  /** Undefined for a caller that works on no issue, and without a data folder. The folder need not exist. */
  find(caller: Place): WorkFolder | undefined;
  /** As `find`, and makes it. `unreachable`: why commands cannot use it. */
  make(caller: Place): Promise<(WorkFolder & { readonly unreachable?: HelveError }) | undefined>;
  /** Removes the folders of issues that have been done or cancelled, or that are unknown and unused, for longer than they are kept. */
  sweep(actors: Pick<ActorHost, 'read'>): Promise<void>;
}

export interface WorkFolderOptions {
  readonly dataDir: string | undefined;
  /** Milliseconds. */
  readonly keepMs: number;
  readonly now: () => Date;
}

const noteName = 'issue';
const removedSuffix = '.removed';

export function createWorkFolders({ dataDir, keepMs, now }: WorkFolderOptions): WorkFolders {
  const root = dataDir === undefined ? undefined : join(dataDir, 'work');
  const made = new Map<string, Promise<HelveError | undefined>>();

  function locate({ workspaceId, issueId }: Place): string | undefined {
    if (root === undefined || issueId === undefined) return undefined;
    // The name of an issue may be as long and as odd as its repository's.
    return join(root, workspaceId, sha256(issueId).slice(0, 32));
  }

  function find(caller: Place): WorkFolder | undefined {
    const path = locate(caller);
    return path === undefined ? undefined : { files: join(path, 'files'), calls: join(path, 'calls') };
  }

  return {
    find,
    async make(caller) {
      const path = locate(caller);
      const folder = find(caller);
      if (path === undefined || folder === undefined) return undefined;
      const making = made.get(path) ?? makeFolders(path, { issueId: caller.issueId ?? '', folder, dataDir });
      made.set(path, making);
      try {
        return { ...folder, ...defined({ unreachable: await making }) };
      } finally {
        // Only calls at the same time share it: the folder may be removed later.
        made.delete(path);
      }
    },
    async sweep(actors) {
      if (root === undefined) return;
      for (const workspace of await foldersIn(root))
        for (const name of await foldersIn(join(root, workspace))) {
          const path = join(root, workspace, name);
          if (name.endsWith(removedSuffix)) await removeTree(path);
          else if (await isOver(actors, workspace, path)) {
            // In one step, so that nobody works in half of a folder.
            await rename(path, `${path}${removedSuffix}`);
            await removeTree(`${path}${removedSuffix}`);
          }
        }
    },
  };

  async function isOver(actors: Pick<ActorHost, 'read'>, workspaceId: string, path: string): Promise<boolean> {
    const note = join(path, noteName);
    const id = await readFile(note, 'utf8').catch(() => undefined);
    if (id === undefined) return false;
    const actor = await actors.read({ workspaceId, kind: 'issue', id });
    const goesOn = actor && actor.snapshot.value !== 'done' && actor.snapshot.value !== 'cancelled';
    if (goesOn) return false;
    // A store that does not know the issue may be the wrong one, so the folder stays a while after its last use then too.
    const since = actor ? Date.parse(actor.updatedAt) : (await stat(note)).mtimeMs;
    return now().getTime() - since >= keepMs;
  }
}

interface Making {
  readonly issueId: string;
  readonly folder: WorkFolder;
  readonly dataDir: string | undefined;
}

async function makeFolders(path: string, { issueId, folder, dataDir = '' }: Making): Promise<HelveError | undefined> {
  const owner = sandboxIdentity();
  await mkdir(folder.calls, { recursive: true, mode: 0o700 });
  await writeFile(join(path, noteName), issueId, { mode: 0o600 });
  const isNew = await mkdir(folder.files, { recursive: true, mode: 0o700 });
  if (owner === undefined) return undefined;
  if (isNew !== undefined) await chown(folder.files, owner.uid, owner.gid);
  const own = [dataDir, join(dataDir, 'work'), join(path, '..'), path];
  for (const one of own) if (!(await letThrough(one, owner))) return closed(one, owner);
  for (let above = dirname(await realpath(dataDir)); above !== dirname(above); above = dirname(above))
    if (!isOpen(await stat(above), owner)) return closed(above, owner);
  return undefined;
}

/**
 * Helve runs as root, and commands as somebody else, who must be able to go through this folder. It is opened for the group of that
 * user, which may not list it.
 */
async function letThrough(path: string, owner: Identity): Promise<boolean> {
  const facts = await stat(path);
  if (isOpen(facts, owner)) return true;
  const { mode, uid } = facts;
  if (uid !== 0 || (mode & 0o070) !== 0) return false;
  await chown(path, uid, owner.gid);
  await chmod(path, (mode & 0o700) | 0o010);
  return true;
}

const isOpen = ({ mode, gid: group }: Stats, { gid }: Identity): boolean =>
  (mode & 0o001) !== 0 || (group === gid && (mode & 0o010) !== 0);

const closed = (path: string, { gid }: Identity): HelveError =>
  new HelveError('invalid_config', `The commands of an issue cannot go through the folder ${JSON.stringify(path)}`, {
    hint: `Run Helve as an ordinary user, or choose a data folder that the group ${gid} can reach.`,
  });

async function foldersIn(path: string): Promise<readonly string[]> {
  const entries: readonly Dirent[] = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Also removes folders that their owner has closed for everybody. Links are removed, not followed. */
async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await openTree(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function openTree(path: string): Promise<void> {
  await chmod(path, 0o700);
  for (const name of await foldersIn(path)) await openTree(join(path, name));
}

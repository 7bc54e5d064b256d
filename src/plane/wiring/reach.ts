/** The walls as a call uses them. Each wall's code is loaded on first use. */
import { join } from 'node:path';
import type { CallerFacts } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import type {
  Browser,
  CommandLimits,
  DocumentStore,
  Endpoint,
  FileAccess,
  FileLimits,
  MachineCheck,
} from '../../domain/reach.js';
import type { EgressLimits } from '../../domain/tool.js';
import type { NativeServices } from '../../providers/native/index.js';
import { defined } from '../../util/defined.js';
import { sandboxIdentity } from '../../util/sandbox/machine.js';
import { checkWorkers } from '../../util/sandbox/worker.js';
import type { EgressPolicy } from '../../walls/egress/index.js';
import type { NativeServiceParts } from './native-parts.js';
import { findEarlier, putFiles, remembering, showAsWork } from './work-folder.js';

export interface Reach
  extends Pick<NativeServices, 'files' | 'commands' | 'checkReach' | 'connector' | 'browser' | 'documents' | 'models'> {
  /** What this machine can enforce, for `helve doctor`. */
  checks(): Promise<readonly MachineCheck[]>;
  close(): Promise<void>;
}

export function createReach(parts: NativeServiceParts, egress: (limits: EgressLimits) => EgressPolicy): Reach {
  const files = once(() => import('../../walls/files/index.js'));
  const commands = once(async () => (await import('../../walls/commands/index.js')).createCommandWall(parts.workers));
  const browsers = once(async () => (await import('../../walls/browser/index.js')).createBrowserWall(parts.path));
  const { secret, plain } = parts.keptFiles;
  const hidden = [...secret, ...plain];
  const { workFolders } = parts;

  /** Of an issue: its folder, under the same path as in a command. Where the operator allows paths, those. */
  async function openFiles(caller: CallerFacts, limits: FileLimits): Promise<FileAccess> {
    const { openFiles: open } = await files();
    const isOwn = (limits.allowedPaths ?? []).length === 0;
    const work = isOwn ? await workFolders.make(caller) : undefined;
    if (!work) return open({ ...limits, home: getHome(parts, caller), hidden });
    return showAsWork(
      await open({ ...limits, home: work.files, hidden, ...defined({ owner: sandboxIdentity() }) }),
      work.files,
    );
  }

  return {
    files: (caller, limits) => deferred(() => openFiles(caller, limits)),
    commands: (caller, limits, signal) => ({
      async run({ key, ...request }) {
        const wall = await commands();
        const within = { ...limits, hidden: secret };
        const work = await workFolders.make(caller);
        if (!work) return wall.run(request, within, signal);
        if (work.unreachable) throw work.unreachable;
        const { files: given, ...rest } = request;
        if (given) await putFiles(await openFiles(caller, fileLimits(limits)), given);
        return remembering(work, key, () => wall.run(rest, { ...within, work: work.files }, signal));
      },
      findEarlier: (key) => findEarlier(workFolders.find(caller), key),
    }),
    async checkReach(limits) {
      if (limits.files) {
        const home = parts.dataDir === undefined ? undefined : join(parts.dataDir, 'files');
        await (await files()).checkFileLimits({ ...limits.files, home, hidden });
      }
      if (limits.commands && limits.commands.readPaths.length > 0) {
        const { checkReadPaths } = await import('../../walls/commands/index.js');
        checkReadPaths(limits.commands.readPaths, secret);
      }
    },
    connector: (named, own, signal) => ({
      async connect(endpoint) {
        const isIt = ({ host, port }: Endpoint): boolean => host === endpoint.host && port === endpoint.port;
        const { connectEndpoint, openSocket } = await import('../../walls/egress/index.js');
        if (named.some(isIt)) return connectEndpoint(endpoint, { signal });
        if (!own.some(isIt))
          throw new HelveError('egress_blocked', `${endpoint.host}:${endpoint.port} is not in the settings`);
        // This is for ports of protocols other than HTTP.
        return openSocket({ ...egress({ allowedDomains: [endpoint.host] }), allowedPorts: [endpoint.port] }, endpoint);
      },
    }),
    browser: (limits, signal): Browser => ({
      render: async (request) => (await browsers()).render(request, egress(limits), signal),
      screenshot: async (request) => (await browsers()).screenshot(request, egress(limits), signal),
    }),
    documents: (caller, toolkit) => boundDocuments(parts, caller, toolkit),
    models: parts.models,
    async checks() {
      const walls = [(await commands()).checks(), (await browsers()).checks(), checkWorkers(), parts.sandbox.check()];
      return (await Promise.all(walls)).flat();
    },
    async close() {
      await Promise.all([commands.made()?.then((wall) => wall.close()), browsers.made()?.then((wall) => wall.close())]);
    },
  };
}

/** What a command itself may write. */
const fileLimits = ({ diskMb }: CommandLimits): FileLimits => ({ maxBytes: diskMb * 1_048_576, writable: true });

/** The workspace's own folder, the default location of files. */
function getHome({ dataDir }: NativeServiceParts, { workspaceId }: CallerFacts): string | undefined {
  return dataDir === undefined ? undefined : join(dataDir, 'files', workspaceId);
}

function boundDocuments({ storage, now }: NativeServiceParts, caller: CallerFacts, toolkit: string): DocumentStore {
  const table = storage.workspace(caller.workspaceId).documents(toolkit);
  const at = (): string => now().toISOString();
  return {
    ...table,
    put: (document) => table.put(document, at()),
    add: (document) => table.add(document, at()),
  };
}

/** Creates a wall on first use, once. */
function once<T>(make: () => Promise<T>): (() => Promise<T>) & { made(): Promise<T> | undefined } {
  let made: Promise<T> | undefined;
  const get = (): Promise<T> => {
    made ??= make();
    return made;
  };
  return Object.assign(get, { made: () => made });
}

/** Methods that open the wall on the first call. */
function deferred(open: () => Promise<FileAccess>): FileAccess {
  const wall = once(open);
  return {
    read: async (path) => (await wall()).read(path),
    write: async (path, bytes, mode) => (await wall()).write(path, bytes, mode),
    list: async (path, options) => (await wall()).list(path, options),
    stat: async (path) => (await wall()).stat(path),
    createDirectory: async (path) => (await wall()).createDirectory(path),
    delete: async (path, options) => (await wall()).delete(path, options),
    move: async (from, to) => (await wall()).move(from, to),
  };
}

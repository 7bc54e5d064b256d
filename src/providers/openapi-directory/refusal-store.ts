/** Stores documents that cannot become toolkits, with the reasons, so that they are not read again until they change. */
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { defined } from '../../util/defined.js';
import { replaceFile } from '../../util/replace-file.js';
import type { RefusedDocument } from './list-documents.js';

export interface RefusalStore {
  all(): Promise<readonly RefusedDocument[]>;
  /** By path. */
  get(path: string): Promise<RefusedDocument | undefined>;
  /** `undefined`: it is no longer refused. */
  set(path: string, refused: RefusedDocument | undefined): Promise<void>;
  /** Forgets all others. */
  keep(paths: ReadonlySet<string>): Promise<void>;
  /** Writes what has changed. */
  save(): Promise<void>;
}

const fileShape = z.array(z.object({ path: z.string(), reason: z.string(), hash: z.string().optional() }));

/** Without a file, the entries last as long as the process. */
export function createRefusalStore(file: string | undefined): RefusalStore {
  let loading: Promise<Map<string, RefusedDocument>> | undefined;
  let changed = false;
  const known = (): Promise<Map<string, RefusedDocument>> => {
    loading ??= load(file);
    return loading;
  };
  return {
    all: async () => [...(await known()).values()],
    get: async (path) => (await known()).get(path),
    async set(path, refused) {
      const before = (await known()).get(path);
      if (before?.hash === refused?.hash && before?.reason === refused?.reason) return;
      changed = true;
      if (refused) (await known()).set(path, refused);
      else (await known()).delete(path);
    },
    async keep(paths) {
      for (const path of [...(await known()).keys()]) {
        if (paths.has(path)) continue;
        changed = true;
        (await known()).delete(path);
      }
    },
    async save() {
      if (!changed || file === undefined) return;
      changed = false;
      await mkdir(dirname(file), { recursive: true });
      await replaceFile(file, [Buffer.from(JSON.stringify([...(await known()).values()], undefined, 1))]);
    },
  };
}

/** An unreadable file counts as empty: the documents are then read again. */
async function load(file: string | undefined): Promise<Map<string, RefusedDocument>> {
  if (file === undefined) return new Map();
  try {
    const rows = fileShape.parse(JSON.parse(await readFile(file, 'utf8')));
    return new Map(rows.map(({ path, reason, hash }) => [path, { path, reason, ...defined({ hash }) }]));
  } catch {
    return new Map();
  }
}

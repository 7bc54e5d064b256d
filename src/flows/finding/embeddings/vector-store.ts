/** The vectors of tools in this process, and what of them is in the data folder. */
import { createVectorTable, type UnitVector, type VectorTable } from '../../../discovery/index.js';
import { HelveError } from '../../../domain/errors.js';
import { createSlices } from '../../../util/slices.js';
import type { KeptFile, KeptVectors } from './kept-vectors.js';

export interface VectorStore {
  /** Undefined until one vector is known. */
  readonly table: VectorTable | undefined;
  /** Whether there is no room for more. */
  readonly isFull: boolean;
  /** Reads what an earlier process left. Never throws. */
  load(): Promise<void>;
  /**
   * Checks the length of a vector that the model just answered. The first answer decides for the process: what an earlier
   * one left with another length is dropped. Throws `upstream_failed` for a vector of another length after that.
   */
  accept(vector: UnitVector): void;
  put(key: string, vector: UnitVector): void;
  /** Writes what is not in the data folder yet, if it is at least this many. Never throws. */
  flush(least: number): Promise<void>;
}

interface StoreParts {
  /** Undefined: nothing is kept. */
  readonly kept: KeptVectors | undefined;
  readonly reportError: (error: unknown) => void;
}

const sliceMs = 3;
/** With more files than this, a start writes one in their place. */
const manyFiles = 8;
const maxBytes = 512 * 1_024 * 1_024;
const bytesBeside = 64;

export function createVectorStore({ kept, reportError }: StoreParts): VectorStore {
  let table: VectorTable | undefined;
  let isConfirmed = false;
  let unwritten: string[] = [];
  let loaded: readonly KeptFile[] = [];
  let work: Promise<void> = Promise.resolve();
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    const files = (await kept?.read()) ?? [];
    const [largest] = files;
    if (largest === undefined || table !== undefined) return;
    const made = createVectorTable(largest.dimensions);
    const fitting = files.filter(({ dimensions }) => dimensions === made.dimensions);
    const slices = createSlices(sliceMs);
    const keys = new Set<string>();
    for (const { vectors } of fitting) {
      await slices.run(made.unpack(vectors));
      for (const key of vectors.keys) keys.add(key);
    }
    table = made;
    loaded = fitting;
    await kept?.remove(files.filter((file) => !fitting.includes(file)));
    if (fitting.length <= manyFiles) return;
    await kept?.write(made.dimensions, made.pack(keys));
    await kept?.remove(fitting);
  }

  async function write(least: number): Promise<void> {
    if (table === undefined || unwritten.length < Math.max(1, least)) return;
    const keys = unwritten;
    unwritten = [];
    await kept?.write(table.dimensions, table.pack(keys));
  }

  function inTurn(act: () => Promise<void>): Promise<void> {
    work = work.then(act).catch((error: NodeJS.ErrnoException) => {
      // Without its folder there is nothing to keep it for.
      if (error.code !== 'ENOENT') reportError(error);
    });
    return work;
  }

  return {
    get table() {
      return table;
    },
    get isFull() {
      return table !== undefined && table.size * (table.dimensions + bytesBeside) >= maxBytes;
    },
    load() {
      loading ??= load().catch(reportError);
      return loading;
    },
    accept({ length }) {
      if (table?.dimensions !== length) {
        if (table !== undefined && isConfirmed) throw ofOtherLength(length, table.dimensions);
        table = createVectorTable(length);
        unwritten = [];
        void inTurn(() => kept?.remove(loaded) ?? Promise.resolve());
      }
      isConfirmed = true;
    },
    put(key, vector) {
      if (table === undefined || table.row(key) >= 0) return;
      table.add(key, vector);
      if (kept !== undefined) unwritten.push(key);
    },
    flush: (least) => inTurn(() => write(least)),
  };
}

function ofOtherLength(length: number, expected: number): HelveError {
  return new HelveError(
    'upstream_failed',
    `The model answered with a vector of ${length} numbers; its earlier vectors had ${expected}`,
    {
      hint: 'discovery.embeddings in helve.yaml must reach one model only. If the model was replaced, restart Helve.',
    },
  );
}

/** Starts the engine's workers, for parsing and queries and for full text. Each process works for one workspace. */
import type { WorkerProcess } from '../../../domain/workers.js';
import { defineWorker } from '../../../util/sandbox/define-worker.js';

/** What a process holds: version by path, and for full text the store's revision that it has seen. */
export interface EngineMemory {
  readonly versions: Map<string, number>;
  revision: number;
}

type Engine = typeof import('./answer.js');

export type EngineProcess = WorkerProcess<Engine, EngineMemory>;

const engine = { module: './answer.js', memory: (): EngineMemory => ({ versions: new Map(), revision: 0 }) };

export const queryWorker = defineWorker<Engine, EngineMemory>(import.meta.url, {
  ...engine,
  places: { most: 4, mostOfKey: 2, idleMs: 60_000 },
});

/** Only one per workspace, because a second one would build the whole index again. */
export const searchWorker = defineWorker<Engine, EngineMemory>(import.meta.url, {
  ...engine,
  places: { most: 4, mostOfKey: 1, idleMs: 60_000 },
});

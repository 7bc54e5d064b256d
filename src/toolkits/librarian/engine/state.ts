/** The state of a worker of the engine. Only the worker imports this, never Helve's main process. */
import type MiniSearch from 'minisearch';
import type * as slimdom from 'slimdom';

interface KeptDocument {
  readonly version: number;
  readonly document: slimdom.Document;
}

interface EngineState {
  /** By path. */
  readonly documents: Map<string, KeptDocument>;
  readonly paths: WeakMap<object, string>;
  /** Paths that the running query may see, in order. */
  visible: readonly string[];
  /** The error that is thrown inside the engine, because the engine rethrows it wrapped in a message of its own. */
  raised: Error | undefined;
  index: MiniSearch | undefined;
}

export const state: EngineState = {
  documents: new Map(),
  paths: new WeakMap(),
  visible: [],
  raised: undefined,
  index: undefined,
};

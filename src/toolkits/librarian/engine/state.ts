/** What a worker of the engine keeps between two questions. It is the worker's own: Helve's process never imports this. */
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
  /** Thrown inside the engine, which would bring it out wrapped into words of its own. */
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

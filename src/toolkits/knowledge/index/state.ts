/** The data that a worker holds of a workspace. Only the worker imports this, never Helve's main process. */
import type { KeptElement, KeptSource, WordIndex } from './model.js';

interface IndexState {
  readonly sources: Map<string, KeptSource>;
  readonly elements: Map<number, KeptElement>;
  words: WordIndex | undefined;
  formulas: WordIndex | undefined;
  nextId: number;
}

export const state: IndexState = {
  sources: new Map(),
  elements: new Map(),
  words: undefined,
  formulas: undefined,
  nextId: 1,
};

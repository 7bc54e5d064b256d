/** What a worker holds of a workspace. It is the worker's own: Helve's process never imports this. */
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

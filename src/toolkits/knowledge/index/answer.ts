/** The functions of a worker that holds a workspace's index. Imported by the worker; see `index.ts`. */
import { type SearchMessage, searchIndex } from './ask.js';
import { addSources, listSources } from './keep.js';
import type { Hit, IndexedSource, Scope } from './model.js';

export interface AddMessage {
  readonly sources: readonly IndexedSource[];
  /** Paths. */
  readonly removed: readonly string[];
}

export function add({ sources, removed }: AddMessage): Promise<void> {
  return addSources(sources, removed);
}

export interface ListMessage {
  readonly scope: Scope;
  readonly after: string | undefined;
  readonly most: number;
}

export function list({ scope, after, most }: ListMessage): ReturnType<typeof listSources> {
  return listSources(scope, after, most);
}

export function search(message: SearchMessage): { hits: Hit[]; without: number } {
  return searchIndex(message);
}

/** Normalises the inputs of the tools and checks them against the agent's configuration before anything is accessed. */
import type { LibrarianContext } from './library.js';
import { checkAllowed, checkCollection, normalisePath } from './paths.js';

export function allowedDocument({ config }: LibrarianContext, path: string): string {
  const normal = normalisePath(path, 'path');
  checkAllowed({ allowed: config.allowed_collections }, normal);
  return normal;
}

export function allowedCollection({ config }: LibrarianContext, collection: string | undefined): string | undefined {
  if (collection === undefined) return undefined;
  const normal = normalisePath(collection);
  checkCollection({ allowed: config.allowed_collections }, normal);
  return normal;
}

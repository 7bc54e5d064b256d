/** Follows `$ref` within a document. Nothing outside it is ever fetched. */
import { HelveError } from '../../domain/errors.js';
import { isPlainObject } from '../../util/canonical.js';
import type { DocumentView, Path } from './document-view.js';
import { limits } from './limits.js';

/** The target of a reference. Throws `invalid_config` if it leaves the document. */
export function pathOfReference(reference: string): Path {
  if (!reference.startsWith('#/')) {
    const what = reference.startsWith('#') ? 'names an anchor' : 'leaves the document';
    throw new HelveError('invalid_config', `The reference ${JSON.stringify(reference.slice(0, 200))} ${what}`);
  }
  return reference
    .slice(2)
    .split('/')
    .map((part) => decoded(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The object itself, or the end of its chain of references. Undefined if the target does not exist. */
export function resolved(view: DocumentView, value: unknown): Record<string, unknown> | undefined {
  let found = value;
  for (let step = 0; step < limits.references; step++) {
    if (!isPlainObject(found)) return undefined;
    const reference = Object.hasOwn(found, '$ref') ? found.$ref : undefined;
    if (typeof reference !== 'string') return found;
    found = view.get(pathOfReference(reference));
  }
  throw new HelveError('invalid_config', 'A chain of references does not end');
}

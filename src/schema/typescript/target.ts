/** Where a schema's reference leads, if that is known without knowing the path of a value. */
import { isPlainObject } from '../../util/canonical.js';
import type { Place, References } from '../references.js';

export interface Target {
  readonly place: Place;
  /** The schema's name: the last name of the pointer, or the anchor. */
  readonly hint: string;
  /** Up to draft-07, keywords next to the reference do not count. */
  readonly alone: boolean;
}

/** Undefined if there is no reference, it leads nowhere, or it is dynamic and depends on the value. */
export function getTarget(from: Place, references: References): Target | undefined {
  const { schema, resource } = from;
  if (!isPlainObject(schema)) return undefined;
  const alone = resource.dialect.year < 2019;
  if (typeof schema.$ref === 'string') {
    const place = references.resolve(from, schema.$ref);
    return place && { place, hint: describeHint(schema.$ref), alone };
  }
  const dynamic = resource.dialect.draft === '2020-12' && schema.$dynamicRef;
  const recursive = resource.dialect.draft === '2019-09' && schema.$recursiveRef;
  const reference = dynamic || recursive;
  if (typeof reference !== 'string') return undefined;
  const { root } = references;
  // The root is always the outermost: if it resolves the anchor, or nothing else can, the place is certain.
  const resolve = dynamic ? references.resolveDynamic : references.resolveRecursive;
  const outermost = resolve(from, reference, [root.resource]);
  const nearest = references.resolve(from, reference);
  if (!outermost || !nearest) return undefined;
  const fixed = outermost.resource === root.resource || isFixed(nearest, reference);
  return fixed ? { place: outermost, hint: describeHint(reference), alone } : undefined;
}

function isFixed(nearest: Place, reference: string): boolean {
  const anchor = nearest.resource.anchors.get(reference.slice(reference.indexOf('#') + 1));
  return anchor?.dynamic !== true && !nearest.resource.recursive;
}

function describeHint(reference: string): string {
  const last = reference.slice(Math.max(reference.lastIndexOf('/'), reference.lastIndexOf('#')) + 1);
  try {
    return decodeURIComponent(last).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return last;
  }
}

/** Where a schema's reference leads, when that can be told without knowing the way a value came. */
import { isPlainObject } from '../../util/canonical.js';
import type { Place, References } from '../references.js';

export interface Target {
  readonly place: Place;
  /** What the schema calls it: the last name of the pointer, or the anchor. */
  readonly hint: string;
  /** Up to draft-07 nothing beside the reference counts. */
  readonly alone: boolean;
}

/** Undefined where there is no reference, or it leads nowhere, or (dynamic) to a place that only the value decides. */
export function targetOf(from: Place, references: References): Target | undefined {
  const { schema, resource } = from;
  if (!isPlainObject(schema)) return undefined;
  const alone = resource.dialect.year < 2019;
  if (typeof schema.$ref === 'string') {
    const place = references.resolve(from, schema.$ref);
    return place && { place, hint: hintOf(schema.$ref), alone };
  }
  const dynamic = resource.dialect.draft === '2020-12' && schema.$dynamicRef;
  const recursive = resource.dialect.draft === '2019-09' && schema.$recursiveRef;
  const reference = dynamic || recursive;
  if (typeof reference !== 'string') return undefined;
  const { root } = references;
  // The root is the outermost whatever the way: where it answers, or nothing else can, the place is certain.
  const resolve = dynamic ? references.resolveDynamic : references.resolveRecursive;
  const outermost = resolve(from, reference, [root.resource]);
  const nearest = references.resolve(from, reference);
  if (!outermost || !nearest) return undefined;
  const fixed = outermost.resource === root.resource || isFixed(nearest, reference);
  return fixed ? { place: outermost, hint: hintOf(reference), alone } : undefined;
}

function isFixed(nearest: Place, reference: string): boolean {
  const anchor = nearest.resource.anchors.get(reference.slice(reference.indexOf('#') + 1));
  return anchor?.dynamic !== true && !nearest.resource.recursive;
}

function hintOf(reference: string): string {
  const last = reference.slice(Math.max(reference.lastIndexOf('/'), reference.lastIndexOf('#')) + 1);
  try {
    return decodeURIComponent(last).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return last;
  }
}

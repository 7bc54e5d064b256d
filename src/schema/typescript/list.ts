/**
 * Lists: `T[]`, and tuples if the items have types by position. A list of one type stays `T[]` whatever its bounds
 * (they are in the comment): otherwise a program that fills such a list step by step could not be typed.
 */
import type { BuildPart } from './build-part.js';
import type { Schema } from './keywords.js';
import { type ListNode, type Node, unknown, withoutDocs } from './node.js';

/** Up to this fixed length, lists are tuples: a position, a box, a pair. */
const maxFixed = 4;
const maxTuple = 200;

/** Undefined if the schema has no keywords for lists. */
export function buildList(schema: Schema, name: string, part: BuildPart): ListNode | undefined {
  const { prefix, after } = listItems(schema);
  const least = countItems(schema.minItems) ?? 0;
  const most = countItems(schema.maxItems) ?? Number.POSITIVE_INFINITY;
  const rest = after === undefined ? unknown : part(after, name);
  const fixed = least === most && most <= maxFixed && most > 0;
  if (prefix.length === 0 && !fixed && most > 0) {
    if (after === undefined) return undefined;
    return { kind: 'list', head: [], required: 0, rest: rest.kind === 'never' ? undefined : rest };
  }
  const length = Math.min(most, fixed ? most : prefix.length, maxTuple);
  const head: Node[] = Array.from({ length }, (_, index) =>
    index < prefix.length ? part(prefix[index], name) : index > prefix.length ? withoutDocs(rest) : rest,
  );
  const open = most > length && rest.kind !== 'never';
  const cut = head.findIndex((item) => item.kind === 'never');
  if (cut !== -1) return { kind: 'list', head: head.slice(0, cut), required: Math.min(least, cut), rest: undefined };
  return {
    kind: 'list',
    head,
    required: Math.min(least, length),
    rest: open ? restOf(prefix, length, rest) : undefined,
  };
}

/** What remains of a tuple that is too long to be written is not checked. */
const restOf = (prefix: readonly unknown[], length: number, rest: Node): Node =>
  prefix.length > length ? unknown : rest;

/** The schemas by position, and the one of the items after them. Up to draft 2019-09, `items` could be either. */
function listItems({ prefixItems, items, additionalItems }: Schema): { prefix: readonly unknown[]; after: unknown } {
  const prefix = [prefixItems, items].find(Array.isArray) ?? [];
  return { prefix, after: Array.isArray(items) ? additionalItems : items };
}

function countItems(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.ceil(value) : undefined;
}

/**
 * References that apply to the same value (`allOf`, `anyOf`, `oneOf`, or a plain reference). A cycle of these
 * describes nothing and would never end in a validator; real documents have them between a base type and its subtypes.
 */
import { isPlainObject } from '../../util/canonical.js';
import type { DocumentView } from './document-view.js';
import { limits } from './limits.js';
import { pathOfReference } from './references.js';

export interface InPlaceReferences {
  /** Whether the target of `reference` leads back to `owner`; `onlyChoices`: without passing through an `allOf`. */
  leadsBack(reference: string, owner: string, onlyChoices: boolean): boolean;
}

interface Edges {
  readonly all: readonly string[];
  readonly choices: readonly string[];
}

const maxVisits = 300;

/** Returns the check for one document. */
export function inPlaceReferences(view: DocumentView): InPlaceReferences {
  const known = new Map<string, Edges>();
  const listEdges = (reference: string): Edges => {
    const before = known.get(reference);
    if (before) return before;
    const all: string[] = [];
    const choices: string[] = [];
    collect(schemaAt(view, reference), false, 0, (found, inAll) => {
      all.push(found);
      if (!inAll) choices.push(found);
    });
    const edges = { all, choices };
    known.set(reference, edges);
    return edges;
  };
  return {
    leadsBack(reference, owner, onlyChoices) {
      const seen = new Set([reference]);
      for (const each of seen) {
        // Too many to check: treated as a cycle, which only makes the schema more open.
        if (each === owner || seen.size > maxVisits) return true;
        const edges = listEdges(each);
        for (const next of onlyChoices ? edges.choices : edges.all) seen.add(next);
      }
      return false;
    },
  };
}

function schemaAt(view: DocumentView, reference: string): unknown {
  try {
    return view.get(pathOfReference(reference));
  } catch {
    return undefined;
  }
}

function collect(
  schema: unknown,
  inAll: boolean,
  depth: number,
  found: (reference: string, inAll: boolean) => void,
): void {
  if (!isPlainObject(schema) || depth > limits.references) return;
  if (typeof schema.$ref === 'string') found(schema.$ref, inAll);
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    const members = schema[keyword];
    if (!Array.isArray(members)) continue;
    for (const member of members) collect(member, inAll || keyword === 'allOf', depth + 1, found);
  }
}

/**
 * The schemas of one document that its inputs refer to: each is created once, stored as compact text, and assembled for
 * one operation on demand. The size of a bundle is limited: parts that do not fit are left open, with a note.
 */
import type { JsonSchema } from '../../domain/json.js';
import { sha256 } from '../../util/hash.js';
import type { DocumentView } from './document-view.js';
import { inPlaceReferences } from './in-place-references.js';
import { limits } from './limits.js';
import { createNormaliser, type Normalised } from './normalise-schema.js';
import { pathOfReference } from './references.js';

/** A schema as it is stored: small, and sharing nothing with the document. */
export interface CompactSchema {
  readonly text: string;
  /** Names of the definitions that are bundled with it; those of `open` are left open. */
  readonly definitions: readonly string[];
  readonly open: readonly string[];
}

interface Definition {
  readonly text: string;
  readonly references: readonly string[];
}

export interface SchemaStore {
  /** Creates a part of an input of at most `max` characters. */
  normalise(schema: unknown, max?: number): Normalised;
  compact(schema: JsonSchema, references: Iterable<string>): CompactSchema;
  /** The complete schema of an operation. */
  expand(compact: CompactSchema): JsonSchema;
  /** Releases the document. */
  release(): void;
}

/** Returns the schema store of a document. */
export function createSchemaStore(document: DocumentView): SchemaStore {
  const paths = new Map<string, string>();
  const definitions = new Map<string, Definition>();
  // All references to the document are here, so that they can be released together.
  let source: { readonly view: DocumentView; readonly normalise: ReturnType<typeof createNormaliser> } | undefined = {
    view: document,
    normalise: createNormaliser({
      view: document,
      nameOf: (reference) => nameDefinition(paths, reference),
      inPlace: inPlaceReferences(document),
    }),
  };
  const normalise = (schema: unknown, max: number, owner?: string): Normalised => {
    if (!source) throw new Error('The document has been released');
    return source.normalise(schema, max, owner);
  };

  const define = (name: string): Definition => {
    const known = definitions.get(name);
    if (known) return known;
    const reference = paths.get(name) ?? '';
    const made = normalise(source?.view.get(pathOfReference(reference)), limits.definitionCharacters, reference);
    const definition = { text: JSON.stringify(made.schema), references: [...made.references] };
    definitions.set(name, definition);
    return definition;
  };

  return {
    normalise: (schema, max = limits.definitionCharacters) => normalise(schema, max),
    compact(schema, references) {
      const text = JSON.stringify(schema);
      let left = limits.schemaCharacters - text.length;
      const found = new Set<string>(references);
      const fitting: string[] = [];
      const open: string[] = [];
      // Breadth first, because a caller fills in the parts near the input.
      for (const name of found) {
        const definition = define(name);
        left -= definition.text.length + name.length;
        if (left < 0) {
          open.push(name);
          left += definition.text.length;
          continue;
        }
        fitting.push(name);
        for (const reference of definition.references) found.add(reference);
      }
      return { text, definitions: fitting, open };
    },
    expand: (compact) => expanded(compact, (name) => definitions.get(name)?.text ?? '{}'),
    release() {
      source = undefined;
      paths.clear();
    },
  };
}

function expanded({ text, definitions, open }: CompactSchema, textOf: (name: string) => string): JsonSchema {
  const schema = JSON.parse(text) as Record<string, unknown>;
  if (definitions.length === 0 && open.length === 0) return schema;
  const entries = definitions.map((name) => [name, JSON.parse(textOf(name))]);
  const opened = open.map((name) => [name, { description: 'Anything: its schema is too large to be shown' }]);
  return { ...schema, $defs: Object.fromEntries([...entries, ...opened]) };
}

/** A name that depends only on the text of the reference. */
function nameDefinition(paths: Map<string, string>, reference: string): string {
  const path = pathOfReference(reference);
  const last = path.at(-1) ?? '';
  const clean = last.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 80);
  const plain = path.length === 3 && path[1] === 'schemas' && clean === last && last !== '__proto__';
  const name = plain ? last : `${clean}.${sha256(reference).slice(0, 8)}`;
  paths.set(name, reference);
  return name;
}

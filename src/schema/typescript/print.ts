/**
 * Prints JSON Schemas as TypeScript declarations, for a model that writes code against tools. Deliberately compact:
 * one-line comments, no indentation, no repetition.
 *
 * Guarantees: the text compiles; a value that the schema allows is allowed by the type; a value that the schema refuses
 * is refused wherever TypeScript can express it (kinds, literals, required properties, items, members of unions, names
 * in closed objects). An object that the schema leaves open is open in the type as well: see object.ts. Bounds,
 * patterns and formats, and the minimum and maximum items of a list of one type, are in the comments.
 */
import { createReferences, type References } from '../references.js';
import { buildDefinitions } from './build.js';
import { fold } from './fold.js';
import { createNames } from './names.js';
import { type Definition, withDocs } from './node.js';
import { type Cuts, findCuts } from './order.js';
import { renderDefinition } from './render.js';
import { refuseHuge } from './survey.js';

/**
 * Returns `export type <name> = …;` and after it the types that it needs, called `<name>_<their own name>`. A `name`
 * that is not an identifier, or is a reserved word, is converted to one; the first type is the requested one. Nothing
 * is fetched: an unresolvable reference is `unknown`. Throws `too_large`.
 */
export function printTypeScript(name: string, schema: unknown, references?: References): string {
  const definitions = buildDefinitions(name, references ?? lookAt(schema));
  const names = createNames();
  const [main] = definitions;
  const own = names.give(name);
  const nameFor = (definition: Definition): string => (definition === main ? own : names.derive(own, definition.hint));
  return write(main ? [main] : [], findCuts(definitions), new Map(), nameFor);
}

function lookAt(schema: unknown): References {
  refuseHuge(schema);
  return createReferences(schema);
}

export interface DeclarationEntry {
  readonly name: string;
  readonly schema: unknown;
  /** Comes before the schema's own description. */
  readonly description?: string;
  readonly references?: References;
}

export interface Declarations {
  /** A series of `export type …;`: a module, or the inside of a `declare namespace`. */
  readonly text: string;
  /** The name of each entry, in order. */
  readonly names: readonly string[];
}

/**
 * Prints many schemas in one namespace. Equal definitions are written once, under their own names. Throws `too_large`
 * if an entry is.
 */
export function printDeclarations(entries: readonly DeclarationEntry[]): Declarations {
  const mains: Definition[] = [];
  const all: Definition[] = [];
  for (const { name, schema, description, references } of entries) {
    const definitions = buildDefinitions(name, references ?? lookAt(schema));
    const [main] = definitions;
    if (main === undefined) continue;
    main.node = withDocs(main.node, description || undefined);
    mains.push(main);
    all.push(...definitions);
  }
  const names = createNames();
  const given = new Map(mains.map((main) => [main, names.give(main.hint)]));
  const getName = (definition: Definition): string => given.get(definition) ?? names.derive('', definition.hint);
  const cuts = findCuts(all);
  return { text: write(mains, cuts, fold(all, cuts), getName), names: mains.map((main) => given.get(main) ?? '') };
}

/** Writes the first ones, then what they refer to, in the order in which it is reached. */
function write(
  first: readonly Definition[],
  cuts: Cuts,
  shared: ReadonlyMap<Definition, Definition>,
  nameFor: (definition: Definition) => string,
): string {
  const names = new Map<Definition, string>();
  const waiting = [...first];
  const nameOf = (definition: Definition): string => {
    const to = shared.get(definition) ?? definition;
    const known = names.get(to);
    if (known !== undefined) return known;
    const name = nameFor(to);
    names.set(to, name);
    waiting.push(to);
    return name;
  };
  for (const definition of first) names.set(definition, nameFor(definition));
  const texts: string[] = [];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const to = shared.get(next);
    const same = to !== undefined && to !== next && next.name !== undefined;
    texts.push(same ? `export type ${names.get(next)} = ${nameOf(to)};` : renderDefinition(next, { cuts, nameOf }));
  }
  return texts.join('\n');
}

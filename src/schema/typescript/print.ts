/**
 * Prints JSON Schemas as TypeScript declarations, for a model that writes code against tools. Deliberately compact:
 * one-line comments, no indentation, no repetition.
 *
 * Guarantees: the text compiles; a value that the schema allows is allowed by the type; a value that the schema refuses
 * is refused wherever TypeScript can express it (kinds, literals, required properties, items, members of unions, names
 * in closed objects). An object that the schema leaves open is open in the type as well: see object.ts. Bounds,
 * patterns and formats, and the minimum and maximum items of a list of one type, are in the comments.
 */
import { HelveError } from '../../domain/errors.js';
import { createReferences, type References } from '../references.js';
import { buildDefinitions } from './build.js';
import type { DocsRole } from './docs.js';
import { fold } from './fold.js';
import { createNames } from './names.js';
import { type Definition, unknown } from './node.js';
import { findCuts } from './order.js';
import { type RenderOptions, renderDefinition, renderFunction } from './render.js';
import { shareObjects } from './share.js';
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
  const writer = createWriter({ cuts: findCuts(definitions), shared: new Map(), nameFor, prefix: 'export ' });
  if (main) writer.options.getName(main);
  return writer.writeWaiting().join('\n');
}

function lookAt(schema: unknown): References {
  refuseHuge(schema);
  return createReferences(schema);
}

export interface FunctionEntry {
  /** An identifier; each occurs once. */
  readonly name: string;
  /** What the function takes: one object. */
  readonly input: unknown;
  /** What its promise resolves to; undefined: `unknown`. */
  readonly output?: unknown;
  /** Comes before what the schema of the input says. */
  readonly docs?: string | undefined;
}

/**
 * Prints asynchronous functions and the types that they need, for the inside of a `declare namespace`. Equal types are
 * written once. An object is closed unless its schema says that it is open: in a call, a name that the schema does not
 * mention is far more often a mistake than a further property. `prefix` comes before each function and type: `declare `.
 * A schema that is too large is `unknown`, so that one tool does not keep the others from being declared.
 */
export function printFunctions(entries: readonly FunctionEntry[], prefix = ''): string {
  const definitions: Definition[] = [];
  const build = (name: string, schema: unknown, role: DocsRole): Definition => {
    const [main = { hint: name, node: unknown }, ...others] = buildFor(name, schema, role);
    definitions.push(main, ...others);
    return main;
  };
  const built = entries.map(({ name, docs, input, output }) => ({
    name,
    docs,
    input: build(`${name} input`, input, 'input'),
    output: output === undefined ? undefined : build(`${name} output`, output, 'answer'),
  }));
  const answers = built.flatMap(({ output }) => output ?? []);
  definitions.push(...shareObjects(definitions, { closesSilent: true, answers }));
  const cuts = findCuts(definitions);
  const names = createNames();
  const shared = fold(definitions, cuts);
  const writer = createWriter({
    cuts,
    shared,
    nameFor: ({ hint }) => names.derive('', hint),
    closesSilent: true,
    prefix,
  });
  const functions = built.map(({ input, output, ...entry }) =>
    renderFunction({ ...entry, input: input.node, output: output?.node ?? unknown }, writer.options),
  );
  return [...functions, ...writer.writeWaiting()].join('\n');
}

function buildFor(name: string, schema: unknown, role: DocsRole): Definition[] {
  try {
    return buildDefinitions(name, lookAt(schema), { role });
  } catch (error) {
    if (!(error instanceof HelveError && error.code === 'too_large')) throw error;
    return [{ hint: name, node: { ...unknown, docs: 'Its schema is too large to be written as a type.' } }];
  }
}

interface Writing extends Omit<RenderOptions, 'getName'> {
  readonly shared: ReadonlyMap<Definition, Definition>;
  readonly nameFor: (definition: Definition) => string;
}

/** Writes definitions in the order in which something refers to them. */
function createWriter({ shared, nameFor, ...how }: Writing) {
  const names = new Map<Definition, string>();
  const waiting: Definition[] = [];
  const getName = (definition: Definition): string => {
    const to = shared.get(definition) ?? definition;
    const known = names.get(to);
    if (known !== undefined) return known;
    const name = nameFor(to);
    names.set(to, name);
    waiting.push(to);
    return name;
  };
  const options: RenderOptions = { ...how, getName };
  return {
    options,
    writeWaiting(): string[] {
      const texts: string[] = [];
      for (let next = waiting.shift(); next; next = waiting.shift()) texts.push(renderDefinition(next, options));
      return texts;
    },
  };
}

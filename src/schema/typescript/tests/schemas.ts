/**
 * Random schemas from a seed: every keyword that a type can express, in every position, with references and cycles. No
 * property has an inherited name: the reference validator ignores `__proto__`, and the compiler considers `toString`
 * always present.
 */
import { pick, type Random } from './values.js';

type Schema = Record<string, unknown>;

const names = ['id', 'name', 'kind', 'x-y', 'items', 'a b', 'class', '1st', 'length2'];
const definitions = ['node', 'string', 'a/b', 'Node', 'person~x', 'любой'];

/** A root schema with definitions that refer to each other. */
export function randomSchema(random: Random): Schema {
  const $defs = Object.fromEntries(definitions.map((name) => [name, objectSchema(random, 1)]));
  return { ...objectSchema(random, 3), $defs };
}

function anySchema(random: Random, depth: number): unknown {
  const kind = random();
  if (depth <= 0 || kind < 0.35) return scalarSchema(random);
  if (kind < 0.55) return objectSchema(random, depth - 1);
  if (kind < 0.7) return listSchema(random, depth - 1);
  if (kind < 0.8)
    return {
      $ref: `#/$defs/${encodeURIComponent(pick(definitions, random).replaceAll('~', '~0').replaceAll('/', '~1'))}`,
    };
  if (kind < 0.9) return choiceSchema(random, depth - 1);
  if (kind < 0.94) return { allOf: [objectSchema(random, depth - 1), objectSchema(random, depth - 1)] };
  return pick<unknown>([true, {}, { description: 'anything' }, { not: { type: 'string' } }], random);
}

function scalarSchema(random: Random): Schema {
  return pick<() => Schema>(
    [
      () => ({ type: 'string', description: `text */ with \`ticks\` ${'$'}{x}` }),
      () => ({ type: 'integer', minimum: 0, default: 3 }),
      () => ({ type: 'number' }),
      () => ({ type: 'boolean' }),
      () => ({ type: 'null' }),
      () => ({ type: ['string', 'null'] }),
      () => ({ type: ['integer', 'array'], items: { type: 'string' } }),
      () => ({ enum: ['a', 'b', 1, null, { deep: ['x', { y: 1 }] }] }),
      () => ({ type: 'string', enum: ['open', 'closed', '\u2028', '"quoted"'] }),
      () => ({ const: pick<unknown>(['fixed', 7, false, null, [1, 'two'], {}], random) }),
      () => ({ type: 'string', nullable: true }),
    ],
    random,
  )();
}

function listSchema(random: Random, depth: number): Schema {
  return pick<() => Schema>(
    [
      () => ({ type: 'array', items: anySchema(random, depth) }),
      () => ({ type: 'array' }),
      () => ({ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 }),
      () => ({ type: 'array', prefixItems: [scalarSchema(random), anySchema(random, depth)], items: false }),
      () => ({
        type: 'array',
        prefixItems: [scalarSchema(random), scalarSchema(random)],
        minItems: 1,
        items: scalarSchema(random),
      }),
      () => ({ items: scalarSchema(random) }),
    ],
    random,
  )();
}

function choiceSchema(random: Random, depth: number): Schema {
  const members = (): unknown[] => Array.from({ length: 2 + Math.floor(random() * 2) }, () => anySchema(random, depth));
  return pick<() => Schema>(
    [
      () => ({ anyOf: members() }),
      () => ({ oneOf: members() }),
      () => ({ ...objectSchema(random, depth), anyOf: [{ required: ['id'] }, { required: ['name'] }] }),
      () => ({
        oneOf: ['a', 'b'].map((kind) => ({
          ...objectSchema(random, depth, { kind: { const: kind } }),
          required: ['kind'],
        })),
      }),
      () => ({ anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }], description: 'a node or nothing' }),
    ],
    random,
  )();
}

function objectSchema(random: Random, depth: number, fixed: Schema = {}): Schema {
  const properties: Schema = {};
  for (const name of names) {
    if (random() > 0.3) continue;
    Object.defineProperty(properties, name, {
      value: anySchema(random, depth),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  Object.assign(properties, fixed);
  const required = Object.keys(properties).filter(() => random() < 0.4);
  const schema: Schema = { type: 'object', properties, required };
  const more = random();
  if (more < 0.3) schema.additionalProperties = false;
  else if (more < 0.4) schema.additionalProperties = scalarSchema(random);
  else if (more < 0.45) {
    schema.additionalProperties = false;
    schema.patternProperties = { '^pre-': { type: 'string' } };
  }
  if (random() < 0.05) schema.nullable = true;
  if (random() < 0.05) delete schema.type;
  return schema;
}

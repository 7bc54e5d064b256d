/**
 * Schemas and values made to block a process, overflow a stack or inject code into a validator. Each must be answered or
 * refused. `node bench/schema/hostile.js` measures how long each blocks the process; the tests use the same list.
 */
import { fileURLToPath } from 'node:url';

const nest = (levels, wrap, inner) => {
  let made = inner;
  for (let level = 0; level < levels; level += 1) made = wrap(made);
  return made;
};
const list = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const named = (count, make) => Object.fromEntries(list(count, (index) => [`p${index}`, make(index)]));
const fan = (depth, make) => ({
  $ref: '#/$defs/a0',
  $defs: {
    ...Object.fromEntries(list(depth, (index) => [`a${index}`, make({ $ref: `#/$defs/a${index + 1}` })])),
    [`a${depth}`]: { type: 'integer' },
  },
});
const chain = (levels, end = {}) => nest(levels, (next) => ({ next, x: next, a: next, l: next, r: next }), end);
const circle = () => {
  const schema = { type: 'object', properties: {} };
  schema.properties.again = schema;
  return schema;
};
const many = 100_000;
const numbers = list(many, (index) => index);
const objects = list(many, (id) => ({ id }));
const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, v: { type: 'number' } } };
const breakOut = '"];throw new Error(`in`);//';

/** `schema` and `values` are made on demand, because some of them are large. */
export const hostile = [
  ['10,000 levels of properties', () => nest(10_000, (inner) => ({ properties: { a: inner } }), {}), () => [{}]],
  ['10,000 levels of allOf', () => nest(10_000, (inner) => ({ allOf: [inner] }), {}), () => [{}]],
  ['10,000 levels of not', () => nest(10_000, (inner) => ({ not: inner }), {}), () => [{}]],
  ['10,000 levels in a default', () => ({ default: nest(10_000, (inner) => [inner], []) }), () => [{}]],
  [
    '250 levels of properties',
    () => nest(250, (a) => ({ properties: { a } }), { type: 'string' }),
    () => [nest(250, (a) => ({ a }), 'x'), chain(10_000)],
  ],
  [
    '250 levels of anyOf',
    () => nest(250, (one) => ({ anyOf: [one, { type: 'null' }] }), { type: 'string' }),
    () => ['x', 1],
  ],
  ['a reference to itself', () => ({ $ref: '#' }), () => [1]],
  [
    'a circle of references',
    () => ({ $ref: '#/$defs/a', $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } }),
    () => [1],
  ],
  ['a dynamic reference to itself', () => ({ $dynamicAnchor: 'a', $dynamicRef: '#a' }), () => [1]],
  [
    'recursion that consumes',
    () => ({ $ref: '#/$defs/node', $defs: { node } }),
    () => [chain(10_000), chain(50), nest(300, (next) => ({ next }), { v: 'x' })],
  ],
  [
    'recursion that doubles',
    () => ({
      $ref: '#/$defs/n',
      $defs: { n: { allOf: list(2, () => ({ properties: { x: { $ref: '#/$defs/n' } } })) } },
    }),
    () => [chain(60), chain(8)],
  ],
  ['2^25 of allOf', () => fan(25, (next) => ({ allOf: [next, next] })), () => [1]],
  ['2^25 of anyOf', () => fan(25, (next) => ({ anyOf: [next, next] })), () => ['x']],
  [
    '2^25 of properties',
    () => fan(25, (next) => ({ properties: { l: next, r: next } })),
    () => [chain(25, 1), chain(25, 'x'), {}],
  ],
  ['2^12 of allOf', () => fan(12, (next) => ({ allOf: [next, next] })), () => [1, 'x']],
  [
    'names of what objects inherit',
    () =>
      JSON.parse(
        '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"},"toString":{"type":"integer"}},"required":["__proto__","constructor"],"additionalProperties":false}',
      ),
    () => [JSON.parse('{"__proto__":"a","constructor":1}'), JSON.parse('{"__proto__":1,"constructor":1}'), {}],
  ],
  [
    '^(a+)+$',
    () => ({ pattern: '^(a+)+$' }),
    () => [`${'a'.repeat(30)}!`, `${'a'.repeat(1_000_000)}!`, 'a'.repeat(30_000)],
  ],
  [
    '(x+x+)+y in a list',
    () => ({ items: { pattern: '(x+x+)+y' } }),
    () => [list(1_000, () => 'x'.repeat(100)), list(many, () => 'x'.repeat(100))],
  ],
  [
    'a+b in a list',
    () => ({ items: { pattern: 'a+b' } }),
    () => [list(20_000, () => 'a'.repeat(440)), ['a'.repeat(1_000_000)]],
  ],
  ['a pattern that looks around and back', () => ({ pattern: '^(?=(a+)+$)(b|a)+(?!x)\\1$' }), () => ['a'.repeat(40)]],
  ['a pattern of a million', () => ({ pattern: '(x{1,1000}){1,1000}y' }), () => ['x'.repeat(5_000)]],
  ['a pattern of 4,000 groups', () => ({ pattern: '('.repeat(4_000) + ')'.repeat(4_000) }), () => ['x']],
  ['100,000 properties', () => ({ properties: named(many, () => ({ type: 'string' })) }), () => [{ p1: 1 }]],
  [
    '8,000 properties',
    () => ({ properties: named(8_000, () => ({ type: 'string' })), additionalProperties: false }),
    () => [{ p1: 'x' }, named(8_000, () => 'x'), named(many, () => 1)],
  ],
  ['100,000 names required', () => ({ required: list(many, (index) => `p${index}`) }), () => [{}]],
  [
    '15,000 names required of 100,000 items',
    () => ({ items: { required: list(15_000, (index) => `p${index}`) } }),
    () => [list(many, () => ({ p0: 1 })), list(many, () => named(1, () => 1))],
  ],
  ['an enum of 100,000', () => ({ enum: numbers }), () => [5]],
  ['an enum of 18,000', () => ({ enum: numbers.slice(0, 18_000) }), () => [5, -5, numbers]],
  ['an enum of 9,000 objects', () => ({ enum: objects.slice(0, 9_000) }), () => [{ id: 5 }, { id: -5 }, objects]],
  [
    'a getter',
    () => ({
      get properties() {
        throw new Error('read');
      },
    }),
    () => [{}],
  ],
  ['a circle of objects', circle, () => [{}]],
  ['an object many times over', () => ({ default: nest(40, (a) => ({ a, b: a }), 1) }), () => [1]],
  ['what is not JSON', () => ({ properties: { a: new Map() }, default: () => 1 }), () => [1]],
  [
    'uniqueItems',
    () => ({ uniqueItems: true }),
    () => [numbers, objects, list(many, String), nest(10_000, (inner) => [inner], [])],
  ],
  [
    '100,000 items',
    () => ({
      items: {
        type: 'object',
        properties: { id: { type: 'integer', minimum: 0 } },
        required: ['id'],
        additionalProperties: false,
      },
    }),
    () => [objects],
  ],
  [
    '1,000 alternatives for 100,000 items',
    () => ({ items: { anyOf: list(1_000, (index) => ({ properties: { id: { const: -1 - index } } })) } }),
    () => [objects, numbers],
  ],
  ['contains in 100,000 items', () => ({ contains: { const: -1 } }), () => [numbers]],
  [
    '100,000 names against patterns',
    () => ({ patternProperties: { '^(a+)+$': true, 'b+c': false }, additionalProperties: false }),
    () => [named(many, () => 1)],
  ],
  [
    '100,000 names unevaluated',
    () => ({
      anyOf: [{ properties: { a: true } }, { patternProperties: { '^p': true } }],
      unevaluatedProperties: false,
    }),
    () => [named(many, () => 1)],
  ],
  [
    'a text of five million',
    () => ({ minLength: 9, maxLength: 5_000_000, pattern: '^[a-z]*$', format: 'email' }),
    () => ['a'.repeat(5_000_000)],
  ],
  [
    '50,000 texts of a format',
    () => ({ items: { format: 'uri' } }),
    () => [list(50_000, () => `http://a.b/${'c'.repeat(50)}`)],
  ],
  ['multiples of 1e-300', () => ({ items: { multipleOf: 1e-300 } }), () => [list(many, () => 1e300)]],
  [
    '6,000 references',
    () => ({ $defs: { a: { type: 'string' } }, properties: named(6_000, () => ({ $ref: '#/$defs/a' })) }),
    () => [{ p1: 1 }],
  ],
  [
    '20,000 names of schemas',
    () => ({
      properties: named(20_000, (index) => ({
        $id: `http://x.test/${index}`,
        $ref: 'http://json-schema.org/draft-07/schema',
      })),
    }),
    () => [{}],
  ],
  ['a pointer of 100,000 steps', () => ({ $ref: `#/${'a/'.repeat(100_000)}` }), () => [1]],
  [
    'code in names, values and patterns',
    () => ({
      properties: {
        [breakOut]: { const: breakOut, pattern: breakOut.replace(/[[\](]/g, '.') },
        '\u2028*/`': { enum: [breakOut, {}] },
      },
      required: [breakOut],
    }),
    () => [{ [breakOut]: breakOut }, { [breakOut]: 1 }, {}],
  ],
];

const kernel = process.env.HELVE_SCHEMA ?? new URL('../../dist/schema/index.js', import.meta.url).href;

async function measure() {
  const { admitSchema } = await import(kernel);
  let worst = 0;
  for (const [name, schemaOf, valuesOf] of hostile) {
    const [schema, values] = [schemaOf(), valuesOf()];
    const start = performance.now();
    let admitted;
    try {
      admitted = admitSchema(schema);
    } catch {
      // Refused.
    }
    const times = [performance.now() - start];
    for (const value of admitted ? values : []) {
      for (let again = 0; again < 4; again += 1) {
        const before = performance.now();
        const verdict = admitted.validate(value);
        if (!verdict.ok) verdict.issues.at(0);
        times.push(performance.now() - before);
      }
    }
    const most = Math.max(...times);
    worst = Math.max(worst, most);
    console.log(
      `${most > 50 ? 'OVER ' : ''}${name}: ${admitted ? 'admitted' : 'refused'}, ${most.toFixed(1)} ms at most`,
    );
  }
  console.log(`the longest of all: ${worst.toFixed(1)} ms`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measure();

/** Schemas made to break their reader. The compiler, run once over everything that is printed, judges the result. */
import { describe, expect, it } from 'vitest';
import { printFunctions, printTypeScript } from './index.js';
import { assignment, compile } from './tests/compile.js';

type Schema = Record<string, unknown>;

const names = [
  '"',
  "'",
  `\`\${process.exit()}\``,
  '*/ evil: string; /*',
  'a\nb',
  'a\r\n}; declare const x: string; {',
  '\u2028\u2029',
  '\u0000\u001b[31m\u007f',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'class',
  'new',
  'readonly',
  'get',
  '[k: string]',
  '1',
  '-1',
  '',
  ' ',
  'x'.repeat(200),
  'имя',
  '\\',
];

const texts = [
  '*/ export const evil = 1; /*',
  '@ts-expect-error',
  '@ts-ignore',
  'a\n// @ts-nocheck\n*/',
  '\u2028*/\u2029',
  '/',
  '*',
  '\ud800',
  '```\n',
];

const object = (properties: [string, unknown][], more: Schema = {}): Schema => ({
  type: 'object',
  properties: Object.fromEntries(properties),
  ...more,
});

const nested = (levels: number, wrap: (inner: unknown) => unknown, inner: unknown): Schema => {
  let schema = inner;
  for (let level = 0; level < levels; level += 1) schema = wrap(schema);
  return schema as Schema;
};

function fan(levels: number, both: (next: Schema, again: Schema) => Schema): Schema {
  const $defs: Schema = { [`level${levels}`]: object([['end', { type: 'string' }]]) };
  for (let level = 0; level < levels; level += 1)
    $defs[`level${level}`] = both({ $ref: `#/$defs/level${level + 1}` }, { $ref: `#/$defs/level${level + 1}` });
  return { $ref: '#/$defs/level0', $defs };
}

const hostile: Record<string, Schema> = {
  names: object(names.map((name) => [name, { type: 'string', description: name }])),
  'required names': object(
    names.map((name) => [name, { type: 'string' }]),
    { required: names, additionalProperties: false },
  ),
  'names of definitions': {
    $defs: Object.fromEntries(
      [...names, 'Node', 'node', 'string', 'Object', 'await'].map((name) => [
        name,
        object([['a', { type: 'string' }]], { title: name }),
      ]),
    ),
    anyOf: [...names, 'Node', 'node', 'string', 'Object', 'await'].flatMap((name) => {
      const $ref = `#/$defs/${encodeURIComponent(name.startsWith('\ud800') ? '' : name.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
      return [{ $ref }, { type: 'array', items: { $ref } }];
    }),
  },
  texts: object(
    texts.map((text, index) => [
      `p${index}`,
      { type: 'string', description: text, title: text, default: text, pattern: text, format: text, examples: [text] },
    ]),
  ),
  'text of the whole': { type: 'object', description: '@ts-expect-error' },
  values: object(names.map((name, index) => [`p${index}`, { enum: [name, { [name]: name }, [name], index] }])),
  patterns: {
    type: 'object',
    additionalProperties: false,
    patternProperties: Object.fromEntries(names.map((name) => [`^${name}`, { type: 'string' }])),
  },
  'keywords of no sense': {
    type: {},
    properties: [],
    required: 'a',
    enum: {},
    anyOf: {},
    items: 5,
    allOf: [1, null, 'x'],
    $ref: 7,
    title: {},
    description: [],
    patternProperties: { '[': 1 },
  },
  'a reference to itself': { $ref: '#' },
  'a choice of itself': {
    anyOf: [{ type: 'string' }, { $ref: '#' }, { allOf: [{ $ref: '#' }, { $ref: '#/anyOf/1' }] }],
  },
  'all of itself': { type: 'object', properties: { a: { $ref: '#' } }, allOf: [{ $ref: '#' }] },
  'references out': object([
    ['a', { $ref: 'file:///etc/passwd' }],
    ['b', { $ref: 'https://a.example/*/x.json#/y' }],
    ['c', { $ref: '#/nowhere' }],
  ]),
  'deep objects': nested(2_000, (inner) => ({ type: 'object', properties: { a: inner } }), { type: 'string' }),
  'deep lists': nested(2_000, (inner) => ({ type: 'array', items: inner }), { type: 'string' }),
  'deep all of': nested(2_000, (inner) => ({ allOf: [inner] }), { type: 'string' }),
  'deep any of': nested(1_500, (inner) => ({ anyOf: [inner, { type: 'null' }] }), { type: 'string' }),
  'deep not': nested(10_000, (inner) => ({ not: inner }), { type: 'string' }),
  'deep values': {
    const: nested(5_000, (inner) => [inner], 1),
    default: nested(5_000, (inner) => ({ a: inner }), 1),
    examples: [nested(5_000, (inner) => [inner], 1)],
  },
  'fan of properties': fan(25, (left, right) =>
    object([
      ['left', left],
      ['right', right],
    ]),
  ),
  'fan of all of': fan(25, (left, right) => ({ allOf: [left, right] })),
  'fan of any of': fan(25, (left, right) => ({ anyOf: [left, { ...right, description: 'the other' }] })),
  'fan of both': fan(25, (left, right) => ({
    anyOf: [{ allOf: [left, { required: ['a'] }] }, { allOf: [right, { required: ['b'] }] }],
  })),
  products: {
    type: 'object',
    allOf: Array.from({ length: 25 }, (_, index) => ({
      anyOf: [{ required: [`a${index}`] }, { required: [`b${index}`] }],
    })),
  },
  'many prefixes': {
    type: 'object',
    additionalProperties: false,
    patternProperties: Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`^p${index}-`, { type: 'string' }]),
    ),
  },
  'a long tuple': { type: 'array', prefixItems: Array.from({ length: 3_000 }, () => ({ type: 'string' })) },
};

describe('R-typedefs: hostile schemas', () => {
  it('R-typedefs: everything printed compiles, alone and in one namespace', () => {
    const entries = Object.entries(hostile).map(([name, schema]) => ({ name, schema }));
    const alone = entries.map(({ name, schema }) => printTypeScript(name, schema)).join('\n');
    const text = printFunctions(
      entries.map(({ schema }, at) => ({ name: `tool${at}`, input: schema, output: schema })),
    );
    expect([...compile(`${alone}\ndeclare namespace together {\n${text}\n}`)]).toEqual([]);
    expect(`${alone}${text}`).not.toMatch(/\u2028|\u2029|\u0000|\u001b/);
  });

  it('R-typedefs: nothing in a name or a text becomes code', () => {
    const text = Object.entries(hostile)
      .map(([name, schema]) => printTypeScript(name, schema))
      .join('\n');
    const comments = text.match(/\/\*\*[\s\S]*?\*\//g) ?? [];
    expect(comments.length).toBeGreaterThan(20);
    // Without comments and quoted strings, the rest contains none of it.
    const code = text.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/"(?:[^"\\]|\\.)*"/g, '""');
    expect(code).not.toMatch(/evil|declare|process|ts-/);
  });

  it('R-typedefs: values with hostile names are judged like others', () => {
    const { names: open, 'required names': closed } = hostile as { names: Schema; 'required names': Schema };
    const all = Object.fromEntries(names.map((name) => [name, 'x']));
    const wrong = names.map((name) =>
      Object.fromEntries(Object.entries(all).map(([key, value]) => [key, key === name ? 5 : value])),
    );
    const head = `${printTypeScript('Open', open)}\n${printTypeScript('Closed', closed)}`.split('\n');
    const cases = [
      ...[{}, all, { other: 1 }].map((value) => ({ type: 'Open', value, ok: true })),
      ...wrong.map((value) => ({ type: 'Open', value, ok: false })),
      { type: 'Closed', value: all, ok: true },
      ...wrong.map((value) => ({ type: 'Closed', value, ok: false })),
      { type: 'Closed', value: { ...all, other: 'x' }, ok: false },
    ];
    const problems = compile(
      [...head, ...cases.map(({ type, value }, index) => assignment(index, type, value))].join('\n'),
    );
    expect(cases.filter(({ ok }, index) => problems.has(head.length + index + 1) === ok)).toEqual([]);
  });

  it('R-typedefs: type names are unique identifiers, for any requested name', () => {
    const asked = [
      'send email',
      '123',
      '',
      'class',
      'string',
      'Näme',
      'a.b',
      'a b',
      'A.B',
      '__proto__',
      'constructor',
      'x'.repeat(500),
    ];
    const text = printFunctions(
      asked.map((name, at) => {
        const $defs = { [name]: { type: 'object', properties: { [name]: { const: at } } } };
        const to = { $ref: `#/$defs/${encodeURIComponent(name)}` };
        return { name: `tool${at}`, input: { properties: { first: to, second: to }, $defs } };
      }),
    );
    const given = [...text.matchAll(/^type (.*?) = /gm)].map(([, name]) => name ?? '');
    expect(new Set(given).size).toBe(asked.length);
    for (const name of given) expect(name).toMatch(/^[A-Za-z_$][\w$]{0,210}$/);
    expect([...compile(`declare namespace tools {\n${text}\n}`)]).toEqual([]);
    expect(printTypeScript('Kept_1', true)).toBe('export type Kept_1 = unknown;');
  });

  it('R-typedefs: schemas that are too large are refused instead of taking long', () => {
    const wide = object(Array.from({ length: 100_000 }, (_, index) => [`p${index}`, { type: 'string' }]));
    const listed = { enum: Array.from({ length: 100_000 }, (_, index) => `v${index}`) };
    const wordy = { description: 'word '.repeat(300_000) };
    for (const schema of [wide, listed, wordy, nested(10_000, (inner) => ({ items: inner }), true)])
      expect(() => printTypeScript('Large', schema)).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  it('R-typedefs: an object that contains itself, or is contained many times, terminates', () => {
    const loop: Schema = { type: 'object', properties: {} };
    (loop.properties as Schema).self = loop;
    expect(printTypeScript('Loop', loop)).toBe('export type Loop = {\nself?:Loop\n[k:string]:unknown\n};');
    const twice = nested(
      25,
      (inner) =>
        object([
          ['left', inner],
          ['right', inner],
        ]),
      { type: 'string' },
    );
    expect(printTypeScript('Twice', twice).length).toBeLessThan(3_000);
  });
});

/** The output for each keyword. */
import { describe, expect, it } from 'vitest';
import { createReferences } from '../references.js';
import { printTypeScript } from './index.js';

const type = (schema: unknown): string =>
  printTypeScript('T', schema)
    .replace(/^(?:\/\*\*[\s\S]*?\*\/\n)?export type T = /, '')
    .replace(/;$/, '');
const closed = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** As text: an object with its own `then` could be taken for a promise. */
const condition = JSON.parse('{"if":{"properties":{"k":{"const":"x"}},"required":["k"]},"then":{"required":["b"]}}');

describe('R-typedefs: types', () => {
  it.each<[string, unknown, string]>([
    ['kinds', { type: ['string', 'integer', 'null'] }, 'string|number|null'],
    ['anything', {}, 'unknown'],
    ['true', true, 'unknown'],
    ['false', false, 'never'],
    ['nothing that is', { not: {} }, 'never'],
    ['nullable beside a type', { type: 'string', nullable: true }, 'string|null'],
    [
      'nullable beside choices',
      { nullable: true, anyOf: [{ type: 'string' }, { type: 'number' }] },
      'string|number|null',
    ],
    ['an enum does not become nullable', { type: 'string', nullable: true, enum: ['a'] }, '"a"'],
    ['enum, of the type only', { type: 'string', enum: ['a', 'b', 1] }, '"a"|"b"'],
    ['const', { const: { a: [1, null] } }, '{a:[1,null]}'],
    ['an empty const', { const: {} }, '{[k:string]:never}'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'string[]'],
    ['a list of several', { type: 'array', items: { enum: ['a', 'b'] } }, '("a"|"b")[]'],
    ['a list of anything', { type: 'array' }, 'unknown[]'],
    ['the least items leave a list a list', { type: 'array', items: { type: 'string' }, minItems: 1 }, 'string[]'],
    ['a fixed length', { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 }, '[number,number]'],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 1 },
      '[string,number?]',
    ],
    [
      'a tuple with more',
      { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'null' } },
      '[string?,...null[]]',
    ],
    ['no items', { type: 'array', maxItems: 0 }, '[]'],
    [
      'an open object',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      '{\na:string\n[k:string]:unknown\n}',
    ],
    ['a closed object', closed({ 'a-b': { type: 'string' } }), '{"a-b"?:string}'],
    ['an empty closed object', closed({}), '{[k:string]:never}'],
    ['a record', { type: 'object', additionalProperties: { type: 'number' } }, '{[k:string]:number}'],
    [
      'a record with names',
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
      '{\na?:string\n[k:string]:number|string|undefined\n}',
    ],
    [
      'a pattern that is a prefix',
      { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
      `{/** @pattern ^x- */[k:\`x-\${string}\`]:string}`,
    ],
    [
      'names that are listed',
      { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: { type: 'number' } },
      '{\na?:number\nb?:number\n}',
    ],
    [
      'required but not named',
      { type: 'object', required: ['a'], additionalProperties: { type: 'number' } },
      '{\na:number\n[k:string]:number\n}',
    ],
    ['required but not allowed', { ...closed({}), required: ['a'] }, 'never'],
    [
      'objects only by their keywords',
      { properties: { a: { type: 'string' } }, additionalProperties: false },
      '{a?:string}|string|number|boolean|unknown[]|null',
    ],
    [
      'all of, made one',
      { allOf: [closed({ a: { type: 'string' } }), { properties: { a: { enum: ['x', 1] } }, required: ['a'] }] },
      '{a:"x"}',
    ],
    [
      'any of, in an object',
      {
        ...closed({ a: { type: 'string' }, b: { type: 'string' } }),
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      '{\na?:string\nb?:string\n}&({a:unknown}|{b:unknown})',
    ],
    [
      'one of, in an object',
      { ...closed({ a: true, b: true }), oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{\na?:unknown\nb?:unknown\n}&({\na:unknown\nb?:never\n}|{\nb:unknown\na?:never\n})',
    ],
    [
      'closed members of a union',
      { anyOf: [closed({ a: true }, ['a']), closed({ b: true }, ['b'])] },
      '{\na:unknown\nb?:never\n}|{\nb:unknown\na?:never\n}',
    ],
    [
      'told apart by a literal',
      { oneOf: [closed({ k: { const: 1 } }, ['k']), closed({ k: { const: 2 }, b: true }, ['k'])] },
      '{k:1}|{\nk:2\nb?:unknown\n}',
    ],
    ['not required', { ...closed({ a: true, b: true }), not: { required: ['a'] } }, '{\na?:never\nb?:unknown\n}'],
    [
      'dependent',
      { ...closed({ a: true, b: true }), dependentRequired: { a: ['b'] } },
      '{\na?:unknown\nb?:unknown\n}&({a?:never}|{b:unknown})',
    ],
    [
      'if and then',
      {
        ...closed({ k: { enum: ['x', 'y'] }, b: true }),
        ...condition,
      },
      '{\nk?:"x"|"y"\nb?:unknown\n}&({\nk:"x"\nb:unknown\n}|{k?:"y"})',
    ],
    ['a name that all objects have', closed({ toString: { type: 'string' } }), '{toString?:string|Object["toString"]}'],
  ])('R-typedefs: %s', (_, schema, expected) => {
    expect(type(schema)).toBe(expected);
  });

  it('R-typedefs: a type that is referred to once is inlined; repeated and recursive types are named', () => {
    const node = {
      type: 'object',
      additionalProperties: false,
      properties: { next: { $ref: '#/$defs/list node' } },
      description: 'A node.',
    };
    expect(printTypeScript('Tree', { $defs: { 'list node': node }, $ref: '#/$defs/list%20node' })).toBe(
      'export type Tree = Tree_ListNode;\n/** A node. */\nexport type Tree_ListNode = {next?:Tree_ListNode};',
    );
    expect(
      type({
        $defs: { once: { type: 'object', additionalProperties: false } },
        items: { $ref: '#/$defs/once' },
        type: 'array',
      }),
    ).toBe('{[k:string]:never}[]');
    expect(
      type({ $defs: { id: { type: 'string' } }, ...closed({ a: { $ref: '#/$defs/id' }, b: { $ref: '#/$defs/id' } }) }),
    ).toBe('{\na?:string\nb?:string\n}');
  });

  it('R-typedefs: references by anchor, by URI and to documents passed in; nothing is ever fetched', () => {
    expect(type({ $defs: { x: { $anchor: 'here', type: 'string' } }, $ref: '#here' })).toBe('string');
    expect(
      type({ $id: 'https://a.example/root', $defs: { x: { $id: 'x', type: 'number' } }, $ref: 'https://a.example/x' }),
    ).toBe('number');
    const schema = { $ref: 'https://a.example/other#/$defs/y' };
    const remotes = { 'https://a.example/other': { $defs: { y: { const: 5 } } } };
    expect(printTypeScript('T', schema, createReferences(schema, { remotes }))).toBe('export type T = 5;');
    expect(printTypeScript('T', schema)).toBe('/** @see https://a.example/other#/$defs/y */\nexport type T = unknown;');
  });

  it('R-typedefs: a keyword that the draft does not know constrains nothing', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'array',
      prefixItems: [{ type: 'string' }],
    };
    expect(type(schema)).toBe('unknown[]');
    expect(type({ ...schema, $schema: 'https://json-schema.org/draft/2020-12/schema' })).toBe('[string?,...unknown[]]');
    const beside = {
      definitions: { a: { type: 'string' } },
      properties: { p: { $ref: '#/definitions/a', enum: ['x'] } },
      type: 'object',
    };
    expect(type(beside)).toContain('p?:"x"');
    expect(type({ $schema: 'http://json-schema.org/draft-07/schema#', ...beside })).toContain('p?:string');
  });
});

describe('R-typedefs: comments', () => {
  const doc = (schema: unknown): string | undefined =>
    /^\/\*\* ([\s\S]*?) \*\/\n/.exec(printTypeScript('PageNumber', schema))?.[1];

  it.each<[string, unknown, string | undefined]>([
    ['a description', { description: 'How many.' }, 'How many.'],
    ['a title that says more', { title: 'Start at', description: 'Number' }, 'Start at: Number'],
    ['a title that says the same', { title: 'Page Number' }, undefined],
    [
      'facts',
      { type: 'integer', default: 30, minimum: 1, maximum: 100, examples: [10, 20] },
      '@int @default 30 @minimum 1 @maximum 100 @example 10, 20',
    ],
    ['a default that the text tells', { description: 'Default: `30`.', default: 30 }, 'Default: `30`.'],
    [
      'text facts',
      { type: 'string', format: 'date', pattern: '^a*/$', deprecated: true },
      '@deprecated @format date @pattern ^a*\\/$',
    ],
    ['lists', { type: 'array', minItems: 1, uniqueItems: true }, '@minItems 1 @uniqueItems'],
    ['words of what has no type', { not: { description: 'not this' } }, '@not not this'],
    ['the end of a comment', { description: 'a */ b' }, 'a *\\/ b'],
    ['a word to the compiler', { description: '@ts-ignore' }, '\\@ts-ignore'],
    ['ends of lines', { description: 'a\r\nb\u2028c' }, 'a\nb\\u2028c'],
  ])('R-typedefs: %s', (_, schema, expected) => {
    expect(doc(schema)).toBe(expected);
  });

  it('R-typedefs: are placed where they belong', () => {
    const schema = closed({
      list: { type: 'array', description: 'the list', items: { type: 'string', description: 'one of it' } },
    });
    expect(type(schema)).toBe('{/** the list */list?:/** one of it */string[]}');
    expect(
      type({
        anyOf: [
          { type: 'string', description: 'a name' },
          { type: 'number', description: 'a number' },
        ],
      }),
    ).toBe('/** a name */string|/** a number */number');
  });
});

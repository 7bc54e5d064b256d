/** Only what a schema itself marks as secret is hidden, anywhere in the arguments; everything else is shown exactly. */
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonSchema } from '../domain/json.js';
import { hiddenMark as hidden, hideMarked } from './hide-marked.js';

const secret = { writeOnly: true };
const password = { type: 'string', format: 'password' };

describe('what is hidden', () => {
  test.each<[string, JsonSchema, JsonObject, JsonObject]>([
    ['a member that is write-only', { properties: { a: secret } }, { a: 'x', b: 'y' }, { a: hidden, b: 'y' }],
    ['a password', { properties: { a: password } }, { a: 'x' }, { a: hidden }],
    ['a whole object', { properties: { a: secret } }, { a: { b: 1 } }, { a: hidden }],
    [
      'inside an object',
      { properties: { a: { properties: { b: secret } } } },
      { a: { b: 1, c: 2 } },
      { a: { b: hidden, c: 2 } },
    ],
    [
      'every other member',
      { properties: { a: {} }, additionalProperties: secret },
      { a: 1, b: 2 },
      { a: 1, b: hidden },
    ],
    ['each item', { properties: { a: { items: secret } } }, { a: ['x', 'y'] }, { a: [hidden, hidden] }],
    [
      'one place of a tuple',
      { properties: { a: { prefixItems: [{}, secret], items: {} } } },
      { a: [1, 2, 3] },
      { a: [1, hidden, 3] },
    ],
    ['after a tuple', { properties: { a: { prefixItems: [{}], items: secret } } }, { a: [1, 2] }, { a: [1, hidden] }],
    ['by reference', { properties: { a: { $ref: '#/$defs/k' } }, $defs: { k: password } }, { a: 'x' }, { a: hidden }],
    [
      'by a reference with signs in it',
      { properties: { a: { $ref: '#/$defs/k~1~0%20l' } }, $defs: { 'k/~ l': password } },
      { a: 'x' },
      { a: hidden },
    ],
    [
      'by the name of an anchor',
      { properties: { a: { $ref: '#key' } }, $defs: { k: { $anchor: 'key', ...password } } },
      { a: 'x' },
      { a: hidden },
    ],
    [
      'by an id, in a schema of an unknown kind',
      {
        $schema: 'https://example.com/unknown',
        $id: 'https://example.com/tool',
        properties: { a: { $ref: 'key#/$defs/inner' } },
        $defs: { k: { $id: 'key', $defs: { inner: { $ref: '#/$defs/last' }, last: password } } },
      },
      { a: 'x' },
      { a: hidden },
    ],
    ...['allOf', 'anyOf', 'oneOf'].map((keyword): [string, JsonSchema, JsonObject, JsonObject] => [
      `in a branch of ${keyword}`,
      { properties: { a: { [keyword]: [{}, secret] } } },
      { a: 'x' },
      { a: hidden },
    ]),
    ...['if', 'then', 'else'].map((keyword): [string, JsonSchema, JsonObject, JsonObject] => [
      `under ${keyword}`,
      { [keyword]: { properties: { a: secret } } },
      { a: 'x' },
      { a: hidden },
    ]),
  ])('R-approval: %s', (_what, schema, input, shown) => {
    expect(hideMarked(input, schema)).toEqual(shown);
    // The control: without the mark it is shown.
    expect(hideMarked(input, { type: 'object' })).toEqual(input);
  });
});

describe('what is shown', () => {
  test.each<[string, JsonSchema, JsonObject]>([
    ['null, which says nothing', { properties: { a: secret } }, { a: null }],
    ['what another member’s mark says', { properties: { b: secret } }, { a: 'x' }],
    ['a name that every object has', { properties: {} }, { constructor: 'rm -rf', toString: 'x' }],
    [
      'a reference to another document',
      { properties: { a: { $ref: 'other#/$defs/k' } }, $defs: { k: secret } },
      { a: 1 },
    ],
    ['a reference to nothing', { properties: { a: { $ref: '#/$defs/none/deeper' } }, $defs: {} }, { a: 1 }],
    [
      'a reference through a value',
      { properties: { a: { $ref: '#/$defs/k/writeOnly' } }, $defs: { k: 'x', n: null } },
      { a: 1 },
    ],
    ['a reference through null', { properties: { a: { $ref: '#/$defs/n/x' } }, $defs: { n: null } }, { a: 1 }],
    ['a reference to what every object has', { properties: { a: { $ref: '#/constructor' } } }, { a: 1 }],
    ['what refers to itself alone', { properties: { a: { $ref: '#/properties/a' } } }, { a: 1 }],
    [
      'the contents of a schema that refers to itself',
      { properties: { a: { $ref: '#' } } },
      { a: { a: { b: [1, null, true] } } },
    ],
    ['a list of no schema', { properties: 'x', items: 'y', allOf: 'z' } as JsonSchema, { a: [1] }],
  ])('R-approval: %s', (_what, schema, input) => {
    expect(hideMarked(input, schema)).toEqual(input);
  });
});

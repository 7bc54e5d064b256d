import { describe, expect, test } from 'vitest';
import { toolSignature, writeSignature } from './tool-signature.js';

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});

describe('R-meta-tools: a tool’s parameters in one line', () => {
  test.each([
    ['nothing', object({}), '()'],
    ['not even properties', {}, '()'],
    [
      'required ones first',
      object({ a: { type: 'string' }, b: { type: 'integer' } }, ['b']),
      '(b: number, a?: string)',
    ],
    [
      'what only shapes the answer last',
      object({ limit: {}, $select: {}, user_id: {}, subject: {}, per_page: {}, id: {} }, ['id']),
      '(id: any, subject?: any, limit?: any, $select?: any, user_id?: any, …)',
    ],
    ['lists', object({ a: { type: 'array', items: { type: 'string' } } }, ['a']), '(a: string[])'],
    ['lists of anything', object({ a: { type: 'array' } }, ['a']), '(a: any[])'],
    ['null besides', object({ a: { type: ['string', 'null'] } }, ['a']), '(a: string)'],
    ['several types', object({ a: { type: ['string', 'number'] } }, ['a']), '(a: string | number)'],
    ['short enumerations', object({ a: { enum: ['x', 'y'] } }, ['a']), '(a: "x" | "y")'],
    ['constants', object({ a: { const: 1 } }, ['a']), '(a: 1)'],
    ['alternatives', object({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, ['a']), '(a: string)'],
    ['lists of alternatives', object({ a: { type: 'array', items: { enum: [1, 2] } } }, ['a']), '(a: (1 | 2)[])'],
    [
      'references, also over several, and none without an end',
      {
        ...object({
          a: { anyOf: [{ $ref: '#/$defs/b~1c' }, { type: 'array', items: { $ref: '#/$defs/b~1c' } }] },
          loop: { $ref: '#/$defs/loop' },
          tree: { $ref: '#/$defs/tree' },
          none: { $ref: '#/$defs/none' },
        }),
        $defs: {
          'b/c': { $ref: '#/$defs/text' },
          text: { type: 'string' },
          loop: { $ref: '#/$defs/loop' },
          tree: { type: 'array', items: { $ref: '#/$defs/tree' } },
        },
      },
      '(a?: string | string[], loop?: any, tree?: any[][][], none?: any)',
    ],
    ['a schema that is true', object({ a: true }, ['a']), '(a: any)'],
    ['no type at all', object({ a: { description: 'x' } }, ['a']), '(a: any)'],
  ])('R-meta-tools: %s', (_what, schema, signature) => {
    expect(toolSignature({ inputSchema: schema })).toBe(signature);
  });

  test('R-meta-tools: long signatures are cut, required parameters last', () => {
    const many = Object.fromEntries([...'abcdefgh'].map((letter) => [letter.repeat(12), { type: 'string' }]));
    const signature = toolSignature({ inputSchema: object(many, ['h'.repeat(12)]) });
    expect(signature).toMatch(/^\(hhhhhhhhhhhh: string, aaaaaaaaaaaa\?: string, .*, …\)$/);
    expect(signature.length).toBeLessThanOrEqual(80);
    expect(writeSignature(object({ ['x'.repeat(50)]: { type: 'string' } }), 10)).toBe(`(${'x'.repeat(50)}?: string)`);
    const words = ['first choice', 'second choice', 'third choice'];
    expect(toolSignature({ inputSchema: object({ a: { enum: words } }, ['a']) })).toBe('(a: string)');
  });
});

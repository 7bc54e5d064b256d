import { describe, expect, it } from 'vitest';
import { satisfies, schemaIssues, withDefaults } from './checks.js';

const schema = {
  type: 'object',
  properties: {
    a: { type: 'string' },
    deep: { type: 'object', properties: { b: { default: [1] } } },
    c: { default: 0 },
  },
  required: ['a'],
  additionalProperties: false,
};

describe('checks', () => {
  it('R-schema: verdicts and issues by the raw schema', () => {
    expect([satisfies(schema, { a: 'x' }), satisfies(schema, {})]).toEqual([true, false]);
    expect(schemaIssues(schema, { a: 'x' })).toEqual([]);
    expect(schemaIssues(schema, { b: 1 })).toEqual([
      { path: '/', message: 'must have required properties a' },
      { path: '/', message: 'unknown property "b"' },
    ]);
    expect(schemaIssues(schema, { a: 1 })).toEqual([{ path: '/a', message: 'must be string' }]);
  });

  it('R-schema: a schema that cannot be honoured is a configuration error', () => {
    expect(() => satisfies({ type: 'strin' }, 1)).toThrow(expect.objectContaining({ code: 'invalid_config' }));
  });

  it('R-schema: returns a value with defaults, and the same value if nothing is missing', () => {
    const value = { deep: {} };
    const filled = withDefaults(schema, value);
    expect([filled, value]).toEqual([{ deep: { b: [1] }, c: 0 }, { deep: {} }]);
    expect(withDefaults(schema, filled)).toBe(filled);
    expect(withDefaults(schema, [])).toEqual([]);
  });
});

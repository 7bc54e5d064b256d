import { describe, expect, it } from 'vitest';
import { declaresProperty, fillDefaults, satisfies, schemaIssues } from './checks.js';

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

  it('R-schema: fills in defaults in place', () => {
    const value = { deep: {} };
    expect(fillDefaults(schema, value)).toBe(true);
    expect(value).toEqual({ deep: { b: [1] }, c: 0 });
    expect(fillDefaults(schema, value)).toBe(false);
    expect(fillDefaults(schema, [])).toBe(false);
  });

  it('R-schema: knows the names that the schema itself declares', () => {
    expect([declaresProperty(schema, 'a'), declaresProperty(schema, 'toString')]).toEqual([true, false]);
  });
});

/**
 * Every hostile schema and value gets an answer or a refusal; `bench/schema/hostile.js` measures how long that takes.
 */
import { describe, expect, it } from 'vitest';
import { hostile } from '../../bench/schema/hostile.js';
import { HelveError } from '../domain/errors.js';
import { admitSchema } from './admit-schema.js';

describe('hostile schemas and values', () => {
  it.each(hostile)('R-schema: %s', (_name, schemaOf, valuesOf) => {
    let admitted: ReturnType<typeof admitSchema>;
    try {
      admitted = admitSchema(schemaOf());
    } catch (error) {
      expect(error).toBeInstanceOf(HelveError);
      expect((error as HelveError).code).toBe('invalid_input');
      return;
    }
    for (const value of valuesOf()) {
      for (let again = 0; again < 4; again += 1) {
        const verdict = admitted.validate(value);
        if (!verdict.ok) expect(verdict.issues.length).toBeGreaterThan(0);
      }
    }
  });

  it('R-schema: values that are too deep or too large are refused, never accepted', () => {
    const node = { type: 'object', properties: { next: { $ref: '#' } }, required: ['v'] };
    let value: unknown = { next: {} };
    for (let level = 0; level < 10_000; level += 1) value = { v: 1, next: value };
    for (let again = 0; again < 4; again += 1) {
      const verdict = admitSchema(node).validate(value);
      expect(verdict).toMatchObject({ ok: false, issues: [{ message: expect.stringContaining('too deeply') }] });
    }
  });

  it('R-schema: a name cannot become code', () => {
    const name = '"];globalThis.broken=true;//\u2028`;globalThis.broken=true;`';
    const raw = { properties: { [name]: { enum: [name, 'b'] } }, required: [name], additionalProperties: false };
    const { validate } = admitSchema(raw);
    for (let again = 0; again < 5; again += 1) {
      expect(validate({ [name]: name }).ok).toBe(true);
      expect(validate({ [name]: 'c' }).ok).toBe(false);
    }
    expect((globalThis as any).broken).toBeUndefined();
  });

  it('R-schema: names that every object inherits are members only if the value has them', () => {
    const raw = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"toString":{"type":"integer"}},"required":["constructor"],"additionalProperties":{"type":"boolean"}}',
    );
    const { validate } = admitSchema(raw);
    for (let again = 0; again < 5; again += 1) {
      expect(validate({}).ok).toBe(false);
      expect(validate({ constructor: true }).ok).toBe(true);
      expect(validate({ constructor: 1 }).ok).toBe(false);
      expect(validate(JSON.parse('{"constructor":true,"__proto__":1}')).ok).toBe(false);
      expect(validate({ constructor: true, toString: 'x' }).ok).toBe(false);
    }
  });
});

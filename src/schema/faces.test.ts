/** The other forms of an admitted schema, tested with their consumers: Zod itself, and a second validator. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { admitSchema } from './admit-schema.js';

const raw = {
  type: 'object',
  properties: { name: { $ref: '#/$defs/name' }, list: { type: 'array', items: { type: 'integer', default: 3 } } },
  required: ['name'],
  $defs: { name: { type: 'string', minLength: 2, description: 'Of the thing' } },
};

describe('toZod', () => {
  it('R-schema: validates as the kernel does, with paths', () => {
    const type = admitSchema(raw).toZod();
    expect(type.parse({ name: 'ab' })).toEqual({ name: 'ab' });
    const wrapped = z.object({ a: type.optional(), b: z.array(type) });
    const { error } = wrapped.safeParse({ b: [{ name: 'ab' }, { name: 'x', list: [1, 'q'] }] });
    expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
      [['b', 1, 'name'], 'must not have fewer than 2 characters'],
      [['b', 1, 'list', 1], 'must be integer'],
    ]);
    expect(wrapped.parse({ b: [] })).toEqual({ b: [] });
    expect(type.nullable().parse(null)).toBeNull();
  });

  it('R-schema: z.toJSONSchema gives the raw schema back, and a description next to it', () => {
    const type = admitSchema(raw).toZod();
    const { $schema: _, ...written } = z.toJSONSchema(type) as Record<string, unknown>;
    expect(written).toEqual(raw);
    expect(z.toJSONSchema(type.describe('A thing'))).toMatchObject({ ...raw, description: 'A thing' });
    expect(type.describe('A thing').safeParse({}).success).toBe(false);
  });

  it('R-schema: its references still work when it is embedded in another schema', () => {
    const type = admitSchema(raw).toZod();
    const schema = z.toJSONSchema(
      z.object({ a: type, b: z.array(admitSchema({ ...raw, $defs: { name: {} } }).toZod()) }),
    );
    const validate = new Ajv2020({ strict: false }).compile(schema as object);
    expect(validate({ a: { name: 'ab' }, b: [{ name: 1 }] })).toBe(true);
    expect(validate({ a: { name: 1 }, b: [] })).toBe(false);
  });

  it('R-schema: embedded, it has its own id, which is the same every time', () => {
    const write = () => {
      const type = () => admitSchema(raw).toZod();
      return z.toJSONSchema(z.object({ a: type(), b: type() })).properties as Record<'a' | 'b', { $id: string }>;
    };
    const { a, b } = write();
    expect(a.$id).toMatch(/^urn:helve:schema:/);
    expect(b.$id).not.toBe(a.$id);
    expect(write()).toEqual({ a, b });
  });

  it('R-schema: fills in defaults when asked', () => {
    const type = admitSchema({ properties: { a: { default: 1 } } }, { defaults: true }).toZod();
    expect(z.object({ x: type }).parse({ x: {} })).toEqual({ x: { a: 1 } });
  });
});

describe('toStandardSchema', () => {
  it('R-schema: validates with paths, and hands out a fresh copy each time', () => {
    const { '~standard': standard } = admitSchema(raw).toStandardSchema();
    expect(standard.validate({ name: 'ab' })).toEqual({ value: { name: 'ab' } });
    expect(standard.validate({ name: 'ab', list: ['x'] })).toEqual({
      issues: [{ message: 'must be integer', path: ['list', '0'] }],
    });
    const first = standard.jsonSchema.input({ target: 'draft-07' });
    (first.properties as any).name = 'spoiled';
    expect(standard.jsonSchema.output({ target: 'draft-2020-12' })).toEqual(raw);
    expect(() => standard.jsonSchema.input({ target: 'openapi-3.0' })).toThrow('cannot be written');
  });
});

describe('toTypeScript', () => {
  it('R-typedefs: names the type as asked', () => {
    expect(admitSchema(raw).toTypeScript('Thing')).toContain('Thing');
  });
});

/** Composio's parameters as Zod, against real schemas, a third-party validator and the AI SDK. */
import { existsSync, readFileSync } from 'node:fs';
import { asSchema } from 'ai';
import { Ajv } from 'ajv';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { convertComposioSchemaToZod } from './index.js';

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});

describe('R-schema: convertComposioSchemaToZod', () => {
  it('R-schema: a real Zod object, with the descriptions and optional members', () => {
    const parameters = object(
      { to: { type: 'string', description: 'Whom to write to' }, cc: { type: 'array', items: { type: 'string' } } },
      { required: ['to'] },
    );
    const zod = convertComposioSchemaToZod(parameters);
    expect(zod).toBeInstanceOf(z.ZodObject);
    expect(Object.keys(zod.shape)).toEqual(['to', 'cc']);
    expect(zod.shape.to?.description).toBe('Whom to write to');
    expect(zod.shape.cc?.safeParse(undefined).success).toBe(true);
    expect(zod.safeParse({ to: 'a' }).success).toBe(true);
    expect(zod.safeParse({ cc: [] }).success).toBe(false);
    expect(zod.safeParse({ to: 'a', cc: [1] }).error?.issues[0]?.path).toEqual(['cc', 0]);
  });

  const tree = {
    type: 'object',
    properties: { name: { type: 'string' }, below: { type: 'array', items: { $ref: '#/$defs/tree' } } },
    required: ['name'],
    additionalProperties: false,
  };
  it.each<[string, Record<string, unknown>, unknown, unknown]>([
    ['oneOf', { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 2 }] }, 1, 3],
    ['anyOf', { anyOf: [{ type: 'string' }, { type: 'null' }] }, null, 5],
    ['allOf', { allOf: [{ type: 'string', minLength: 2 }, { pattern: '^a' }] }, 'ab', 'b'],
    ['nullable', { type: 'string', nullable: true }, null, 1],
    ['const', { const: { a: 1 } }, { a: 1 }, { a: 2 }],
    ['formats', { type: 'string', format: 'email' }, 'a@b.example', 'nobody'],
    ['bounds', { type: 'integer', minimum: 1, maximum: 5 }, 5, 6],
    [
      'references that recur',
      { $ref: '#/$defs/tree' },
      { name: 'a', below: [{ name: 'b', below: [] }] },
      { name: 'a', below: [{ below: [] }] },
    ],
  ])('R-schema: %s counts', (_, schema, right, wrong) => {
    const zod = convertComposioSchemaToZod(object({ p: schema }, { $defs: { tree } }));
    expect(zod.safeParse({ p: right }).success).toBe(true);
    expect(zod.safeParse({ p: wrong }).success).toBe(false);
  });

  it('R-schema: references into the whole, and keywords about the whole', () => {
    const zod = convertComposioSchemaToZod(
      object(
        { a: { type: 'integer' }, b: { $ref: '#/properties/a' } },
        { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      ),
    );
    expect(zod.safeParse({ b: 1 }).success).toBe(true);
    expect(zod.safeParse({ b: 'x' }).success).toBe(false);
    expect(zod.safeParse({}).success).toBe(false);
  });

  it('R-schema: defaults that their schema allows are filled in, deeper ones too', () => {
    const nested = object({ size: { type: 'integer', default: 7 } });
    const zod = convertComposioSchemaToZod(
      object({ n: { type: 'integer', default: 3 }, bad: { type: 'string', default: null }, nested }),
    );
    expect(zod.parse({ nested: {} })).toEqual({ n: 3, nested: { size: 7 } });
  });

  it('R-schema: unknown keys pass where the schema lets them', () => {
    expect(convertComposioSchemaToZod(object({ a: {} })).parse({ other: 1 })).toEqual({ other: 1 });
    expect(
      convertComposioSchemaToZod(object({}, { additionalProperties: false })).safeParse({ other: 1 }).success,
    ).toBe(false);
    const counted = convertComposioSchemaToZod(object({}, { additionalProperties: { type: 'number' } }));
    expect([counted.safeParse({ a: 1 }).success, counted.safeParse({ a: 'x' }).success]).toEqual([true, false]);
    expect(convertComposioSchemaToZod({}).parse({ other: 1 })).toEqual({ other: 1 });
  });

  it('R-schema: a broken schema is reported, and accepts everything', () => {
    for (const broken of [
      { type: 'array' },
      object({ a: { $ref: 'https://a.example/x' } }),
      object({ a: { type: 'strin' } }),
    ]) {
      const report = vi.fn();
      expect(convertComposioSchemaToZod(broken, { report }).parse({ a: 1 })).toEqual({ a: 1 });
      expect(report).toHaveBeenCalledOnce();
    }
  });

  it('R-schema: a model sees exactly the given schema', async () => {
    const parameters = object(
      { a: { type: 'string', nullable: true, 'x-own': [1] }, b: { $ref: '#/$defs/tree' } },
      { $defs: { tree }, required: ['a'], title: 'T' },
    );
    const before = JSON.stringify(parameters);
    const zod = convertComposioSchemaToZod(parameters);
    expect(z.toJSONSchema(zod)).toMatchObject(parameters);
    expect(await asSchema(zod).jsonSchema).toMatchObject(parameters);
    expect(JSON.stringify(parameters)).toBe(before);
  });

  const file = new URL('../../../../shared/data/json-schema/composio-in.jsonl', import.meta.url);
  it.skipIf(!existsSync(file))(
    'R-schema: all real parameters convert, and accept what a validator accepts (skipped without the data)',
    () => {
      const rows = readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter((_, index) => index % 4 === 0);
      const report = vi.fn();
      const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false, logger: false });
      let valid = 0;
      let invalid = 0;
      for (const { schema } of rows) {
        const zod = convertComposioSchemaToZod(schema, { report });
        const properties: [string, { type?: string; enum?: unknown[] }][] = Object.entries(schema.properties ?? {});
        const samples: Record<string, unknown> = {
          string: 'word',
          integer: 7,
          number: 2.5,
          boolean: true,
          array: [],
          object: {},
        };
        const all = Object.fromEntries(
          properties.map(([name, { type, enum: values }]) => [name, values?.[0] ?? samples[type ?? 'string']]),
        );
        const cases = [
          all,
          {},
          { ...all, another: 1 },
          ...properties.map(([name]) => ({ ...all, [name]: { strange: [null] } })),
        ];
        const truth = ajv.compile(schema);
        for (const value of cases) {
          // Without formats and patterns in the samples the two cannot differ.
          const right = truth(value);
          if (right) valid += 1;
          else invalid += 1;
          if (!/"format":|"pattern":/.test(JSON.stringify(schema)))
            expect({ value, ok: zod.safeParse(value).success }).toEqual({ value, ok: right });
        }
      }
      expect(report).not.toHaveBeenCalled();
      expect(valid).toBeGreaterThan(300);
      expect(invalid).toBeGreaterThan(300);
    },
  );
});

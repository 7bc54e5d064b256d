import { describe, expect, it, vi } from 'vitest';
import { HelveError } from '../domain/errors.js';
import { type AdmissionOptions, admitSchema } from './admit-schema.js';

const refusalOf = (raw: unknown, options?: AdmissionOptions): HelveError => {
  try {
    admitSchema(raw, options);
  } catch (error) {
    if (error instanceof HelveError) return error;
    throw error;
  }
  throw new Error('was admitted');
};
const issuesOf = (raw: unknown, value: unknown, options?: AdmissionOptions) => {
  const verdict = admitSchema(raw, options).validate(value);
  return verdict.ok ? [] : verdict.issues;
};
const accepts = (raw: unknown, value: unknown, options?: AdmissionOptions): boolean =>
  admitSchema(raw, options).validate(value).ok;

describe('admission', () => {
  it('R-schema: keeps the same object, and never changes it or a value', () => {
    const raw = Object.freeze({ type: 'object', properties: Object.freeze({ a: Object.freeze({ default: 1 }) }) });
    const value = Object.freeze({ b: 1 });
    const admitted = admitSchema(raw, { defaults: true });
    expect(admitted.raw).toBe(raw);
    expect(admitted.validate(value)).toEqual({ ok: true, value: { a: 1, b: 1 } });
    expect(value).toEqual({ b: 1 });
  });

  it.each([
    ['type', '/properties/a/type', { properties: { a: { type: 'strin' } } }],
    ['required', '/required', { required: 'a' }],
    ['minimum', '/items/minimum', { items: { minimum: '5' } }],
    ['multipleOf', '/multipleOf', { multipleOf: 0 }],
    ['maxLength', '/maxLength', { maxLength: -1 }],
    ['pattern', '/pattern', { pattern: '(' }],
    ['pattern', '/anyOf/1/pattern', { anyOf: [{}, { pattern: '^(?=(a+)+$)(b|a)+(?!x)$' }] }],
    ['patternProperties', '/patternProperties/(', { patternProperties: { '(': {} } }],
    ['properties', '/properties', { properties: [] }],
    ['properties', '/properties/a~1b', { properties: { 'a/b': 1 } }],
    ['anyOf', '/anyOf', { anyOf: [] }],
    ['enum', '/enum', { enum: 'a' }],
    ['$ref', '/$defs/x/$ref', { $defs: { x: { $ref: 'http://example.com/none.json' } } }],
    ['$ref', '/$ref', { $ref: '#/$defs/none' }],
    ['$ref', '', { $ref: '#' }],
    ['$schema', '/$schema', { $schema: 'http://example.com/none' }],
    ['default', '/default', { default: Number.NaN }],
    [
      'properties',
      '/properties',
      {
        get properties() {
          return {};
        },
      },
    ],
  ])('R-schema: refuses a keyword that it cannot honour, naming %s at %s', (keyword, pointer, raw) => {
    const error = refusalOf(raw);
    expect(error.code).toBe('invalid_input');
    expect(error.message).toContain(keyword);
    expect(error.hint).toBeTruthy();
    expect(error.details).toEqual({ keyword, pointer });
  });

  it('R-schema: refuses a vocabulary that is required and unknown, and allows one that is not', () => {
    const metaschema = (required: boolean) => ({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $vocabulary: {
        'https://json-schema.org/draft/2020-12/vocab/validation': true,
        'https://example.com/mine': required,
      },
    });
    const raw = { $schema: 'https://example.com/meta', type: 'string' };
    const optionsFor = (required: boolean) => ({ remotes: { 'https://example.com/meta': metaschema(required) } });
    expect(refusalOf(raw, optionsFor(true)).message).toContain('https://example.com/mine');
    expect(accepts(raw, 1, optionsFor(false))).toBe(false);
  });

  it('R-schema: refuses an unknown draft', () => {
    expect(refusalOf({}, { draft: 'draft-99' }).hint).toContain('2020-12');
    expect(admitSchema({}, { draft: '7' }).draft).toBe('draft-07');
    expect(admitSchema({ $schema: 'http://json-schema.org/draft-07/schema#' }).draft).toBe('draft-07');
  });

  it('R-schema: finds other documents only among the remotes', () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const remotes = (uri: string) => (uri === 'https://example.com/a.json' ? { type: 'integer' } : undefined);
    expect(accepts({ $ref: 'https://example.com/a.json' }, 1, { remotes })).toBe(true);
    expect(
      accepts({ $ref: 'https://example.com/a.json' }, 'x', {
        remotes: new Map([['https://example.com/a.json', remotes]]),
      }),
    ).toBe(false);
    expect(refusalOf({ $ref: 'https://example.com/b.json' }, { remotes }).message).toContain('nothing is fetched');
    expect(fetched).not.toHaveBeenCalled();
  });
});

describe('the habits of tools', () => {
  it.each([
    [{ type: 'string', nullable: true }, null, 1],
    [{ anyOf: [{ type: 'string' }], nullable: true }, null, 1],
    [{ $ref: '#/definitions/a', nullable: true, definitions: { a: { type: 'string' } } }, null, 1],
    [{ type: 'string', nullable: true, enum: ['a'] }, 'a', null],
    [{ minimum: 1, exclusiveMinimum: true }, 2, 1],
    [{ items: [{ type: 'string' }], additionalItems: false }, ['a'], ['a', 'b']],
    [{ dependencies: { a: ['b'], c: { required: ['d'] } } }, { a: 1, b: 1 }, { c: 1 }],
    [{ properties: { a: { type: 'string', required: true } } }, { a: 'x' }, {}],
    [{ type: 'string', format: 'date' }, '2024-02-29', '2023-02-29'],
    [{ type: 'string', pattern: '^\\w+\\-\\@$' }, 'a-@', 'a'],
  ])('R-schema: %j allows %j and not %j', (raw, good, bad) => {
    for (let again = 0; again < 4; again += 1) {
      expect(accepts(raw, good)).toBe(true);
      expect(accepts(raw, bad)).toBe(false);
    }
  });

  it('R-schema: asserts a format unless a draft or the option says that it only annotates', () => {
    const raw = { format: 'email' };
    expect([accepts(raw, 'x'), accepts(raw, 'x', { draft: '2020-12' })]).toEqual([false, true]);
    expect([
      accepts(raw, 'x', { formats: 'annotate' }),
      accepts(raw, 'x', { draft: '2020-12', formats: 'assert' }),
    ]).toEqual([true, false]);
  });
});

describe('issues', () => {
  it('R-schema: tell a model where the problem is and what it is', () => {
    const raw = {
      type: 'object',
      properties: { mode: { enum: ['a', 'b'] }, 'x/y': { type: 'array', items: { type: 'integer', minimum: 1 } } },
      required: ['mode', 'name'],
      additionalProperties: false,
    };
    expect(issuesOf(raw, { mode: 'c', 'x/y': [1, 0, 'z'], colour: 1 })).toEqual([
      { path: '', message: 'must have required properties name', keyword: 'required' },
      { path: '/mode', message: 'must be one of "a", "b"', keyword: 'enum' },
      { path: '/x~1y/1', message: 'must be >= 1', keyword: 'minimum' },
      { path: '/x~1y/2', message: 'must be integer', keyword: 'type' },
      { path: '', message: 'unknown property "colour"', keyword: 'additionalProperties' },
    ]);
    expect(issuesOf(raw, { mode: 'a', name: 1 })).toEqual([
      { path: '', message: 'unknown property "name"', keyword: 'additionalProperties' },
    ]);
  });

  it('R-schema: name, of several alternatives, the problems of the intended one', () => {
    const kind = (name: string, member: object) => ({
      type: 'object',
      properties: { kind: { const: name }, ...member },
    });
    const raw = { oneOf: [kind('a', { n: { type: 'integer' } }), kind('b', { n: { type: 'string' } })] };
    expect(issuesOf(raw, { kind: 'b', n: 1 }).map(({ path, message }) => `${path} ${message}`)).toEqual([
      ' must match exactly one schema in oneOf',
      '/n must be string',
    ]);
  });

  it('R-schema: are at most ten', () => {
    expect(issuesOf({ items: { type: 'string' } }, Array(50).fill(1))).toHaveLength(10);
  });
});

describe('defaults', () => {
  it('R-schema: are filled in where the intended one is clear, through references, lists and allOf', () => {
    const raw = {
      $defs: { page: { properties: { size: { default: 10 } } }, folder: { type: 'string', default: 'inbox' } },
      allOf: [{ properties: { deep: { properties: { a: { default: [1] } } } } }],
      properties: {
        page: { $ref: '#/$defs/page' },
        folder: { $ref: '#/$defs/folder' },
        list: { items: { properties: { on: { default: true } } } },
      },
    };
    const given = { page: {}, list: [{}, { on: false }], deep: {} };
    const verdict = admitSchema(raw, { defaults: true }).validate(given);
    expect(verdict).toEqual({
      ok: true,
      value: { page: { size: 10 }, folder: 'inbox', list: [{ on: true }, { on: false }], deep: { a: [1] } },
    });
    expect(given).toEqual({ page: {}, list: [{}, { on: false }], deep: {} });
  });

  it('R-schema: are not chosen among alternatives, are validated, and may be called anything', () => {
    const alternatives = { anyOf: [{ properties: { a: { default: 1 } } }, { properties: { a: { default: 2 } } }] };
    expect(admitSchema(alternatives, { defaults: true }).validate({})).toEqual({ ok: true, value: {} });
    const wrong = { properties: { a: { type: 'string', default: 1 } } };
    expect(issuesOf(wrong, {}, { defaults: true })).toMatchObject([{ path: '/a' }]);
    const named = JSON.parse('{"properties":{"__proto__":{"default":{"x":1}}}}');
    const verdict = admitSchema(named, { defaults: true }).validate({});
    expect(JSON.stringify(verdict)).toBe('{"ok":true,"value":{"__proto__":{"x":1}}}');
    expect(({} as any).x).toBeUndefined();
  });
});

describe('without code', () => {
  it('R-schema: a process that forbids generated code gets the same verdicts', () => {
    vi.stubGlobal('Function', function forbidden() {
      throw new EvalError('forbidden');
    });
    try {
      const { validate } = admitSchema({ type: 'object', properties: { a: { type: 'string' } } });
      for (let again = 0; again < 5; again += 1) {
        expect([validate({ a: 'x' }).ok, validate({ a: 1 }).ok]).toEqual([true, false]);
      }
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('a keyword that is newer than the draft that the schema names', () => {
  const draft04 = 'http://json-schema.org/draft-04/schema#';
  const draft07 = 'http://json-schema.org/draft-07/schema#';

  it.each([
    [draft04, { const: 1 }, 'const', 'draft-06'],
    [draft04, { contains: {} }, 'contains', 'draft-06'],
    [draft04, { propertyNames: {} }, 'propertyNames', 'draft-06'],
    [draft04, { if: {}, else: {} }, 'if', 'draft-07'],
    [draft04, { dependentRequired: { a: ['b'] } }, 'dependentRequired', '2019-09'],
    [draft04, { prefixItems: [{}] }, 'prefixItems', '2020-12'],
    [draft07, { unevaluatedProperties: false }, 'unevaluatedProperties', '2019-09'],
    ['https://json-schema.org/draft/2019-09/schema', { prefixItems: [{}] }, 'prefixItems', '2020-12'],
  ])('R-schema: in a document of %s, %j is refused by name, not ignored', (draft, part, keyword, from) => {
    const raw = { $schema: draft, properties: { a: part } };
    const error = refusalOf(raw);
    expect(error.details).toEqual({ keyword, pointer: `/properties/a/${keyword}` });
    expect(error.message).toContain(from);
    expect(error.hint).toContain('$schema');
    // Without the draft, or with the one that introduced it, the keyword applies.
    expect(() => admitSchema({ properties: { a: part } })).not.toThrow();
  });

  it('R-schema: keywords of the draft are honoured, and a property with such a name is not a keyword', () => {
    const raw = { $schema: draft04, properties: { const: { enum: [1] }, if: {} }, required: ['const'] };
    expect([accepts(raw, { const: 1 }), accepts(raw, { const: 2 }), accepts(raw, {})]).toEqual([true, false, false]);
    const younger = { $schema: draft07, properties: { a: { const: 1 } } };
    expect([accepts(younger, { a: 1 }), accepts(younger, { a: 2 })]).toEqual([true, false]);
    expect(() => admitSchema({ $schema: draft04, enum: [{ const: 1 }] })).not.toThrow();
  });

  it('R-schema: a draft that the caller names decides', () => {
    expect(accepts({ const: 1 }, 2, { draft: 'draft-04' })).toBe(true);
  });
});

/** What is learned from answers: types that fit them, and nothing that is data. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printFunctions, satisfies } from '../../../schema/index.js';
import { isFieldName } from './field-name.js';
import { type LearnedShape, learnShape, mergeShapes, toSchema } from './learn-shape.js';

function learn(answers: readonly unknown[], before?: LearnedShape): LearnedShape {
  const [first, ...others] = answers;
  return others.reduce(learnShape, learnShape(before, first)) as LearnedShape;
}

function print(...answers: unknown[]): string {
  const output = toSchema(learn(answers));
  return (
    printFunctions([{ name: 'get', input: { type: 'object' }, output }])
      .split('Promise<')[1]
      ?.slice(0, -2) ?? ''
  );
}

const repository = (more: object) => ({ id: 1, owner: { login: 'ada', site_admin: false }, ...more });

describe('R-typedefs: what is learned', () => {
  test('R-typedefs: fields that every answer has are required, the others optional, and further ones unknown', () => {
    expect(print({ id: 1, title: 'a' }, { id: 2 }, { id: 3, title: 'b' })).toBe(
      '{\nid:number\ntitle?:string\n[k:string]:unknown\n}',
    );
    expect(print(repository({ tags: ['a'] }), repository({ tags: [] }))).toBe(
      '{\nid:number\nowner:{\nlogin:string\nsite_admin:boolean\n[k:string]:unknown\n}\ntags:string[]\n[k:string]:unknown\n}',
    );
  });

  test('R-typedefs: the items of a list count as objects of their own', () => {
    expect(print([{ id: 1 }, { id: 2, note: null }, { id: 3, note: 'x' }])).toBe(
      '{\nid:number\nnote?:string|null\n[k:string]:unknown\n}[]',
    );
    expect(print([])).toBe('unknown[]');
  });

  test('R-typedefs: the type counts the answers', () => {
    expect(toSchema(learn(['a']))).toEqual({ description: 'seen in 1 answer', type: 'string' });
    expect(toSchema(learn(['a', null]))).toEqual({ description: 'seen in 2 answers', type: ['null', 'string'] });
    expect(toSchema(learn(['a', ['b']]))).toMatchObject({
      anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }],
    });
  });

  test('R-typedefs: a name is told only after two objects had it', () => {
    const once = learn([{ id: 1, title: 'a' }]);
    expect(JSON.stringify(once)).not.toMatch(/id"|title/);
    expect(toSchema(once)).toMatchObject({ type: 'object', additionalProperties: true });
    const twice = toSchema(learn([{ id: 2 }], once));
    expect(twice).toMatchObject({ properties: { id: { type: 'number' } }, required: ['id'] });
    expect(twice).toMatchObject({ additionalProperties: true });
    expect(JSON.stringify(twice)).not.toContain('title');
  });
});

describe('R-typedefs: names that are data', () => {
  const names = {
    fields:
      'id createdAt created_at HTMLUrl html_url line_1 address2 sha256 iso3166 @id $ref _links __typename X-Request-Id aria-label isHTML constructor oauth2_token rgb',
    data: [
      'ada@example.com 2026-11-24 24.11.2026 Nov-2026 42 u1042 user12345 sk_live_abcdefgh ghp_abcdef helve_agent_x eyJhbGciOi',
      'AKIAIOSFODNN7EXAMPLE cus_NffrFeUfNV2Hib U024BE7LH deadbeef a94a8fe5ccb1 aBcXyZqWeR xkqzvbnm example.com /a/b',
      '3f2a8c1e-7b4d-4c1a-9e2f-0a1b2c3d4e5f a1b2c3d4-7b4d-4c1a-9e2f-0a1b2c3d4e5f +1 __proto__ größe ABCDEFGHIJKLMNOPQ',
    ].join(' '),
  };

  test('R-typedefs: a name is a field’s only if it looks like one', () => {
    expect(names.fields.split(' ').filter((name) => !isFieldName(name))).toEqual([]);
    expect(names.data.split(' ').filter(isFieldName)).toEqual([]);
    expect(['', 'Ada Lovelace', `a${'b'.repeat(40)}`, 'a\n', 'a"b'].filter(isFieldName)).toEqual([]);
  });

  test.each(names.data.split(' '))('R-typedefs: %s is never in a shape', (name) => {
    const answer = JSON.parse(`{"${name}": {"total": 1}}`);
    const mixed = JSON.parse(`{"total": 1, "next": null, "items": [], "${name}": {"count": 1}}`);
    for (const one of [answer, [answer, answer], mixed, [mixed, mixed], { inner: { deep: [mixed] } }])
      expect(JSON.stringify(learn([one, one, one]))).not.toContain(name);
    expect(print(answer, answer)).toBe('{\n[k:string]:{\ntotal:number\n[k:string]:unknown\n}\n}');
    expect(print(mixed, mixed)).toMatch(/^\{\nitems:unknown\[\]\nnext:null\ntotal:number\n\[k:string\]:.*count/s);
  });

  test('R-typedefs: objects that are alike, many values of one kind, and very many names make a map', () => {
    const person = { role: 'admin', team: 'a' };
    const alike = { ada: person, bob: { ...person, boss: 'ada' }, eve: person };
    expect(print(alike, alike)).toBe(
      '{\n[k:string]:{\nboss?:string\nrole:string\nteam:string\n[k:string]:unknown\n}\n}',
    );
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const rates = Object.fromEntries(letters.map((name) => [name, 1]));
    expect(print(rates, rates)).toBe('{[k:string]:number}');
    const many = Object.fromEntries(letters.flatMap((a) => [...'bcdfg'].map((b) => [a + b, a > 'm' ? 1 : 'x'])));
    expect(print(many, many)).toBe('{[k:string]:string|number}');
  });

  test('R-typedefs: an object whose names keep changing becomes a map, and the names are forgotten', () => {
    const twice = [{ ada: 1 }, { ada: 2 }];
    expect(print(...twice)).toBe('{\nada:number\n[k:string]:unknown\n}');
    const all = learn([...twice, { bob: 3 }, { eve: 4 }, { dan: 5 }]);
    expect(JSON.stringify(all)).not.toContain('ada');
    expect(toSchema(all)).toMatchObject({ type: 'object', additionalProperties: { type: 'number' } });
  });
});

const json = fc.jsonValue({ maxDepth: 6 });
const field = fc.constantFrom('id', 'title', 'owner', 'items', 'state', 'created_at', 'url', 'next');
/** Objects that have their `kind`, and some of a few fields. */
const { record } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.string(), fc.integer(), fc.constant(null), tie('list'), tie('record')),
  list: fc.array(tie('record'), { maxLength: 4 }),
  record: fc
    .tuple(fc.string(), fc.dictionary(field, tie('value'), { maxKeys: 2 }))
    .map(([kind, rest]) => ({ ...rest, kind })),
}));

describe('R-typedefs: for any answers', () => {
  test('R-typedefs: every answer satisfies the schema', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(json, record), { minLength: 1, maxLength: 8 }), (answers) => {
        const schema = toSchema(learn(answers));
        expect(answers.filter((answer) => !satisfies(schema, answer))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('R-typedefs: the order of answers does not matter', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 2, maxLength: 6 }), (answers) => {
        expect(learn(answers.toReversed())).toEqual(learn(answers));
      }),
      { numRuns: 200 },
    );
  });

  test('R-typedefs: merging is commutative, adds nothing to the same shape, and fits the answers of both', () => {
    const some = fc.array(fc.oneof(json, record), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(some, some, (one, other) => {
        const [a, b] = [learn(one), learn(other)];
        const both = mergeShapes(a, b, 7);
        expect(mergeShapes(b, a, 7)).toEqual(both);
        expect(mergeShapes(a, a, a.answers)).toEqual(a);
        expect(mergeShapes(both, a, 7)).toEqual(both);
        expect([...one, ...other].filter((answer) => !satisfies(toSchema(both), answer))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('R-typedefs: no string value is in a shape', () => {
    const secret = fc.string({ minLength: 4 }).map((text) => `§${text}`);
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.oneof(secret, field), secret), { minLength: 1, maxLength: 4 }),
        (answers) => {
          expect(JSON.stringify(learn([...answers, ...answers]))).not.toContain('§');
        },
      ),
    );
  });
});

describe('R-typedefs: hostile answers', () => {
  const size = (learned: LearnedShape): number => JSON.stringify(learned.shape).length;
  const alphabet = [...'abcdefghij'];
  const name = (at: number): string => `field${[...String(at)].map((digit) => alphabet[Number(digit)]).join('')}`;
  const wide = (count: number, value: (at: number) => unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), value(at)]));

  test('R-typedefs: what is deep, wide or long is learned within bounds', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level += 1) deep = level % 2 ? [deep] : { inner: deep };
    const bushy = (levels: number): unknown =>
      levels === 0 ? 'x' : wide(40, (at) => (at % 3 ? bushy(levels - 1) : at));
    const long = Array.from({ length: 200_000 }, (_, at) => ({ id: at, note: 'x'.repeat(at % 7) }));
    const hostile = [deep, bushy(3), long, wide(50_000, (at) => ({ at })), wide(120, () => wide(120, (at) => [at]))];
    const started = performance.now();
    for (const answer of hostile) {
      const learned = learn([answer, answer]);
      expect(size(learned)).toBeLessThanOrEqual(16_000);
      expect(JSON.stringify(toSchema(learned)).length).toBeLessThan(40_000);
    }
    expect(size(learn([...hostile, ...hostile]))).toBeLessThanOrEqual(16_000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('R-typedefs: a shape that would be too large loses its deepest levels, in any order of the answers', () => {
    const big = (from: number) => wide(100, (at) => ({ [name(from + at)]: { id: 1, mixed: [at, 'a'] } }));
    const answers = [0, 100, 200, 300].map(big).flatMap((one) => [one, one]);
    const learned = learn(answers);
    expect(learned.depth).toBeLessThan(8);
    expect(learn(answers.toReversed())).toEqual(learned);
    for (const answer of answers) expect(satisfies(toSchema(learned), answer)).toBe(true);
  });

  test('R-typedefs: names that an object inherits do no harm', () => {
    const answer = JSON.parse(
      '{"constructor": 1, "toString": "x", "__proto__": {"polluted": true}, "hasOwnProperty": null}',
    );
    const learned = learn([answer, answer]);
    expect(toSchema(JSON.parse(JSON.stringify(learned)))).toMatchObject({
      required: ['constructor', 'hasOwnProperty', 'toString'],
      additionalProperties: { type: 'object', properties: { polluted: { type: 'boolean' } } },
    });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

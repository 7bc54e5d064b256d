/** One table for both compilers: right programs pass, each planted error is refused, and both say the same. */
import { afterAll, describe, expect, test } from 'vitest';
import type { CodeIssue } from '../domain/code.js';
import { createChecker } from './index.js';
import { known, namespaces } from './testing/namespaces.js';
import { plant } from './testing/plant.js';
import { programs } from './testing/programs.js';

const engines = {
  native: createChecker({ engine: 'native', timeoutMs: 20_000 }),
  javascript: createChecker({ engine: 'javascript', timeoutMs: 20_000 }),
};
afterAll(() => Promise.all([engines.native.close(), engines.javascript.close()]));

async function checkBoth(code: string): Promise<readonly CodeIssue[]> {
  const native = await engines.native.check({ code, namespaces, known });
  const javascript = await engines.javascript.check({ code, namespaces, known });
  expect(javascript).toEqual(native);
  return native.issues;
}

test('there are at least sixty programs, and errors of each kind in most', () => {
  expect(programs.length).toBeGreaterThanOrEqual(60);
  for (const kind of ['name', 'missing', 'type', 'answer', 'await', 'enum'] as const)
    expect(programs.filter((code) => plant(code).some((one) => one.kind === kind)).length, kind).toBeGreaterThan(
      kind === 'enum' ? 30 : 45,
    );
});

describe('right programs pass', () => {
  test.each(programs.map((code) => [code]))('%s', async (code) => {
    expect(await checkBoth(code)).toEqual([]);
  });
});

describe('planted errors are refused', () => {
  test.each(programs.map((code) => [code]))('%s', async (code) => {
    for (const { kind, code: wrong, right } of plant(code)) {
      const issues = await checkBoth(wrong);
      expect(issues.length, `${kind}\n${wrong}`).toBeGreaterThan(0);
      const text = issues.map(({ message }) => message).join('\n');
      for (const { message, line, column } of issues) {
        expect(message).toMatch(/^[^\n]{5,300}$/);
        expect(wrong.split('\n')[line - 1]?.length).toBeGreaterThanOrEqual(column - 1);
      }
      if (kind === 'name') expect(text, wrong).toContain(`did you mean ${right}?`);
      if (kind === 'enum') expect(text, wrong).toContain(`did you mean ${right}?`);
      if (kind === 'missing' || kind === 'type') expect(text, wrong).toContain(right);
      if (/missing|type|enum/.test(kind) && !code.includes('account.')) expect(issues[0]?.tool, wrong).toBeDefined();
      if (kind === 'await') expect(text, wrong).toMatch(/await/);
      if (process.env.SHOW) console.log(kind, '|', issues.map((i) => `[${i.tool ?? ''}] ${i.message}`).join(' || '));
    }
  });
});

describe('R-typedefs: what the compiler’s libraries declare and the sandbox does not have', () => {
  test.each([
    ["return new Intl.NumberFormat('de').format(1);", 12, 'A program has no Intl'],
    ['return new WeakRef({}).deref() === undefined;', 12, 'A program has no WeakRef'],
    [
      "return new Date(0).toLocaleDateString('en-US', { timeZone: 'Asia/Tokyo' });",
      39,
      'toLocaleDateString does not support',
    ],
    ["return (1234.5)?.toLocaleString('de-DE');", 33, 'toLocaleString does not support'],
    ["return ['ä'].sort((a, b) => a.localeCompare(b, 'de'));", 48, 'localeCompare does not support'],
  ])('%s', async (code, column, message) => {
    expect(await checkBoth(code)).toEqual([{ line: 1, column, message: expect.stringContaining(message) }]);
  });

  test.each([
    'return [new Date(0).toLocaleString(), "a".localeCompare("b"), "I".toLocaleLowerCase()];',
    'const Intl = { NumberFormat: 1 }; return Intl.NumberFormat;',
    'return [Object.groupBy([1, 2], (n) => (n % 2 ? "odd" : "even")).odd?.length, Map.groupBy([1], String).size];',
    'const { promise, resolve } = Promise.withResolvers<string>(); resolve("a"); return (await promise).isWellFormed();',
    'const made: { Atomics: number } = { Atomics: 1 }; return made.Atomics;',
    'const seen = new Map([["a", 1]]); const count = () => seen; return [...count()].length + Number(2n);',
  ])('passes: %s', async (code) => {
    expect(await checkBoth(code)).toEqual([]);
  });
});

describe('R-typedefs: tools without parameters, and answers that may have more', () => {
  const declared = [
    {
      namespace: 'crm',
      tools: { count: 'crm_count', find: 'crm_find' },
      text: `declare namespace crm {
function count():Promise<number>;
function find(input:{id:string}):Promise<{title:string;state?:'open'|'closed';[k:string]:unknown}>;
function get(input:{id:string}):Promise<{title:string}>;
}`,
    },
  ];
  const check = async (code: string): Promise<readonly string[]> => {
    const program = { code, namespaces: declared, known: ['crm'] };
    const native = await engines.native.check(program);
    expect(await engines.javascript.check(program)).toEqual(native);
    return native.issues.map(({ message }) => message);
  };

  test('R-typedefs: a tool without parameters may be called with nothing or with {}, and with nothing else', async () => {
    for (const call of ['count()', 'count({})', '["count"]({})'])
      expect(await check(`return (await crm${call.startsWith('[') ? '' : '.'}${call}) + 1;`), call).toEqual([]);
    for (const call of ['count({ a: 1 })', 'count({}, {})', 'count(null)', 'count({ ...{ a: 1 } })'])
      expect(await check(`return await crm.${call};`), call).toHaveLength(1);
    expect(await check('const own = () => 1; return own({});')).toHaveLength(1);
    expect(await check('const n = await crm.count({}); return n.title;')).toHaveLength(1);
  });

  test('R-typedefs: a member that an open answer does not declare is unknown; in a closed one it does not exist', async () => {
    expect(await check('const { later } = await crm.find({ id: "a" }); return later;')).toEqual([]);
    expect(await check('const found = await crm.find({ id: "a" }); return [found.more, found.title.length];')).toEqual(
      [],
    );
    expect(await check('const found = await crm.find({ id: "a" }); return found.titel.length;')).toEqual([
      'found.titel is unknown; did you mean title?',
    ]);
    expect(await check('const found = await crm.find({ id: "a" }); return found.more.length;')).toEqual([
      expect.stringMatching(/^found.more is unknown: find out what it is/),
    ]);
    expect(await check('return (await crm.get({ id: "a" })).titel;')).toEqual([
      expect.stringContaining('did you mean title?'),
    ]);
  });
});

describe('R-typedefs: what models often write is refused with what to write instead', () => {
  const declared = [
    {
      namespace: 'team',
      tools: { invite: 'team_invite', raw: 'team_raw' },
      text: `declare namespace team {
function invite(input:{who:{type:"user";user:string}|{type:"group";group:number}}):Promise<{at:string}>;
function raw():Promise<unknown>;
}`,
    },
  ];
  test.each([
    ['```ts\nreturn 1;\n```', 1, 'A program is no Markdown: leave out the lines with ```'],
    ['try { await team.raw(); } catch (e) { return e.message; }', 46, 'write catch (e: any), or (e as Error).message'],
    ['const found = await team.raw(); return found.id;', 40, 'as in (found as { id: number })'],
    ['const counts = {}; counts.a = 1;', 27, 'give it a type, such as Record<string, number>'],
    ['const since = new Date(0); return Date.now() - since;', 48, 'since is a Date: write since.getTime()'],
    ['return (await team.raw() as { a: string }).a * 2;', 8, 'must be a number, not string'],
    [
      "await team.invite({ who: { type: 'user', group: 3 } });",
      42,
      'who has no member group in { type: "user"; user: string }',
    ],
    ['const seen = new Map([["a", 1]]); return seen;', 42, 'cannot return a Map: return Object.fromEntries(seen)'],
    ['const seen = new Set([1]); return { all: [seen] };', 43, 'cannot return a Set: return [...seen]'],
    ['const large = 2n; return { large };', 28, 'cannot return a bigint: return String(large)'],
    ['return BigInt(2) ** 99n;', 8, 'cannot return a bigint: return String(BigInt(2) ** 99n)'],
  ])('R-typedefs: %s', async (code, column, message) => {
    const program = { code, namespaces: declared, known: ['team'] };
    const native = await engines.native.check(program);
    expect(await engines.javascript.check(program)).toEqual(native);
    expect(native.issues).toEqual([expect.objectContaining({ line: 1, column })]);
    expect(native.issues[0]?.message).toContain(message);
  });

  test('R-typedefs: a bracket that is not closed is not told as one too many', async () => {
    const messages = async (code: string) => (await checkBoth(code)).map(({ message }) => message).join('\n');
    expect(await messages('return String({ a: 1 ;')).toMatch(/expected/);
    expect(await messages('return String({ a: 1 ;')).not.toContain('too many');
    expect(await messages('if (1) { return 2; } }')).toContain('one too many is closed');
  });
});

/** Programs through a whole plane, in both forms of isolation. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../domain/json.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

const patient = { timeout: 120_000 };

async function outputOf(helve: TestHelve, input: JsonObject): Promise<JsonObject> {
  const result = await helve.call('execute_code', input);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.output as JsonObject;
}

describe.each(['worker', 'process'])('code.isolation: %s', patient, (isolation) => {
  let helve: TestHelve;
  beforeAll(async () => {
    helve = await createTestHelve({ granted: ['execute_code'], config: `code: { isolation: ${isolation} }` });
  });
  afterAll(() => helve.close());

  test('R-code-tools: a TypeScript program works on its input, and its log and its result come back', async () => {
    const code = `interface Row { name: string; price: number }
const rows = input as Row[];
console.log('rows', rows.length);
const total: number = rows.reduce((sum, { price }) => sum + price, 0);
return { total, dearest: rows.toSorted((a, b) => b.price - a.price)[0]!.name };`;
    const input = [
      { name: 'tea', price: 2 },
      { name: 'cake', price: 5 },
    ];
    expect(await outputOf(helve, { code, input })).toEqual({
      result: { total: 7, dearest: 'cake' },
      logs: [{ level: 'log', text: 'rows 2' }],
    });
    const types = (await helve.audited()).slice(-2).map(({ type, body }) => `${type} ${body.status ?? ''}`.trim());
    expect(types).toEqual(['execution.started', 'execution.finished ok']);
  });

  test('R-code-tools: a program has no tools and nothing of the host', async () => {
    const code = `const tried = [];
try { await env.call('execute_code', { code: 'return 1' }) } catch (e) { tried.push(e.message) }
for (const name of ['process', 'require', 'fetch', 'WebAssembly']) tried.push(typeof globalThis[name]);
return [tried, Object.keys(env)]`;
    expect((await outputOf(helve, { code, language: 'javascript' })).result).toEqual([
      [expect.stringContaining('has no tools'), 'undefined', 'undefined', 'undefined', 'undefined'],
      [],
    ]);
  });
});

describe('programs', patient, () => {
  let helve: TestHelve;
  beforeAll(async () => {
    const toolConfig = { execute_code: { timeout_seconds: 1, cpu_seconds: 0.2, memory_mb: 16 } };
    helve = await createTestHelve({ granted: ['execute_code'], toolConfig });
  });
  afterAll(() => helve.close());

  test.each([
    ['statements', 'const a: number = await Promise.resolve(1); return a', 1],
    ['a module', 'const a: number = 2;\nexport default async (): Promise<number> => a;', 2],
    ['a function', 'async (): Promise<number> => 3', 3],
    ['no answer', 'const a = 1', null],
  ])('R-code-tools: %s', async (_name, code, result) => {
    expect(await outputOf(helve, { code })).toEqual({ result, logs: [] });
  });

  test('R-code-tools: JavaScript is not read as TypeScript', async () => {
    const code = 'const a = 4, b = 2, c = 3; return [a < b, a<b>(c)].map(String)';
    expect((await outputOf(helve, { code, language: 'javascript' })).result).toEqual(['false', 'false']);
    expect((await outputOf(helve, { code })).error).toMatchObject({ name: 'TypeError' });
  });

  test.each([
    ['a value without its types', 'const a: number = 1;\nlet b = a as any; return b.c.d', 'TypeError', 2, 26],
    ['the first line', 'const a: string = null as any; a.length', 'TypeError', 1, 33],
    ['the first line of a function', 'async (a?: string) => a!.length', 'TypeError', 1, 24],
    ['syntax', 'const a = 1;\nconst b: = 2', 'SyntaxError', 2, 10],
    ['syntax on the first line of a function', 'async (a: ) => 1', 'SyntaxError', 1, 11],
    ['an enum', '  enum A { B }', 'SyntaxError', 1, 3],
    ['a part of the host', '\nreturn process.env', 'ReferenceError', 2, 8],
  ])('R-code-tools: the place of an error: %s', async (_name, code, name, line, column) => {
    expect((await outputOf(helve, { code })).error).toMatchObject({ name, line, column });
  });

  test('R-code-tools: what the sandbox has instead of the host is told', async () => {
    const { error } = await outputOf(helve, { code: 'return await fetch("http://127.0.0.1")' });
    expect(error).toMatchObject({ hint: expect.stringContaining('The sandbox has no fetch') });
    const formatting = await outputOf(helve, { code: 'return new Intl.NumberFormat("de").format(1)' });
    expect(formatting.error).toMatchObject({ hint: expect.stringContaining('The sandbox has no Intl') });
  });

  test.each([
    ['time', 'await sleep(60_000)', { timeout_ms: 50 }, /wallMs/],
    ['time of the configuration', 'await sleep(60_000)', { timeout_ms: 60_000 }, /within 1000 ms .*wallMs/],
    ['computing', 'for (;;);', {}, /200 ms .*cpuMs/],
    ['memory', 'const all = []; for (;;) all.push("x".repeat(1e6).split(""))', {}, /16 MB|cpuMs/],
  ])('R-code-tools: a program is ended at its limit: %s', async (_name, code, more, message) => {
    const { error } = await outputOf(helve, { code, ...more });
    expect(error).toMatchObject({ name: 'LimitError', message: expect.stringMatching(message) });
  });

  test('R-code-tools: no program finds what another left', async () => {
    await outputOf(helve, {
      code: 'globalThis.left = 1; Object.prototype.left = 1; return left',
      language: 'javascript',
    });
    const { result } = await outputOf(helve, { code: 'return [typeof left, typeof {}.left]', language: 'javascript' });
    expect(result).toEqual(['undefined', 'undefined']);
  });

  test('R-code-tools: the tool is found under its older name, and needs a grant', async () => {
    expect(await helve.call('code.execute', { code: 'return 1' })).toMatchObject({ ok: true });
    const other = await createTestHelve({ granted: ['calculate'] });
    expect(await other.call('execute_code', { code: 'return 1' })).toMatchObject({ ok: false });
    await other.close();
  });
});

import { afterEach, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, testTool } from '../testing/index.js';
import { checkCode, declarationsFor } from './code.js';

let helve: TestHelve;
afterEach(() => helve.close());

test('R-typedefs: helve/code prints the declarations of the principal’s tools, of all or of the named toolkits', async () => {
  helve = await createTestHelve({
    nativeToolkits: [],
    tools: [testTool({ name: 'get_weather' }), testTool({ name: 'get_news' })],
  });
  const { agent: principal } = helve;
  const all = await declarationsFor(helve, { principal });
  expect(all.match(/^function \w+/gm)).toEqual(['function getNews', 'function getWeather']);
  expect(await declarationsFor(helve, { principal, toolkits: ['custom'] })).toBe(all);
  await expect(declarationsFor(helve, { principal, toolkits: ['github'] })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('R-typedefs: helve/code checks a program against the principal’s tools', async () => {
  helve = await createTestHelve({ nativeToolkits: [], tools: [testTool({ name: 'get_weather' })] });
  const { agent: principal } = helve;
  expect(await checkCode(helve, { principal, code: 'return await custom.getWeather()' })).toEqual({
    ok: true,
    issues: [],
  });
  const { ok, issues } = await checkCode(helve, { principal, code: 'return await custom.getNews()' });
  expect([ok, issues[0]?.line, issues[0]?.message]).toEqual([false, 1, expect.stringContaining('has no tool getNews')]);
});

import { afterEach, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, testTool } from '../testing/index.js';
import { declarationsFor } from './code.js';

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

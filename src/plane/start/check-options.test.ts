/** Programs without types: what `createHelve` and its functions are given is checked before anything happens. */
import { expect, test } from 'vitest';
import type { HelveError } from '../../domain/errors.js';
import { createHelve, type Helve } from '../../helve.js';
import { createTestHelve, testTool } from '../../testing/index.js';

test.each<[string, unknown, RegExp, RegExp]>([
  ['a mistyped option', { dataDirs: '/x' }, /^createHelve: There is no option "dataDirs"$/, /^Did you mean dataDir\?$/],
  [
    'an option that is like none',
    { folder: '/x' },
    /There is no option "folder"/,
    /^The options are dataDir, database, /,
  ],
  ['a tool in place of a list', { tools: testTool({ name: 'a' }) }, /tools is an object/, /^Give a list\.$/],
  ['a list in place of a text', { config: ['agents: []'] }, /config is a list/, /^Give a text\.$/],
  ['a number in place of an address', { publicUrl: 7 }, /publicUrl is a number/, /^Give a text or a function\.$/],
  // Links to approvals start with it: a call that waits for one would fail.
  [
    'a host in place of an address',
    { publicUrl: 'tools.example.com' },
    /publicUrl is no http: or https: address/,
    /https:/,
  ],
  ['no number', { resultMaxChars: Number.NaN }, /resultMaxChars is NaN/, /^Give a number or Infinity\.$/],
  ['a time without an end', { heartbeatMs: Number.POSITIVE_INFINITY }, /heartbeatMs is Infinity/, /^Give a number\.$/],
  ['nothing', null, /The options are null/, /^Give an object, or nothing\.$/],
  ['a text', '.helve', /The options are a text/, /^Give an object, or nothing\.$/],
  ['a toolkit that is a text', { toolkits: ['shop'] }, /toolkits\[0\] is no toolkit/, /defineToolkit/],
  [
    'a toolkit without a title',
    { toolkits: [{ slug: 'a', load: async () => [] }] },
    /toolkits\[0\] is no toolkit/,
    /title/,
  ],
  [
    'two tools of one name',
    { tools: [testTool({ name: 'a' }), testTool({ name: 'a' })] },
    /tool "a" of createHelve\({ tools }\): the tools 1 and 2 of the list have this name/,
    /Rename one/,
  ],
])('R-sdk: createHelve refuses %s, and says what to give', async (_what, options, message, hint) => {
  const error = await createHelve(options as never).then(
    (helve) => helve.close(),
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'invalid_config' });
  expect((error as HelveError).message).toMatch(message);
  expect((error as HelveError).hint).toMatch(hint);
});

test('R-sdk: options without a value are like absent ones', async () => {
  const helve = await createHelve({ dataDir: undefined, log: undefined } as never);
  await helve.close();
});

test('R-sdk: results may have any number of characters', async () => {
  const text = 'x'.repeat(60_000);
  const tools = [testTool({ name: 'tell', execute: async () => ({ text }) })];
  const helve = await createTestHelve({ tools, granted: ['tell'], resultMaxChars: Number.POSITIVE_INFINITY });
  const result = await helve.execute({ principal: helve.agent, tool: 'tell', input: {} });
  expect(result).toMatchObject({ ok: true, output: { text } });
  await helve.close();
});

test('R-sdk: a call without a caller or a tool is refused as such', async () => {
  const helve = await createTestHelve({ tools: [testTool({ name: 'greet' })] });
  const principal = { agent: 'tester' };
  const calls: [unknown, RegExp][] = [
    [undefined, /^principal: nobody is named who calls$/],
    [{ tool: 'greet' }, /^principal: nobody is named who calls$/],
    [{ principal: {}, tool: 'greet' }, /^principal: nobody is named who calls$/],
    [{ principal: { agent: 7 }, tool: 'greet' }, /^principal: nobody is named who calls$/],
    [{ principal }, /^tool: no tool is named$/],
    [{ principal, tool: null }, /^tool: no tool is named$/],
  ];
  for (const [call, message] of calls)
    await expect(helve.execute(call as Parameters<Helve['execute']>[0])).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/^(Give|Name) /),
    });
  for (const ask of [helve.tools, helve.toolDeclarations, helve.checkCode, helve.runCode] as (() => Promise<unknown>)[])
    await expect(ask()).rejects.toMatchObject({ message: 'principal: nobody is named who calls' });
  await helve.close();
});

test('attack: the name of a person who is not the admin does not call as the admin', async () => {
  const helve = await createTestHelve();
  expect(await helve.tools({ principal: { user: 'admin' } })).not.toEqual([]);
  await expect(helve.tools({ principal: { user: 'ada' } as never })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'principal: nobody is named who calls',
  });
  await helve.close();
});

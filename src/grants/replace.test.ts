/** Replacing an agent's grants: checked as a whole, written as a whole. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GrantInput } from '../domain/grant.js';
import { createTestHelve, type TestHelve, testTool } from '../testing/index.js';

let helve: TestHelve;
const tools = [testTool({ name: 'send' }), testTool({ name: 'read' })];

beforeEach(async () => {
  helve = await createTestHelve({ tools, granted: ['send'] });
});
afterEach(() => helve.close());

const put = (...grants: (Partial<GrantInput> & Pick<GrantInput, 'toolkit' | 'tools'>)[]) =>
  helve.plane.replaceGrants(
    helve.admin,
    'tester',
    grants.map((grant) => ({ limits: {}, config: {}, ...grant })),
  );
const stored = async () =>
  (await helve.plane.grantCatalogue(helve.admin, 'tester')).grants.map(({ toolkit, tools: names }) => [
    toolkit,
    [...names],
  ]);

describe('a refused set is refused as a whole', () => {
  const good = { toolkit: 'custom', tools: ['read'] };
  test.each([
    ['an unknown toolkit', [good, { toolkit: 'nope', tools: ['x'] }], /grants\/1: there is no toolkit "nope"/],
    ['an unknown tool', [good, { toolkit: 'math', tools: ['calculate', 'x'] }], /grants\/1: math has no tool "x"/],
    ['a limit on an unknown tool', [{ ...good, limits: { x: {} } }], /grants\/0: custom has no tool "x"/],
    ['a config for an unknown tool', [{ ...good, config: { x: {} } }], /grants\/0: custom has no tool "x"/],
    [
      'a config for a tool that takes none',
      [{ ...good, config: { read: { a: 1 } } }],
      /grants\/0\/config\/read: read takes no/,
    ],
    [
      'a config that does not fit',
      [{ toolkit: 'http', tools: ['fetch_url'], config: { fetch_url: { max_redirects: 'many' } } }],
      /grants\/0\/config\/fetch_url\/max_redirects/,
    ],
    ['a toolkit twice', [good, good], /grants\/1: custom occurs twice/],
    ['a grant of nothing', [{ toolkit: 'custom', tools: [] }], /grants\/0: names no tool/],
    [
      'a limit that is no schema',
      [{ ...good, limits: { read: { type: 'object', properties: { a: { pattern: '(' } } } } }],
      /schema|pattern|regular/i,
    ],
  ] as const)('R-grants: %s', async (_what, grants, message) => {
    const before = [await stored(), (await helve.audited()).length];
    await expect(put(...(grants as unknown as Parameters<typeof put>))).rejects.toThrow(message);
    expect([await stored(), (await helve.audited()).length]).toEqual(before);
    expect((await helve.call('send')).ok).toBe(true);
    expect((await helve.call('read')).ok).toBe(false);
  });
});

test('R-grants: a PUT replaces the whole set in one step, and is audited', async () => {
  await put({ toolkit: 'math', tools: ['calculate'] }, { toolkit: 'custom', tools: ['read'] });
  expect(await stored()).toEqual([
    ['math', ['calculate']],
    ['custom', ['read']],
  ]);
  expect([(await helve.call('send')).ok, (await helve.call('read')).ok]).toEqual([false, true]);
  expect(
    (await helve.audited()).find((row) => row.type === 'grants.replaced' && JSON.stringify(row.body).includes('read')),
  ).toMatchObject({
    body: {
      agent: 'tester',
      grants: [
        { toolkit: 'math', tools: ['calculate'] },
        { toolkit: 'custom', tools: ['read'] },
      ],
    },
  });
  await put();
  expect(await stored()).toEqual([]);
  expect(await helve.plane.tools(helve.agent)).toEqual([]);
});

test('R-grants: of many simultaneous PUTs exactly one set remains, never a mixture', async () => {
  const sets = [['send'], ['read'], ['send', 'read']];
  for (let round = 0; round < 5; round++) {
    await Promise.all(sets.map((names) => put({ toolkit: 'custom', tools: names })));
    const [[, names] = []] = await stored();
    expect(sets).toContainEqual(names);
  }
});

test('R-grants: argument limits are checked at the call, for the exact values that run', async () => {
  const limits = { send: { type: 'object', properties: { to: { enum: ['ada', 'bo'] } }, required: ['to'] } };
  await put({ toolkit: 'custom', tools: ['send', 'read'], limits });
  expect((await helve.call('send', { to: 'ada' })).ok).toBe(true);
  for (const input of [{ to: 'eve' }, {}, { to: ['ada'] }]) {
    const result = await helve.call('send', input);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'not_granted' },
      rule: expect.stringMatching(/^grant:.+\.limits$/),
    });
  }
  expect((await helve.call('read', { to: 'eve' })).ok).toBe(true);
  // It is listed anyway: some of its calls may be made.
  expect((await helve.plane.tools(helve.agent)).map(({ name }) => name)).toContain('send');
});

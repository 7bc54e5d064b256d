/** A change of grants while somebody else changes them: it is tried again on the present ones, a few times. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HelveError } from '../../../domain/errors.js';
import type { GrantInput } from '../../../domain/grant.js';
import type { Provider } from '../../../domain/provider.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';
import { testProviderTool } from '../../../testing/provider-tool.js';

const facts = { slug: 'far', title: 'Far', description: '', category: 'tests', provider: 'mcp' } as const;
const fetchTool = testProviderTool({ toolkit: 'far', name: 'fetch' }, { configSchema: { type: 'object' } });
/** What happens while a change is checked, and how often one was. */
let meanwhile: (checked: number) => Promise<unknown>;
let checked: number;
let isInside: boolean;
const provider: Provider = {
  kind: 'mcp',
  toolkits: async () => [{ ...facts, needsConnection: false, internal: false }],
  tools: async (toolkit) => (toolkit === 'far' ? [fetchTool] : []),
  async checkConfig() {
    if (isInside) return;
    isInside = true;
    checked += 1;
    await meanwhile(checked).finally(() => {
      isInside = false;
    });
  },
  execute: async () => ({ output: null }),
  close: async () => undefined,
};

let helve: TestHelve;
beforeEach(async () => {
  meanwhile = async () => undefined;
  isInside = false;
  const tools = ['look', 'move', 'burn'].map((name) => testTool({ name }));
  helve = await createTestHelve({ nativeToolkits: [], tools, providers: [provider], granted: [] });
  await put('look');
  checked = 0;
});
afterEach(() => helve.close());

const far: GrantInput = { toolkit: 'far', tools: ['fetch'], limits: {}, config: { fetch: {} } };
const put = (...tools: string[]) =>
  helve.plane.replaceGrants(helve.admin, 'tester', [{ toolkit: 'custom', tools, limits: {}, config: {} }, far]);
const addBurn = () => helve.plane.changeGrants(helve.admin, 'tester', { add: [{ tools: ['burn'] }] });
const granted = async () =>
  (await helve.plane.grantCatalogue(helve.admin, 'tester')).grants.map(({ toolkit, tools }) => [toolkit, tools]);

test('R-grants: what somebody else changed in between stays, and the change is made', async () => {
  meanwhile = async (time) => time === 1 && put('look', 'move');
  expect(await addBurn()).toMatchObject({ added: ['burn'] });
  expect(await granted()).toEqual([
    ['custom', ['look', 'move', 'burn']],
    ['far', ['fetch']],
  ]);
});

test('R-grants: if that happens five times the change is refused, and nothing of it is made', async () => {
  meanwhile = async (time) => time < 9 && put(time % 2 === 0 ? 'look' : 'move');
  await expect(addBurn()).rejects.toMatchObject({ code: 'precondition_failed' });
  expect([checked, (await granted())[0]]).toEqual([5, ['custom', ['move']]]);
});

test('R-grants: any other failure ends it immediately', async () => {
  for (const error of [new HelveError('invalid_config', 'no'), new Error('no')]) {
    checked = 0;
    meanwhile = () => Promise.reject(error);
    await expect(addBurn()).rejects.toBe(error);
    expect(checked).toBe(1);
  }
});

/** Several definitions that their makers changed: each is agreed to by itself, and nothing else is. */
import { afterEach, expect, test } from 'vitest';
import type { Provider } from '../../domain/provider.js';
import type { Tool } from '../../domain/tool.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { testProviderTool } from '../../testing/provider-tool.js';

let helve: TestHelve;
afterEach(() => helve.close());

const toolOf = (name: string, text: string): Tool =>
  testProviderTool(
    { toolkit: 'kit', name },
    { description: text, definition: { hash: `hash of ${text}`, text: JSON.stringify({ description: text }) } },
  );

test('R-mcp-client: of several changed definitions one is accepted, and those that did not change are not shown', async () => {
  let tools = ['one', 'two', 'same', 'gone'].map((name) => toolOf(name, 'as it was'));
  let announce = (): void => undefined;
  const provider: Provider = {
    kind: 'mcp',
    toolkits: async () => [
      {
        slug: 'kit',
        title: 'Kit',
        description: '',
        category: 'x',
        provider: 'mcp',
        needsConnection: false,
        internal: false,
      },
    ],
    tools: async () => tools,
    execute: async () => ({ output: 'ran' }),
    onChange(listener) {
      announce = listener;
      return () => undefined;
    },
    close: async () => undefined,
  };
  helve = await createTestHelve({ nativeToolkits: [], providers: [provider] });
  const { plane, admin } = helve;
  const call = (name: string) => helve.call(`kit__${name}`);
  for (const name of ['one', 'two', 'same', 'gone']) expect(await call(name)).toMatchObject({ ok: true });
  tools = [toolOf('one', 'first'), toolOf('two', 'second'), toolOf('same', 'as it was')];
  announce();
  expect((await plane.pendingDefinitions(admin)).map(({ tool }) => tool)).toEqual(['one', 'two']);
  for (const [toolkit, tool] of [
    ['other', 'one'],
    ['kit', 'same'],
  ] as const) {
    const accepted = plane.acceptDefinition(admin, toolkit, tool, 'hash of first');
    await expect(accepted).rejects.toMatchObject({ code: 'not_found' });
  }
  await plane.acceptDefinition(admin, 'kit', 'two', 'hash of second');
  expect(await call('two')).toMatchObject({ ok: true });
  expect(await call('one')).toMatchObject({ ok: false });
});

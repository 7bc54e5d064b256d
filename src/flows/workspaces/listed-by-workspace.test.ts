/** A server that lists tools only for accounts is asked with an account of the requesting workspace. */
import { afterEach, expect, test } from 'vitest';
import type { Provider } from '../../domain/provider.js';
import type { Tool } from '../../domain/tool.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { testProviderTool } from '../../testing/provider-tool.js';

let helve: TestHelve;
afterEach(() => helve.close());

const toolOf = (name: string): Tool => testProviderTool({ toolkit: 'notes', name });

test('leak: the tools that a server lists for one workspace are not shown to another', async () => {
  const asked: (string | undefined)[] = [];
  const schemes = [{ id: 'token', kind: 'api_key', title: 'Token', fields: [] }] as const;
  const server: Provider = {
    kind: 'mcp',
    toolkits: async () => [
      {
        slug: 'notes',
        title: 'Notes',
        description: '',
        category: 'x',
        provider: 'mcp',
        needsConnection: true,
        internal: false,
        auth: { schemes },
      },
    ],
    async tools(_toolkit, workspaceId) {
      asked.push(workspaceId);
      return workspaceId === undefined ? [] : [toolOf(`canary_of_${workspaceId}`)];
    },
    execute: async () => ({ output: 'ran' }),
    close: async () => undefined,
  };
  helve = await createTestHelve({ providers: [server] });
  const { workspaceId: elsewhere } = await helve.ensureWorkspace('elsewhere');
  const homes = [helve.workspaceId, elsewhere].map((workspaceId) => ({ ...helve.admin, workspaceId }));
  for (const home of homes) {
    const { id } = await helve.plane.addConnection(home, { toolkit: 'notes', name: 'Notes' });
    await helve.plane.connect(home, id, { credentials: {}, check: false });
  }
  for (const home of homes) {
    const text = JSON.stringify([
      await helve.plane.tools(home),
      await helve.plane.toolkitTools(home, 'notes'),
      await helve.plane.searchTools(home, { query: 'canary' }),
      (await helve.plane.grantCatalogue({ ...home, permissions: home.permissions }, await agentIn(home))).entries,
    ]);
    for (const { workspaceId } of homes)
      expect([workspaceId, text.includes(`canary_of_${workspaceId}`)]).toEqual([
        workspaceId,
        workspaceId === home.workspaceId,
      ]);
  }
  for (const { workspaceId } of homes) expect(asked).toContain(workspaceId);
});

async function agentIn(home: TestHelve['admin']): Promise<string> {
  return (await helve.plane.createAgent(home, { slug: `reader-${home.workspaceId.slice(0, 8)}` })).slug;
}

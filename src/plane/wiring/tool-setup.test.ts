/** The text that approvals and plans are bound to: it changes with where a tool acts, and has no secret in it. */
import { expect, test } from 'vitest';
import { parseConfig } from '../../config/config-file.js';
import type { ProviderKind } from '../../domain/provider-kind.js';
import { testProviderTool } from '../../testing/provider-tool.js';
import { createToolSetup } from './tool-setup.js';

const registry = { findToolkit: async () => undefined };
const setupOf = (config: object, provider: ProviderKind, toolkit = 'shop') => {
  const findSetup = createToolSetup({ config: parseConfig(JSON.stringify(config), 'helve.yaml'), registry });
  return findSetup({ ...testProviderTool({ toolkit, name: 'save' }, {}), provider }, undefined);
};

const server = (more: object) => ({ mcp_servers: { shop: { command: 'shop-server', ...more } } });

test.each<[string, object, object]>([
  ['command', server({}), server({ command: 'other-server' })],
  ['folder', server({ cwd: '/staging' }), server({ cwd: '/live' })],
  ['argument', server({ args: ['--env', 'staging'] }), server({ args: ['--env', 'live'] })],
  [
    'address in an argument',
    server({ args: ['postgres://u:p@a.test/x'] }),
    server({ args: ['postgres://u:p@b.test/x'] }),
  ],
  [
    'address after the name of a secret',
    server({ args: ['--database-url=postgres://u:p@a.test/x'] }),
    server({ args: ['--database-url=postgres://u:p@b.test/x'] }),
  ],
  ['variable', server({ env: { PGHOST: 'a.test' } }), server({ env: { PGHOST: 'b.test' } })],
  [
    'URL',
    { mcp_servers: { shop: { url: 'https://a.test/mcp' } } },
    { mcp_servers: { shop: { url: 'https://b.test/mcp' } } },
  ],
])('R-approval: the setup of an MCP server has its %s', async (_what, one, other) => {
  expect(await setupOf(one, 'mcp')).not.toBe(await setupOf(other, 'mcp'));
});

test.each<[string, object, object]>([
  ['variable with a password', server({ env: { PGPASSWORD: 'hunter2' } }), server({ env: { PGPASSWORD: 'hunter3' } })],
  ['password in an argument', server({ args: ['--password', 'hunter2'] }), server({ args: ['--password', 'hunter3'] })],
  ['password in an address', server({ args: ['db://u:hunter2@a.test'] }), server({ args: ['db://u:hunter3@a.test'] })],
  [
    'password in an address after the name of a secret',
    server({ env: { DATABASE_URL: 'db://u:hunter2@a.test' } }),
    server({ env: { DATABASE_URL: 'db://u:hunter3@a.test' } }),
  ],
  ['title', server({ title: 'Shop' }), server({ title: 'The shop' })],
])('R-approval: the setup of an MCP server does not have its %s', async (_what, one, other) => {
  const setup = await setupOf(one, 'mcp');
  expect(setup).not.toContain('hunter2');
  expect(setup).toBe(await setupOf(other, 'mcp'));
});

test('R-approval: the setup of a tool has the settings of its own provider', async () => {
  const config = {
    ...server({}),
    composio: { base_url: 'https://composio.test' },
    toolkits: { shop: { base_url: 'x' } },
  };
  expect(await setupOf(config, 'native')).toContain('"base_url":"x"');
  expect(await setupOf(config, 'mcp')).toContain('shop-server');
  expect(await setupOf(config, 'composio')).toContain('https://composio.test');
  expect(await setupOf(config, 'openapi')).toBe(undefined);
  expect(await setupOf(config, 'native', 'constructor')).toBe(undefined);
});

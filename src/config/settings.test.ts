/** The effective settings: every key is there, each says where it is from, and no secret is among the values. */
import { describe, expect, test } from 'vitest';
import type { Setting } from '../domain/settings.js';
import { listEnvironment, readConfigText } from './index.js';

const canary = 'canary-0b9c5f';

async function list(text: string, variables: Record<string, string> = {}): Promise<readonly Setting[]> {
  return (await readConfigText(text, '/etc/helve.yaml', variables)).settings();
}
const find = (settings: readonly Setting[], key: string) => settings.find((one) => one.key === key);

describe('helve.yaml', () => {
  test('R-panel: without a file every key is there with its default', async () => {
    const settings = await list('');
    expect(settings.every(({ source }) => source.kind === 'default')).toBe(true);
    expect(find(settings, 'limits.per_ip')).toEqual({
      key: 'limits.per_ip',
      isSet: true,
      value: 60,
      source: { kind: 'default' },
    });
    for (const [key, value] of [
      ['approvals.lifetime_minutes', 60],
      ['sessions.idle_minutes', 120],
      ['sessions.absolute_hours', 12],
      ['egress.blocked_domains', []],
      ['discovery.direct_tools', 60],
      ['composio.user_id_prefix', 'helve-'],
      ['composio.sync_every_hours', 24],
    ] as const)
      expect([key, find(settings, key)?.value]).toEqual([key, value]);
    expect(find(settings, 'models.language.base_url')).toEqual({
      key: 'models.language.base_url',
      isSet: false,
      source: { kind: 'default' },
    });
    expect(find(settings, 'listeners')).toBeUndefined();
  });

  test('R-panel: what the file sets has its file and line; the rest stays a default', async () => {
    const text = ['limits:', '  per_ip: null', '  per_tool: 7', 'agents:', '  - name: scout', '    tools: [a, b]'].join(
      '\n',
    );
    const settings = await list(text);
    const from = (line: number) => ({ kind: 'file', file: '/etc/helve.yaml', line });
    expect(find(settings, 'limits.per_ip')).toMatchObject({ value: null, isSet: true, source: from(2) });
    expect(find(settings, 'limits.per_tool')).toMatchObject({ value: 7, source: from(3) });
    expect(find(settings, 'limits.per_principal')).toMatchObject({ value: 600, source: { kind: 'default' } });
    expect(find(settings, 'agents.0.tools')).toMatchObject({ value: ['a', 'b'], source: from(6) });
  });

  test('leak: no secret is among the values, wherever the file can have one; what is no secret is', async () => {
    const text = `
models:
  language: { base_url: 'https://user:${canary}@models.example/v1?key=${canary}', model: big, api_key: ${canary} }
oauth:
  google:
    client_id: public-id
    client_secret: ${canary}
    token_parameters: { assertion: ${canary} }
    authorization_parameters: { hint: ${canary} }
openapi:
  shop: { document: 'https://shop.example/openapi.json?token=${canary}', variables: { tenant: ${canary} } }
mcp_servers:
  local: { command: node, args: ['--key', ${canary}], env: { KEY: ${canary} } }
  far: { url: 'https://mcp.example/${canary}', auth: { header: X-Key, value: ${canary} } }
composio: { api_key: ${canary}, webhook_secret: ${canary} }
sign_in:
  oidc: [{ name: corp, issuer: 'https://id.example', client_id: helve, client_secret: ${canary} }]
toolkits:
  database: { url: 'postgres://${canary}', list: [${canary}], limit: 5 }
`;
    const settings = await list(text);
    expect(JSON.stringify(settings)).not.toContain(canary);
    const hidden = settings.filter(({ secret, isSet }) => secret && isSet).map(({ key }) => key);
    expect(hidden).toEqual([
      'sign_in.oidc.0.client_secret',
      'toolkits.database.url',
      'toolkits.database.list',
      'oauth.google.client_secret',
      'oauth.google.authorization_parameters.hint',
      'oauth.google.token_parameters.assertion',
      'openapi.shop.variables.tenant',
      'mcp_servers.local.args',
      'mcp_servers.local.env.KEY',
      'mcp_servers.far.url',
      'mcp_servers.far.auth.value',
      'composio.api_key',
      'composio.webhook_secret',
      'models.language.api_key',
    ]);
    // The control: other values of the same sections are there.
    for (const [key, value] of [
      ['oauth.google.client_id', 'public-id'],
      ['mcp_servers.local.command', 'node'],
      ['models.language.base_url', 'https://models.example/v1'],
      ['openapi.shop.document', 'https://shop.example/openapi.json'],
      ['toolkits.database.limit', 5],
      ['sign_in.oidc.0.issuer', 'https://id.example'],
    ] as const)
      expect([key, find(settings, key)?.value]).toEqual([key, value]);
  });

  test('leak: a value that comes from a variable is not shown, whatever its key; the variable is named', async () => {
    const text = `models:\n  language:\n    base_url: https://models.example\n    model: \${MODEL}\n`;
    const settings = await list(text, { MODEL: canary });
    expect(JSON.stringify(settings)).not.toContain(canary);
    expect(find(settings, 'models.language.model')).toEqual({
      key: 'models.language.model',
      isSet: true,
      secret: true,
      source: { kind: 'file', file: '/etc/helve.yaml', line: 4, variables: ['MODEL'] },
    });
  });

  test('R-panel: a variable that stands in for a missing key is its source', async () => {
    const variables = { COMPOSIO_API_KEY: canary, COMPOSIO_BASE_URL: 'https://composio.example' };
    const settings = await list('limits: {}', variables);
    expect(find(settings, 'composio.base_url')).toMatchObject({
      value: 'https://composio.example',
      source: { kind: 'environment', variable: 'COMPOSIO_BASE_URL' },
    });
    expect(find(settings, 'composio.api_key')).toMatchObject({ isSet: true, secret: true });
    expect(JSON.stringify(settings)).not.toContain(canary);
  });
});

test('R-panel: the settings of the process say whether a default, a variable or an option counts', () => {
  const variables = {
    HELVE_PORT: '5000',
    HELVE_DATABASE_URL: `postgres://helve:${canary}@db/helve`,
    HELVE_VAULT_KEYS: canary,
  };
  const settings = listEnvironment({ host: { value: '0.0.0.0', option: '--host' } }, variables);
  expect(JSON.stringify(settings)).not.toContain(canary);
  expect(find(settings, 'HELVE_PORT')).toEqual({
    key: 'HELVE_PORT',
    isSet: true,
    value: 5_000,
    source: { kind: 'environment', variable: 'HELVE_PORT' },
  });
  expect(find(settings, 'HELVE_HOST')).toMatchObject({
    value: '0.0.0.0',
    source: { kind: 'option', option: '--host' },
  });
  expect(find(settings, 'HELVE_DATABASE_URL')).toMatchObject({ isSet: true, secret: true });
  expect(find(settings, 'TOOL_RESULT_MAX_CHARS')).toMatchObject({ value: 10_000, source: { kind: 'default' } });
  expect(find(settings, 'HELVE_PUBLIC_URL')).toEqual({
    key: 'HELVE_PUBLIC_URL',
    isSet: false,
    source: { kind: 'default' },
  });
});

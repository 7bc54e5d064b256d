/** `helve.yaml`: every mistake is reported with file, line and key, and a file with a mistake is not used at all. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createHelve, type Helve } from '../helve.js';
import { createTestHelve } from '../testing/index.js';
import { parseConfig } from './config-file.js';
import { readConfigFile } from './index.js';

const good = 'agents:\n  - name: scout\n    tools: [fetch_url, calculate]\n';

describe('mistakes in the file itself', () => {
  test.each([
    ['what is not YAML', 'agents:\n  - name: [scout\n', /^f\.yaml:\d+: /],
    ['a doubled key', `${good}agents: []\n`, /^f\.yaml:4: .*unique/],
    ['an unknown key', 'agentz: []\n', /^f\.yaml:1: agentz: no such key; did you mean agents\?$/],
    [
      'an unknown key of an agent',
      `${good}    tols: []\n`,
      /^f\.yaml:4: agents\.0\.tols: no such key; did you mean tools\?$/,
    ],
    ['a name that is missing', 'agents:\n  - tools: []\n', /^f\.yaml:2: agents\.0\.name: /],
    ['an invalid name', 'agents:\n  - name: Big Scout\n', /^f\.yaml:2: agents\.0\.name: use lower-case/],
    ['an object in place of a list', 'agents:\n  name: scout\n', /^f\.yaml:\d: agents: /],
    ['tools that are no list', 'agents:\n  - name: scout\n    tools: calculate\n', /^f\.yaml:3: agents\.0\.tools: /],
    [
      'a tool that is no text',
      'agents:\n  - name: scout\n    tools:\n      - 7\n',
      /^f\.yaml:4: agents\.0\.tools\.0: /,
    ],
    ['a tool_config that is no map', `${good}    tool_config: yes\n`, /^f\.yaml:4: agents\.0\.tool_config: /],
    ['a limit that is no number', 'limits:\n  per_ip: many\n', /^f\.yaml:2: limits\.per_ip: /],
    ['an engine that there is not', 'tasks: { engine: magic }\n', /^f\.yaml:1: tasks\.engine: /],
    [
      'a Restate without a scheme',
      'tasks:\n  restate: { url: "restate:8080" }\n',
      /^f\.yaml:2: tasks\.restate\.url\.0: /,
    ],
    [
      'no node of Restate',
      'tasks:\n  restate: { url: [] }\n',
      /^f\.yaml:2: tasks\.restate\.url: must name a node of Restate$/,
    ],
    ['a Restate of another kind', 'tasks:\n  restate: builtin\n', /^f\.yaml:2: tasks\.restate: /],
    ['an isolation that there is not', 'code:\n  isolation: none\n', /^f\.yaml:2: code\.isolation: /],
    ['a switch that is no switch', 'code:\n  learn_types: maybe\n', /^f\.yaml:2: code\.learn_types: /],
    [
      'a model for finding tools without an address',
      'discovery: { embeddings: { model: m } }\n',
      /^f\.yaml:1: discovery\.embeddings/,
    ],
    ['a threshold below nothing', 'discovery: { direct_tools: -1 }\n', /^f\.yaml:1: discovery\.direct_tools: /],
    ['an unknown tool mode', 'agents:\n  - name: a\n    tool_mode: some\n', /^f\.yaml:3: agents\.0\.tool_mode: /],
    ['a limit below one', 'limits: { per_tool: 0 }\n', /^f\.yaml:1: limits\.per_tool: /],
    [
      'a misspelt limit',
      'limits:\n  per_tol: 3\n',
      /^f\.yaml:2: limits\.per_tol: no such key; did you mean per_tool\?$/,
    ],
    ['a key that is like none', 'limits:\n  speed: 3\n', /^f\.yaml:2: limits\.speed: no such key$/],
    [
      'a misspelt key of Restate',
      'tasks:\n  restate: { listen: { ports: 1 } }\n',
      /^f\.yaml:2: tasks\.restate\.listen\.ports: no such key; did you mean port\?$/,
    ],
    [
      'a misspelt key of a document',
      'openapi:\n  shop: { documnet: x }\n',
      /^f\.yaml:2: openapi\.shop\.documnet: no such key; did you mean document\?$/,
    ],
    [
      'an approval switch that is no boolean',
      'approvals:\n  elicitation: maybe\n',
      /^f\.yaml:2: approvals\.elicitation: /,
    ],
    ['an invalid egress list', 'egress:\n  blocked_domains: evil.example\n', /^f\.yaml:2: egress\.blocked_domains: /],
    [
      'two agents with one name',
      `${good}  - name: writer\n  - name: scout\n`,
      /^f\.yaml:5: agents\.2\.name: there is already an agent scout, at f\.yaml:2: agents\.0\.name$/,
    ],
    [
      'a provider without an address',
      'sign_in:\n  oidc:\n    - name: acme\n      client_id: c\n',
      /^f\.yaml:3: sign_in\.oidc\.0\.issuer: /,
    ],
    [
      'a provider whose tokens would go over the network in clear',
      'sign_in: { oidc: [{ name: acme, client_id: c, issuer: "http://id.example" }] }\n',
      /^f\.yaml:1: sign_in\.oidc\.0\.issuer: is an https: address/,
    ],
    [
      'people who are let in as nothing',
      'sign_in: { oidc: [{ name: acme, client_id: c, issuer: "https://id.example", create_users: true }] }\n',
      /^f\.yaml:1: sign_in\.oidc\.0\.create_users: needs roles/,
    ],
    [
      'roles of nobody',
      'sign_in: { oidc: [{ name: acme, client_id: c, issuer: "https://id.example", roles: {} }] }\n',
      /^f\.yaml:1: sign_in\.oidc\.0\.roles: must give at least one group a role/,
    ],
    [
      'two providers with one name',
      `sign_in: { oidc: [${Array(2).fill('{ name: acme, client_id: c, issuer: "https://id.example" }').join()}] }\n`,
      /^f\.yaml:1: sign_in\.oidc: two providers have the same name/,
    ],
    ['both words for agents', 'agents: []\nlisteners: []\n', /^f\.yaml:2: listeners: use agents or listeners/],
  ])('R-tool-config: %s', (_what, text, message) => {
    expect(() => parseConfig(text, 'f.yaml')).toThrow(
      expect.objectContaining({ code: 'invalid_config', message: expect.stringMatching(message) }),
    );
  });

  test('R-tool-config: an empty or missing file declares nothing; listeners means agents', async () => {
    expect(parseConfig('', 'f').agents).toEqual([]);
    expect(parseConfig('# nothing\n', 'f').agents).toEqual([]);
    expect((await readConfigFile('/nowhere/helve.yaml')).agents).toEqual([]);
    const [agent] = parseConfig(good.replace('agents', 'listeners'), 'f.yaml').agents;
    expect(agent).toMatchObject({ name: 'scout', tools: ['fetch_url', 'calculate'] });
    expect(agent?.at(['tools', 1])).toBe('f.yaml:3: listeners.0.tools.1');
  });

  test('R-tool-config: a variable stands for a secret wherever the file holds one, and nowhere else', () => {
    const [id, secret] = ['ID', 'SECRET'].map((name) => `\${${name}}`);
    const text = [
      `oauth: { google: { client_id: "${id}", client_secret: "${secret}" } }`,
      `composio: { api_key: "${secret}" }`,
      `mcp_servers: { notes: { command: notes, env: { KEY: "${secret}" } } }`,
      `agents: [{ name: scout, title: "${secret}" }]`,
    ].join('\n');
    const { oauth, composio, mcpServers, agents } = parseConfig(text, 'f.yaml', { ID: 'i', SECRET: 's' });
    expect(oauth.google).toMatchObject({ client_id: 'i', client_secret: 's' });
    expect(composio.api_key).toBe('s');
    expect(mcpServers.notes).toMatchObject({ env: { KEY: 's' } });
    expect(agents[0]?.title).toBe(secret);
    expect(() => parseConfig(text, 'f.yaml', { ID: 'i' })).toThrow(
      'f.yaml:1: oauth.google.client_secret: the environment variable SECRET is not set',
    );
  });

  test('R-tool-config: aliases do not expand without limit', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
      .split('')
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[index]}`).join(',')}]`)
      .join('\n')}\n`;
    expect(() => parseConfig(bomb, 'f.yaml')).toThrow(expect.objectContaining({ code: 'invalid_config' }));
  });
});

describe('declarations', () => {
  const opened: Helve[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((helve) => helve.close()));
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  });

  async function folder(text: string): Promise<string> {
    const made = await mkdtemp(join(tmpdir(), 'helve-config-'));
    folders.push(made);
    await writeFile(join(made, 'helve.yaml'), text);
    return made;
  }

  async function start(dataDir: string): Promise<{ helve: Helve; workspaceId: string }> {
    const helve = await createHelve({ dataDir });
    opened.push(helve);
    return { helve, workspaceId: (await helve.setUp()).workspaceId };
  }

  test.each([
    [
      'a tool that is not there',
      '    tools: [calculatr]\n',
      /:3: agents\.0\.tools\.0: there is no tool "calculatr"; did you mean calculate\?/,
    ],
    [
      'a tool_config for a tool that is not there',
      '    tools: []\n    tool_config:\n      nope: {}\n',
      /:5: agents\.0\.tool_config\.nope: there is no tool/,
    ],
    [
      'a tool_config for a tool that the agent has not',
      '    tools: [calculate]\n    tool_config:\n      fetch_url: {}\n',
      /:5: agents\.0\.tool_config\.fetch_url: .*not among/,
    ],
    [
      'a tool_config for a tool that takes none',
      '    tools: [calculate]\n    tool_config:\n      calculate: { digits: 3 }\n',
      /:5: agents\.0\.tool_config\.calculate: .*takes no tool_config/,
    ],
    [
      'a misspelt key of a tool_config',
      '    tools: [fetch_url]\n    tool_config:\n      fetch_url:\n        allowed_domain: [a.example]\n',
      /:6: agents\.0\.tool_config\.fetch_url\.allowed_domain: no such key/,
    ],
    [
      'a wrong value of a tool_config',
      '    tools: [fetch_url]\n    tool_config:\n      fetch_url:\n        max_redirects: many\n',
      /:6: agents\.0\.tool_config\.fetch_url\.max_redirects: /,
    ],
    [
      'a wrong item in a tool_config',
      '    tools: [fetch_url]\n    tool_config:\n      fetch_url:\n        allowed_domains:\n          - 7\n',
      /:7: agents\.0\.tool_config\.fetch_url\.allowed_domains\.0: /,
    ],
  ])('R-tool-config: %s stops the start, and nothing was changed', async (_what, rest, message) => {
    const dataDir = await folder(`agents:\n  - name: scout\n${rest}`);
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(message),
    });
    await opened.pop()?.close();
    await writeFile(join(dataDir, 'helve.yaml'), '');
    const { helve } = await start(dataDir);
    expect((await helve.plane.agents(await admin(helve))).map(({ slug }) => slug)).toEqual(['first']);
  });

  const admin = async (helve: Helve) => {
    const { workspaceId } = await helve.ensureWorkspace('default');
    return (await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
  };

  test('R-tool-config: is granted and configured, and a second start changes nothing', async () => {
    const dataDir = await folder(
      `${good}    tool_config:\n      fetch_url:\n        allowed_domains: [api.example.com]\n`,
    );
    const first = await start(dataDir);
    const grants = async (helve: Helve) => (await helve.plane.grantCatalogue(await admin(helve), 'scout')).grants;
    const before = await grants(first.helve);
    expect(before.map(({ toolkit, tools, config }) => [toolkit, tools, config])).toEqual([
      ['http', ['fetch_url'], { fetch_url: { allowed_domains: ['api.example.com'] } }],
      ['math', ['calculate'], {}],
    ]);
    const call = await first.helve.execute({
      principal: { agent: 'scout' },
      tool: 'fetch_url',
      input: { url: 'https://other.example.org/' },
    });
    expect(call).toMatchObject({
      ok: false,
      error: { code: 'egress_blocked', message: expect.stringContaining('not on the list') },
    });
    const changes = async (helve: Helve) =>
      (
        await helve.plane.audit(await admin(helve), {
          types: ['agent.created', 'grants.replaced', 'workspace.created'],
          limit: 500,
        })
      ).length;
    const rows = await changes(first.helve);
    await opened.pop()?.close();

    const second = await start(dataDir);
    expect(await grants(second.helve)).toEqual(before);
    expect(await changes(second.helve)).toBe(rows);
    await opened.pop()?.close();

    // A new declaration applies from the next start, and grants that the file no longer lists are removed.
    await writeFile(join(dataDir, 'helve.yaml'), 'agents:\n  - name: scout\n    tools: [calculate]\n');
    const third = await start(dataDir);
    expect((await grants(third.helve)).map(({ toolkit }) => toolkit)).toEqual(['math']);
  });

  test('R-tool-config: an agent of the file cannot be changed or removed through the API, and a name can be taken once', async () => {
    const dataDir = await folder(good);
    const { helve } = await start(dataDir);
    const by = await admin(helve);
    const conflict = { code: 'conflict', message: expect.stringContaining('helve.yaml') };
    await expect(helve.plane.replaceGrants(by, 'scout', [])).rejects.toMatchObject(conflict);
    await expect(helve.plane.removeAgent(by, 'scout')).rejects.toMatchObject(conflict);
    await expect(helve.plane.createAgent(by, { slug: 'scout' })).rejects.toMatchObject({ code: 'conflict' });
    // Issuing a token does not change what the file declares.
    const { secret } = await helve.plane.issueAgentToken(by, 'scout', {});
    expect(await helve.execute({ principal: secret, tool: 'calculate', input: { expression: '1' } })).toMatchObject({
      ok: true,
    });

    await helve.plane.createAgent(by, { slug: 'mine' });
    await opened.pop()?.close();
    await writeFile(join(dataDir, 'helve.yaml'), 'agents:\n  - name: mine\n');
    await expect(start(dataDir)).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(/:2: agents\.0\.name: .*created through the API/),
    });
  });

  test('R-limits: limits in the file apply', async () => {
    const helve = await createHelve({ config: 'limits: { per_tool: 2, per_ip: null }\n' });
    opened.push(helve);
    await helve.setUp();
    const call = () => helve.execute({ principal: { agent: 'first' }, tool: 'calculate', input: { expression: '1' } });
    expect([(await call()).ok, (await call()).ok]).toEqual([true, true]);
    expect(await call()).toMatchObject({
      ok: false,
      rule: 'limit.rate',
      error: { code: 'rate_limited', details: { retryAfterSeconds: expect.any(Number) } },
    });
    for (let turn = 0; turn < 200; turn++) await helve.plane.admitRequest('1.2.3.4');
  });

  test('R-tool-config: blocked domains of the file are blocked for every tool_config', async () => {
    const config = 'egress: { blocked_domains: ["*.evil.example"] }\n';
    const helve = await createTestHelve({ config, toolConfig: { fetch_url: { allowed_domains: ['a.evil.example'] } } });
    opened.push(helve);
    expect(await helve.call('fetch_url', { url: 'https://a.evil.example/' })).toMatchObject({
      error: { code: 'egress_blocked', message: expect.stringContaining('blocked hosts') },
    });
  });
});

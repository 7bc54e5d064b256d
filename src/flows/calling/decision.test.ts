/** One decision: listing, finding, describing and checking give the same result as a call. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Policy } from '../../domain/grant.js';
import { createHttpApp } from '../../surfaces/http/index.js';
import { createMcpDoor } from '../../surfaces/mcp/index.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

const secretSchema = {
  type: 'object',
  properties: { canary_parameter: { type: 'string', description: 'canary-description' } },
  required: ['canary_parameter'],
  additionalProperties: false,
};
const drop = testTool({ name: 'drop_table', description: 'Drops a table', risk: 'destructive' });
const pay = testTool({ name: 'pay_invoice', description: 'Pays an invoice', highRisk: true });
const read = testTool({
  name: 'read_table',
  description: 'Reads a table',
  inputSchema: { type: 'object', properties: { table: { type: 'string' } } },
});
const hidden = testTool({ name: 'hidden_tool', description: 'canary-description', inputSchema: secretSchema });
const tools = [drop, pay, read, hidden];
const granted = ['drop_table', 'pay_invoice', 'read_table'];
const onTable = (table: string) => ({ properties: { table: { const: table } }, required: ['table'] });

/** Every list of callable tools that a model or a person gets. */
async function shown(): Promise<Record<string, string[]>> {
  const { plane, agent } = helve;
  const names = ['drop_table', 'pay_invoice', 'read_table', 'hidden_tool'];
  const { secret } = await plane.issueAgentToken(helve.admin, 'tester', {});
  const access = await Promise.all(names.map(async (name) => [name, await plane.validateAccess(agent, name)] as const));
  return {
    list: (await plane.tools(agent, { all: true })).map(({ name }) => name).filter((name) => names.includes(name)),
    described: (await plane.describeTools(agent, names)).tools.map(({ name }) => name),
    found: (await plane.searchTools(agent, { query: 'table invoice', limit: 50 })).hits
      .map(({ name }) => name)
      .filter((name) => names.includes(name)),
    access: access.flatMap(([name, { effect }]) => (effect === 'deny' ? [] : [name])),
    mcp: (await mcpTools(secret)).map(({ name }) => name).filter((name) => names.includes(name)),
  };
}

async function mcpTools(secret: string): Promise<{ name: string; description: string }[]> {
  const door = createMcpDoor({
    plane: helve.plane,
    mcpSessions: helve.mcpSessions,
    serverInfo: { name: 'helve', version: '0.0.0' },
    resultMaxChars: 10_000,
  });
  const request = new Request('http://localhost/mcp/tester', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  const answer = await (await door.handle(request, await helve.plane.authenticate(secret))).text();
  await door.close();
  const json = answer.startsWith('{') ? answer : (/^data: (\{.*\})$/m.exec(answer)?.[1] ?? '{}');
  return JSON.parse(json).result?.tools ?? [];
}

const places = ['list', 'described', 'found', 'access', 'mcp'];

describe('the visible tools are the callable ones', () => {
  test.each([
    ['nothing', [], ['pay_invoice', 'read_table']],
    ['a policy that allows it', [{ id: 'p', effect: 'allow', when: { tools: ['drop_table'] } }], granted],
    ['a policy that denies', [{ id: 'p', effect: 'deny', when: { tools: ['read_table'] } }], ['pay_invoice']],
    [
      'a policy that denies some arguments',
      [{ id: 'p', effect: 'deny', when: { tools: ['read_table'], arguments: onTable('users') } }],
      ['pay_invoice', 'read_table'],
    ],
    [
      'a policy that denies every argument',
      [{ id: 'p', effect: 'deny', when: { tools: ['read_table'], arguments: {} } }],
      ['pay_invoice'],
    ],
    [
      'a policy that allows some arguments of a destructive tool',
      [{ id: 'p', effect: 'allow', when: { tools: ['drop_table'], arguments: onTable('scratch') } }],
      granted,
    ],
  ] as [
    string,
    Policy[],
    string[],
  ][])('R-grants: with %s every list says the same', async (_what, policies, expected) => {
    helve = await createTestHelve({ tools, granted, policies });
    const lists = await shown();
    for (const place of places)
      expect([place, [...(lists[place] ?? [])].sort()]).toEqual([place, [...expected].sort()]);
    for (const name of granted) {
      const tried = await Promise.all(
        [{}, { table: 'users' }, { table: 'scratch' }].map((input) => helve.call(name, input)),
      );
      const denied = tried.every((result) => !result.ok && result.error.code === 'denied_by_policy');
      expect([name, denied]).toEqual([name, !expected.includes(name)]);
    }
  });

  test('R-approval: a tool that a person must approve says so in every list', async () => {
    helve = await createTestHelve({
      tools,
      granted,
      policies: [{ id: 'p', effect: 'require_approval', when: { tools: ['read_table'], arguments: onTable('users') } }],
    });
    const { plane, agent } = helve;
    const needs = (rows: readonly { name: string; approval?: string }[]) =>
      Object.fromEntries(rows.map(({ name, approval }) => [name, approval]));
    const expected = { pay_invoice: 'required', read_table: 'depends' };
    expect(needs(await plane.tools(agent))).toEqual({ ...expected, result_read: undefined });
    expect(needs((await plane.searchTools(agent, { query: 'table invoice' })).hits)).toMatchObject(expected);
    expect(needs((await plane.describeTools(agent, granted)).tools)).toEqual(expected);
    const { secret } = await plane.issueAgentToken(helve.admin, 'tester', {});
    expect((await mcpTools(secret)).map(({ description }) => description.split('\n\n').at(-1))).toEqual([
      'A person must approve each call.',
      'A person may have to approve a call.',
      expect.stringContaining('Read a stored result'),
    ]);
    expect(await plane.validateAccess(agent, 'read_table')).toMatchObject({
      effect: 'allow',
      approval: 'depends',
      rules: [
        { effect: 'allow', rule: expect.stringMatching(/^grant:/) },
        { effect: 'allow', rule: 'default.write' },
        { effect: 'require_approval', rule: 'policy:p', dependsOnArguments: true },
      ],
    });
  });
});

describe('a tool that is not granted does not show its schema', () => {
  test.each([
    ['a call without arguments', {}, undefined],
    ['a call with arguments that do not fit', { other: 1 }, undefined],
    ['a call with an intent that it does not meet', { canary_parameter: 'x' }, 'send a message'],
  ] as const)('leak: %s is refused for the grant, and nothing is said of the arguments', async (_what, input, intent) => {
    helve = await createTestHelve({ tools, granted });
    const more = intent === undefined ? {} : { intent };
    const refused = await helve.call('hidden_tool', input, more);
    expect(refused).toMatchObject({ ok: false, rule: 'grant.tools', error: { code: 'not_granted' } });
    expect(JSON.stringify(refused)).not.toContain('canary');
    // A principal that has a grant learns what is wrong.
    const told = await helve.plane.execute({ principal: helve.admin, tool: 'hidden_tool', input, ...more });
    expect(JSON.stringify(told)).toMatch(intent === undefined ? /canary_parameter/ : /intent_mismatch|ok/);
  });

  test('leak: an agent’s token sees the schemas of its own tools only, over REST and discovery', async () => {
    helve = await createTestHelve({ tools, granted });
    const { plane } = helve;
    const { fetch } = createHttpApp({ plane, publicUrl: 'http://localhost' });
    const { secret } = await plane.issueAgentToken(helve.admin, 'tester', {});
    const { secret: key } = await plane.createApiKey(helve.admin, { permissions: ['tools:read'] });
    const ask = async (path: string, token: string) =>
      (await fetch(new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${token}` } }))).text();
    const paths = ['/api/tools/custom/actions', '/api/tools/workspace?all=true', '/api/tools/search?q=hidden_tool'];
    for (const path of paths)
      expect([path, await ask(path, secret)]).toEqual([path, expect.not.stringMatching(/canary/)]);
    expect(await ask(paths[0] ?? '', secret)).toContain('read_table');
    // An operator sees all tools.
    expect(await ask(paths[0] ?? '', key)).toContain('canary_parameter');
  });
});

test('R-layers R-explain: rules on arguments are explained for old names, presets of aliases and defaults as in a call', async () => {
  const properties = { format: { type: 'string', default: 'xlsx' }, note: { type: 'string' } };
  const write = testTool({
    name: 'create_document',
    inputSchema: { type: 'object', properties, additionalProperties: false },
    inputAliases: { remark: 'note' },
  });
  const denied = (id: string, shape: object): Policy => ({ id, effect: 'deny', when: { arguments: shape as never } });
  helve = await createTestHelve({
    nativeToolkits: [],
    tools: [write],
    policies: [
      denied('pdf', { properties: { format: { const: 'pdf' } }, required: ['format'] }),
      denied('sheet', { properties: { format: { const: 'xlsx' } }, required: ['format'] }),
      denied('note', { properties: { note: { const: 'canary' } }, required: ['note'] }),
    ],
  });
  const cases = [
    ['create_pdf', {}, 'policy:pdf'],
    ['create_document', {}, 'policy:sheet'],
    ['create_docx', { remark: 'canary' }, 'policy:note'],
    ['create_docx', { remark: 'other' }, undefined],
  ] as const;
  for (const [tool, input, rule = expect.stringMatching(/^grant:/)] of cases) {
    expect((await helve.call(tool, input)).rule, `${tool} called`).toEqual(rule);
    expect((await helve.plane.validateAccess(helve.agent, tool, input)).rule, `${tool} asked about`).toEqual(rule);
  }
});

describe('a stored result', () => {
  const long = testTool({
    name: 'long',
    inputSchema: { type: 'object', properties: { table: { type: 'string' } } },
    execute: async () => 'canary'.repeat(5_000),
  });
  const keep = async (table = 'users') => {
    const result = await helve.call('long', { table });
    return result.ok ? (result.handle?.handle ?? '') : '';
  };
  const readKept = async (handle: string) => JSON.stringify(await helve.call('result_read', { handle }));

  test.each([
    ['a policy denies its tool', [{ id: 'p', effect: 'deny', when: { tools: ['long'] } }]],
    [
      'a policy denies its arguments',
      [{ id: 'p', effect: 'deny', when: { tools: ['long'], arguments: onTable('users') } }],
    ],
  ] as [string, Policy[]][])('leak: is not read once %s', async (_what, policies) => {
    helve = await createTestHelve({ tools: [long] });
    const handle = await keep();
    const other = await keep('logs');
    expect(await readKept(handle)).toContain('canary');
    await helve.plane.replacePolicies(helve.admin, policies);
    expect(await readKept(handle)).not.toContain('canary');
    // Results that the policy does not concern are still readable.
    if (policies[0]?.when.arguments) expect(await readKept(other)).toContain('canary');
    await helve.plane.replacePolicies(helve.admin, []);
    expect(await readKept(handle)).toContain('canary');
  });

  test('leak: cannot be read by anyone once its toolkit or its tool is switched off', async () => {
    helve = await createTestHelve({ tools: [long, read] });
    const handle = await keep();
    const own = await helve.plane.execute({ principal: helve.admin, tool: 'long', input: {} });
    const readOwn = async () => {
      const input = { handle: own.ok ? own.handle?.handle : '' };
      return JSON.stringify(await helve.plane.execute({ principal: helve.admin, tool: 'result_read', input }));
    };
    for (const setting of [{ enabled: false }, { enabled: true, enabledTools: ['read_table'] }]) {
      await helve.plane.enableTools(helve.admin, 'custom', { enabled: true });
      expect([await readKept(handle), await readOwn()]).toEqual([
        expect.stringContaining('canary'),
        expect.stringContaining('canary'),
      ]);
      await helve.plane.enableTools(helve.admin, 'custom', setting);
      expect([await readKept(handle), await readOwn()]).toEqual([
        expect.not.stringContaining('canary'),
        expect.not.stringContaining('canary'),
      ]);
    }
  });
});

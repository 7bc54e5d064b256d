/**
 * Workspace A against everything of workspace B, through every route of the REST API, every page and the MCP door: a
 * matrix made from the routes themselves. Nothing of B may be seen, changed, called, approved or audited.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpApp, type HttpApp } from '../../src/surfaces/http/index.js';
import { routes } from '../../src/surfaces/http/routes/index.js';
import { createMcpDoor, type McpDoor } from '../../src/surfaces/mcp/index.js';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';
import { rounds } from '../../src/testing/rounds.js';
import { overHttp } from './support/mcp.js';
import { canary, idsOf, type Keys, type TwoWorkspaces, twoWorkspaces } from './support/two-workspaces.js';

const base = 'http://localhost';

interface Row {
  /** Query strings and bodies that point at `id`, in every way that the route accepts one. */
  readonly queries?: (id: string) => readonly string[];
  readonly bodies?: (id: string) => readonly unknown[];
  /** What the route may answer for an id that only B has. */
  readonly foreign: readonly number[];
}

const none = [404, 403] as const;
const open = [200, 201, 204, 403] as const;
const agents = (id: string) => [`?agent=${id}`, `?agent=scout-${id}`, '?agent=scout-b', ''];
const calls = (id: string) => [
  { tool: 'result_read', input: { handle: id } },
  { tool: 'key_value_get', input: { key: id } },
  { tool: 'key_value_get', input: { key: id, namespace: 'common' } },
  { tool: 'key_value_get', input: { key: id, namespace: 'own:agent:caller' } },
  { tool: 'key_value_set', input: { key: id, namespace: 'common', value: 1 } },
  { tool: 'key_value_delete', input: { key: id, namespace: 'common' } },
  { tool: 'calculate', input: { expression: '1' }, agent: id },
  { tool: 'guarded', input: { of: id }, approvalId: id },
  { tool: canary.slice(0, 6), input: {} },
  { tool: 'search_tools', input: { query: id } },
  { tool: 'call_tool', input: { tool: 'result_read', arguments: { handle: id } } },
  { tool: 'calculate', input: { expression: '1' }, intent: id },
];
const grants = [{ grants: [{ toolkit: 'math', tools: ['calculate'] }] }];

/** One row per route. A route without one fails the test: add what it may answer about another workspace's things. */
const matrix: Readonly<Record<string, Row>> = {
  'GET /api/tools/workspace': { queries: agents, foreign: [200, ...none] },
  'GET /api/tools/export': {
    queries: (id) => agents(id).map((query) => `${query || '?'}&format=mcp`),
    foreign: [200, ...none],
  },
  'POST /api/tools/execute': { bodies: calls, foreign: [200, 404, 403, 409, 410, 400] },
  'GET /api/tools/search': {
    queries: (id) => [
      ...agents(id).map((query) => `${query || '?'}&q=${id}&explain=true`),
      `?q=${canary.slice(0, 9)}&limit=50`,
      '?q=account-b__ask_account&toolkits=accounts',
    ],
    foreign: [200, ...none],
  },
  'POST /api/tools/describe': {
    bodies: (id) => [{ names: [id, 'account-b__ask_account'] }, { names: ['calculate'], agent: id }],
    foreign: [200, ...none],
  },
  'POST /api/tools/hints': {
    bodies: (id) => [{ text: `ask account ${id}` }, { text: 'account-b__ask_account', mode: 'recipe', agent: id }],
    foreign: [200, ...none],
  },
  'GET /api/tools/search/stats': { foreign: [200] },
  'GET /api/types': {
    queries: (id) => [...agents(id), ...agents(id).map((query) => `${query || '?'}&only=${id}`), '?only=account-b'],
    foreign: [200, ...none],
  },
  'POST /api/runs': {
    bodies: (id) => [
      { code: `return await accountB.askAccount({ of: '${id}' })`, mode: 'check' },
      { code: 'return 1', mode: 'check', agent: id },
      { code: `return await accountB.askAccount({ of: '${id}' })` },
      { code: 'return await env.accountB.askAccount({})', mode: 'plan' },
      { code: `return await keyValue.keyValueGet({ key: '${id}' })`, idempotencyKey: id },
      { code: 'return 1', plan: id },
    ],
    foreign: [200, ...none],
  },
  'POST /api/issues': {
    bodies: (id) => [{ title: 'of A', repo: `github:acme/${encodeURIComponent(id)}`, project: id, org: id }],
    foreign: [201, 403],
  },
  'GET /api/issues': {
    queries: (id) => ['', '?limit=200', '?state=idle', `?repo=${id}`, `?agent=${id}`, `?text=${canary.slice(0, 9)}`],
    foreign: [200],
  },
  'GET /api/issues/:id': { foreign: none },
  'PATCH /api/issues/:id': { bodies: () => [{ title: 'of A' }, { tools: { disabled: ['x'] } }], foreign: none },
  'POST /api/issues/:id/comments': { bodies: () => [{ text: 'of A' }], foreign: none },
  'POST /api/issues/:id/assign': { bodies: (id) => [{ agent: 'caller' }, { agent: id }], foreign: none },
  'POST /api/issues/:id/unassign': { foreign: none },
  'POST /api/issues/:id/retry': { foreign: none },
  'POST /api/issues/:id/cancel': { foreign: none },
  'POST /api/issues/:id/checks/:check': { bodies: () => [{ accepted: true }], foreign: [400, ...none] },
  'GET /api/issues/:id/timeline': { foreign: none },
  'GET /api/issues/:id/events': { queries: () => ['?live=false'], foreign: none },
  'GET /api/tool-config/:level/:id': { foreign: [200, 400, 403] },
  'PUT /api/tool-config/:level/:id': { bodies: () => [{ disabled: ['x'] }], foreign: [200, 400, 403] },
  'GET /api/tool-config/:level/:id/effective': { foreign: [200, 400, 403] },
  'GET /api/recipes': { foreign: [200] },
  'GET /api/recipes/:name': { foreign: none },
  'DELETE /api/recipes/:name': { foreign: none },
  // A makes one of its own.
  'PUT /api/recipes/:name': { bodies: () => [{ steps: [{ prompt: 'of A', tools: [] }] }], foreign: [200, 403] },
  'GET /api/task-sources': { foreign: [200] },
  'GET /api/task-sources/:id': { foreign: none },
  'POST /api/task-sources': {
    bodies: (id) => [
      { provider: 'github', scope: 'acme/shop', connection: id },
      { provider: 'github', scope: 'acme/shop', connection: 'account-b' },
    ],
    foreign: none,
  },
  'DELETE /api/task-sources/:id': { foreign: none },
  'GET /api/notification-channels': { foreign: [200] },
  'POST /api/notification-channels': {
    bodies: (id) => [
      { kind: 'email', name: 'of A', connection: id },
      { kind: 'slack', name: 'of A', connection: 'account-b' },
    ],
    foreign: none,
  },
  'PATCH /api/notification-channels/:id': { bodies: () => [{ signingSecret: null }], foreign: none },
  'DELETE /api/notification-channels/:id': { foreign: none },
  'GET /api/notifications': { foreign: open },
  'PUT /api/notifications/:id': { bodies: () => [{ kinds: ['approval'] }], foreign: [...open, ...none] },
  'POST /api/notifications/:id/code': { bodies: () => [{ code: '12345678' }], foreign: none },
  'GET /api/notification-messages': { foreign: open },
  // Not a form.
  'POST /api/webhooks/slack': { bodies: (id) => [{ id }], foreign: [400] },
  'POST /api/webhooks/linear': {
    bodies: (id) => [{ action: id, url: 'https://linear.app/acme/issue/BOTH-1/x' }],
    foreign: [401],
  },
  'POST /api/webhooks/github': {
    bodies: (id) => [{ action: id, repository: { full_name: 'acme/both' } }],
    foreign: [401],
  },
  'GET /api/orgs': { queries: () => ['', '?limit=200'], foreign: [200] },
  // Filing an issue there has made A's own place of this id, which says nothing of B's.
  'GET /api/orgs/:id': { foreign: [200, ...none] },
  'PATCH /api/orgs/:id': { bodies: () => [{ limits: { maxRunning: 1 } }], foreign: [200, 403] },
  'POST /api/orgs/:id/billing-period': { foreign: [200, ...none] },
  'GET /api/repos': { queries: (id) => ['', `?org=${id}`], foreign: [200] },
  'GET /api/repos/:id': { foreign: [200, ...none] },
  'PATCH /api/repos/:id': {
    bodies: () => [{ paused: true }, { autoAssign: [{ agent: 'caller' }] }, { autoAssign: [{ agent: 'scout-b' }] }],
    foreign: [200, 400, 403],
  },
  'GET /api/projects': { queries: () => ['', '?state=open'], foreign: [200] },
  'GET /api/projects/:id': { foreign: [200, ...none] },
  'PATCH /api/projects/:id': { bodies: () => [{ maxRunning: 1 }], foreign: [200, 403] },
  'POST /api/projects/:id/cards': { bodies: (id) => [{ issue: id, column: 'Done' }], foreign: [409, ...none] },
  'GET /api/pull-requests': { queries: (id) => ['', `?repo=${id}`], foreign: [200] },
  'GET /api/pull-requests/:id': { foreign: none },
  'PATCH /api/pull-requests/:id': { bodies: () => [{ requiredApprovals: 0 }, { autoMerge: true }], foreign: none },
  'POST /api/pull-requests/:id/merge': { bodies: () => [{}, { account: 'account-b' }], foreign: none },
  'DELETE /api/pull-requests/:id/merge': { foreign: none },
  'GET /api/runs': {
    queries: (id) => [
      ...agents(id),
      '?limit=200',
      `?principal=${id}`,
      `?before=z${id}`,
      '?status=waiting',
      '?plan=pending',
      `?approval=${id}`,
    ],
    foreign: [200, ...none],
  },
  'GET /api/runs/:id': { queries: agents, foreign: none },
  'GET /api/runs/:id/calls': { queries: agents, foreign: none },
  'POST /api/runs/:id/decide': {
    bodies: () => [
      { decision: 'approve_plan' },
      { decision: 'stop' },
      { decision: 'happened', number: 1, output: 'of A' },
      { decision: 'not_happened', number: 1 },
      { decision: 'answer', number: 1, text: 'of A' },
    ],
    foreign: none,
  },
  'POST /api/runs/:id/cancel': { bodies: () => [{}], foreign: none },
  // After the run of A has ended, because it is followed to its end.
  'GET /api/runs/:id/events': { foreign: none },
  'GET /api/actor-machines': { foreign: [200] },
  'GET /api/actors': {
    queries: () => ['', '?limit=200', '?kind=issue', '?state=idle', '?silentSince=2099-01-01T00:00:00.000Z'],
    foreign: open,
  },
  'GET /api/actors/:kind/:id': { foreign: none },
  'GET /api/actors/:kind/:id/events': { queries: () => ['?live=false'], foreign: none },
  'GET /api/tools/access': {
    queries: (id) => agents(id).map((query) => `${query || '?'}&tool=calculate`),
    foreign: [200, ...none],
  },
  'GET /api/tools/executions': { queries: () => ['', '?tool=math.calculate', '?limit=500'], foreign: [200] },
  'GET /api/tools/executions/:executionId': { foreign: none },
  'GET /api/tools/executions/:executionId/events': { foreign: none },
  'GET /api/executions': {
    queries: (id) => ['', `?actor=${id}`, `?connection=${id}`, `?text=${canary.slice(0, 9)}`, '?limit=500'],
    foreign: [200],
  },
  'GET /api/executions/facets': { queries: (id) => ['', `?actor=${id}`], foreign: [200] },
  'GET /api/executions/:executionId': { foreign: none },
  'POST /api/executions/:executionId/cancel': { foreign: none },
  'GET /api/metrics/calls': { queries: () => ['?by=agent', '?by=tool', '?by=minute'], foreign: [200] },
  'GET /api/events': { queries: () => ['?after=0&live=false', '?live=false'], foreign: [200] },
  'GET /api/tools/toolkits': { foreign: [200] },
  'GET /api/tools/:toolkit/actions': { foreign: none },
  'GET /api/tools/:toolkit/actions/:tool': { foreign: none },
  'GET /api/tools/:toolkit/summaries': { foreign: none },
  'POST /api/tools/:toolkit/actions': { bodies: () => [{ enabled: false }], foreign: none },
  'GET /api/approvals': { queries: () => ['', '?status=pending', '?limit=500'], foreign: open },
  'GET /api/approvals/:id': { foreign: none },
  'POST /api/approvals/decide': {
    bodies: (id) => [
      { ids: [id], decision: 'approved' },
      { ids: [id], decision: 'rejected', note: 'of A' },
    ],
    foreign: none,
  },
  'POST /api/approvals/:id/decision': {
    bodies: () => [{ decision: 'approved' }, { decision: 'rejected' }],
    foreign: none,
  },
  'GET /api/audit': {
    queries: (id) => ['?limit=500', `?executionId=${id}`, '?actorId=same', `?text=${canary}`, '?tool=math.calculate'],
    foreign: open,
  },
  'GET /api/audit/verify': { foreign: open },
  'GET /api/audit/verify/stream': { queries: (id) => ['', `?checkpoint=${id}`], foreign: open },
  'GET /api/settings': { foreign: open },
  'GET /api/store-sizes': { foreign: open },
  'GET /api/doctor': { queries: () => ['', '?record=skip'], foreign: open },
  'GET /api/audit/export': {
    queries: (id) => ['', `?executionId=${id}`, '?actorId=same', '?tool=math.calculate'],
    foreign: open,
  },
  'GET /api/agents': { foreign: open },
  'POST /api/agents': {
    bodies: (id) => [{ slug: `new-${id}` }, { slug: 'scout-b', name: id }],
    foreign: [...open, 409],
  },
  'PATCH /api/agents/:agent': {
    bodies: () => [{ name: 'of A' }, { toolMode: 'meta' }, { toolMode: 'auto' }],
    foreign: none,
  },
  'POST /api/agents/:agent/tokens': { bodies: () => [{}], foreign: none },
  'GET /api/agents/:agent/grants': { foreign: none },
  'PUT /api/agents/:agent/grants': { bodies: () => [...grants, { grants: [] }], foreign: none },
  'PATCH /api/agents/:agent/grants': { bodies: () => [{ add: [{ tools: ['calculate'] }] }], foreign: none },
  'GET /api/policies': { foreign: open },
  'PUT /api/policies': {
    bodies: () => [{ policies: [{ id: 'policy', effect: 'allow', when: {} }] }, { policies: [] }],
    foreign: open,
  },
  'GET /api/credentials': { foreign: open },
  'POST /api/keys': { bodies: () => [{ permissions: ['tools:read'] }], foreign: open },
  'POST /api/admin-links': { foreign: open },
  'GET /api/tools/connected': { foreign: open },
  'GET /api/connections/:connection': { foreign: none },
  'GET /api/tools/:toolkit/schemes': { foreign: none },
  'POST /api/tools/add-to-workspace': {
    bodies: (id) => [
      { toolkit: 'accounts', name: `new ${id}` },
      { app_name: 'accounts', name: 'Account' },
    ],
    foreign: open,
  },
  'GET /api/tools/marketplace': {
    queries: (id) => ['', `?search=${id}`, '?status=connected', '?limit=200'],
    foreign: [200],
  },
  'GET /api/tools/stats': { foreign: [200] },
  'GET /api/tools/:toolkit/triggers': { foreign: none },
  'GET /api/tools/debug/connections': { foreign: open },
  'GET /api/tools/debug/cache-status': { foreign: [200] },
  'POST /api/tools/sync': { bodies: () => [{}, { kind: 'incremental' }], foreign: [409, 403] },
  'POST /api/tools/backfill-params': { bodies: () => [{}], foreign: [409, 403] },
  'GET /api/tools/sync-history': { foreign: [200] },
  'GET /api/tools/sync/:job/events': { foreign: none },
  'POST /api/tools/sync/:job/cancel': { foreign: none },
  'GET /api/triggers': { foreign: open },
  'POST /api/triggers': {
    bodies: (id) => [
      { trigger: 'ANY', connection: id },
      { trigger: 'ANY', connection: 'account-b' },
    ],
    foreign: [409, 404, 403],
  },
  'DELETE /api/triggers/:id': { foreign: none },
  'GET /api/triggers/events': {
    queries: (id) => ['', `?subscription=${id}`, `?before=2999-01-01T00:00:00.000Z/${id}/x`],
    foreign: open,
  },
  'POST /api/composio/webhook': { bodies: (id) => [{ id }], foreign: [409] },
  'POST /api/tools/connect': {
    bodies: (id) => [{ connection: id, credentials: { token: 'of-A-12345' } }, { connection: 'account-b' }],
    foreign: none,
  },
  'PUT /api/connections/:connection': { bodies: () => [{ name: 'Of A' }], foreign: none },
  'POST /api/connections/:connection/check': { foreign: none },
  'GET /api/connections/:connection/usage': { foreign: none },
  'DELETE /api/connections/:connection/agents/:agent': { foreign: none },
  'POST /api/tools/disconnect': { bodies: (id) => [{ connection: id }, { connection: 'account-b' }], foreign: none },
  'PUT /api/auth-clients/:provider': { bodies: () => [{ clientId: 'of A' }], foreign: none },
  'DELETE /api/auth-clients/:provider': { foreign: [204, ...none] },
  'GET /api/auth-checks': { foreign: open },
  'POST /api/vault/rotate': { foreign: open },
  'GET /api/definitions': { foreign: open },
  'POST /api/definitions/:toolkit/:tool/accept': { bodies: () => [{ hash: 'a'.repeat(64) }], foreign: none },
  'POST /api/connections/disconnect-all': { foreign: open },
  'GET /api/machine': { foreign: open },
  'GET /health': { foreign: [200] },
  'GET /ready': { foreign: [200] },
  'GET /metrics': { foreign: open },
  'GET /api/openapi.json': { foreign: [200] },
  // Last, because they remove what the rows above need.
  'DELETE /api/credentials/:id': { foreign: none },
  'DELETE /api/agents/:agent': { foreign: none },
  // The first of these ends the caller's own session.
  'POST /api/explain': {
    bodies: (id) => [
      { agent: id, tool: 'calculate' },
      { agent: 'scout-a', tool: 'account-b__ask_account', input: {} },
      { agent: 'scout-a', tool: 'calculate', issue: id },
    ],
    foreign: [200, ...none],
  },
  'GET /api/agents/:agent/effective': { foreign: none },
  'POST /api/agents/:agent/grants/preview': {
    bodies: () => [{ grants: [] }, { add: [{ tools: ['calculate'] }] }],
    foreign: none,
  },
  'POST /api/policies/preview': { bodies: () => [{ policies: [] }], foreign: open },
  'GET /api/workspaces': { foreign: open },
  'POST /api/workspaces': {
    bodies: (id) => [
      { slug: id, admin: { name: id } },
      { slug: 'workspace-b', admin: { name: 'Thief' } },
    ],
    foreign: [403],
  },
  'GET /api/users': { foreign: open },
  'POST /api/users': { bodies: (id) => [{ name: `${id} of A`, role: 'member' }], foreign: open },
  'PATCH /api/users/:user': { bodies: () => [{ name: 'of A' }, { disabled: true }], foreign: none },
  'POST /api/users/:user/link': { foreign: none },
  'DELETE /api/users/:user': {
    queries: (id) => ['', '?accounts=remove', `?accounts=hand_over&to=${id}`],
    foreign: none,
  },
  'GET /api/session': { foreign: open },
  'GET /api/sessions': { foreign: open },
  'DELETE /api/sessions/:id': { foreign: none },
  'DELETE /api/sessions': { foreign: [...open, 401] },
  'DELETE /api/session': { foreign: [...open, 401] },
};

test('R-grants: every route has its row in the matrix of two workspaces', () => {
  expect(Object.keys(matrix).sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
});

let postgres: TestPostgres | undefined;
afterAll(() => postgres?.stop());

const stores = {
  SQLite: () => twoWorkspaces(),
  PostgreSQL: async () => {
    postgres ??= await startPostgres();
    return twoWorkspaces(await postgres.storeUrl());
  },
};

// The routes reach a store only by acts of the plane, which `isolation-plane.test.ts` tries on both.
for (const store of rounds(['SQLite'] as const, ['SQLite', 'PostgreSQL'] as const)) {
  describe.each(['agent', 'api_key', 'session'] as const)(`${store}, A's %s`, (kind) => {
    let two: TwoWorkspaces;
    let door: McpDoor;
    let app: HttpApp;

    beforeAll(async () => {
      two = await stores[store]();
      const options = {
        plane: two.helve.plane,
        mcpSessions: two.helve.mcpSessions,
        serverInfo: { name: 'helve', version: '0' },
        resultMaxChars: 200,
      };
      door = createMcpDoor(options);
      app = createHttpApp({
        plane: two.helve.plane,
        mcp: (request, who) => door.handle(request, who),
        publicUrl: base,
      });
    });
    afterAll(async () => {
      await door.close();
      await two.close();
    });

    /** The whole answer as one text: status line, headers and everything that was sent. */
    async function answer(route: string, body?: unknown, more: Record<string, string> = {}) {
      const [method = 'GET', path = ''] = route.split(' ');
      const response = await app.request(base + path, {
        method,
        headers: { ...credentials(two.secrets.a, kind), 'content-type': 'application/json', ...more },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, text, whole: `${JSON.stringify([...response.headers])}\n${text}` };
    }

    test('R-grants: the canary is there to be seen: B sees it, and of a shared id each sees its own', async () => {
      const key = { authorization: `Bearer ${two.secrets.b.api_key}`, cookie: '' };
      const { shared, own } = idsOf('b');
      const lists = [
        'actors',
        'agents',
        'approvals',
        'audit',
        'audit/export',
        'credentials',
        'issues',
        'policies',
        'recipes',
        'runs',
        'task-sources',
        'tools/executions',
      ];
      const things = [
        `approvals/${shared}`,
        `approvals/${own}`,
        `agents/${shared}/grants`,
        `tools/executions/${own}`,
        `runs/${own}`,
        `recipes/${shared}`,
        `recipes/${own}`,
        `task-sources/${shared}`,
        `task-sources/${own}`,
        `issues/${shared}`,
        `issues/${own}`,
        `issues/${own}/timeline`,
        `actors/issue/${shared}`,
        `actors/issue/${own}`,
        `actors/issue/${own}/events?live=false`,
      ];
      for (const path of [...lists, ...things]) {
        expect((await answer(`GET /api/${path}`, undefined, key)).whole, path).toContain(canary);
        if (kind === 'agent' || path.includes(own)) continue;
        const { status, text } = await answer(`GET /api/${path}`);
        expect([status, text], path).toEqual([200, expect.stringContaining('alpha')]);
      }
      const reader = { authorization: `Bearer ${two.secrets.b.agent}`, cookie: '' };
      for (const body of calls(own).slice(0, 1))
        expect((await answer('POST /api/tools/execute', body, reader)).whole).toContain(canary);
    });

    test('R-approval: the pages show and decide nothing of B', async () => {
      const before = await two.rowsOf('b');
      const form = { 'content-type': 'application/x-www-form-urlencoded', origin: base };
      const { shared, own } = idsOf('b');
      for (const page of [
        'GET /admin',
        `GET /approvals/${shared}`,
        `GET /approvals/${own}`,
        `GET /runs/${shared}`,
        `GET /runs/${own}`,
      ]) {
        const { whole, status } = await answer(page);
        expect(whole, page).not.toContain(canary);
        expect(status, page).toBeLessThan(500);
      }
      for (const id of [shared, own]) {
        const { whole } = await answer(`POST /approvals/${id}`, 'decision=approved', form);
        expect(whole).not.toContain(canary);
        const run = await answer(`POST /runs/${id}`, 'decision=happened+1', form);
        expect(run.whole).not.toContain(canary);
      }
      expect((await answer(`GET /approvals/${own}`)).status).not.toBe(200);
      expect((await answer(`GET /runs/${own}`)).status).not.toBe(200);
      expect(await two.rowsOf('b')).toBe(before);
    });

    test('R-mcp-server: no MCP address, list, call or session shows anything of B', async () => {
      const before = await two.rowsOf('b');
      const token = two.secrets.a[kind];
      const fetch = async (url: string | URL, init?: RequestInit) => {
        const response = await app.request(String(url), init ?? {});
        const seen = response.headers.get('content-type')?.includes('json') ? await response.clone().text() : '';
        expect(`${seen}${JSON.stringify([...response.headers])}`).not.toContain(canary);
        return response;
      };
      for (const agent of ['only-b', 'scout-b'])
        await expect(overHttp(`${base}/mcp/${agent}`, token, fetch)).rejects.toThrow(/40[34]|belongs|no agent/i);
      const client = await overHttp(`${base}/mcp/caller`, token, fetch);
      const said = [JSON.stringify(await client.listTools())];
      for (const { tool, input } of Object.values(idsOf('b')).flatMap(calls)) {
        const result = await client.callTool({ name: tool, arguments: input }).catch(String);
        said.push(JSON.stringify(result));
      }
      await client.close();
      expect(said.join('\n')).not.toContain(canary);
      // An MCP session of B belongs only to B, although A's caller has the id and name of B's.
      const ofB = await openSession(two.secrets.b.agent);
      const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };
      const accept = 'application/json, text/event-stream';
      const stolen = await answer('POST /mcp/caller', list, { accept, 'mcp-session-id': ofB });
      expect(stolen.status).toBe(kind === 'session' ? 401 : 404);
      expect(await two.rowsOf('b')).toBe(before);
    });

    // These start programs of the machine, which know neither the store nor the kind of the caller.
    const startsPrograms = ['GET /api/machine', 'GET /api/doctor'];
    const inRound = (route: string): boolean =>
      !startsPrograms.includes(route) || (store === 'SQLite' && kind === 'session');

    test.each(
      Object.keys(matrix).filter(inRound),
    )('R-grants: %s shows, changes and does nothing of B', async (route) => {
      const { queries, bodies, foreign } = matrix[route] as Row;
      const before = await two.rowsOf('b');
      const { shared, own } = idsOf('b');
      const asked = new Set<string>();
      for (const id of [own, shared]) {
        for (const query of queries?.(id) ?? ['']) {
          for (const body of bodies?.(id) ?? [undefined]) {
            for (const accept of ['application/json', 'text/event-stream']) {
              const path = route.replace(':kind', 'issue').replace(/:\w+/g, id);
              const request = JSON.stringify([path, query, body, accept]);
              if (asked.has(request)) continue;
              asked.add(request);
              const { status, whole } = await answer(path + query, body, { accept });
              const what = `${path}${query} ${JSON.stringify(body)}: ${whole}`;
              if (id === own) expect(foreign, what).toContain(status);
              expect(status, what).not.toBe(500);
              // A's own answer may repeat what A itself sent, and A has sent a canary only as a text to search for.
              expect(whole, what).not.toContain(canary);
            }
          }
        }
      }
      expect(await two.rowsOf('b')).toBe(before);
    });

    async function openSession(secret: string): Promise<string> {
      const response = await app.request(`${base}/mcp/caller`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'b', version: '0' } },
        }),
      });
      await response.text();
      return response.headers.get('mcp-session-id') ?? '';
    }
  });
}

/** A session is sent as a page's cookie, everything else as a bearer token. */
function credentials(secrets: Keys, kind: keyof Keys): Record<string, string> {
  return kind === 'session'
    ? { cookie: `helve_session=${secrets.session}`, origin: base }
    : { authorization: `Bearer ${secrets[kind]}` };
}

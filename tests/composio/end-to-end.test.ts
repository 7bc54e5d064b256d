/** R-composio-client from the marketplace to the call and back, over REST and MCP, with a browser in between. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { overHttp, textOf } from '../e2e/support/mcp.js';
import { apiKey, openScene, type Scene } from './door.js';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());
beforeEach(() => {
  scene.composio.faults.length = 0;
  scene.composio.setOptions({ consent: 'grant', behaviour: undefined as never });
});

const executions = () => scene.composio.executions.length;

describe('an account that Composio keeps', () => {
  test('R-composio-client R-instances: added, connected by link, called under its slug, each account for itself', async () => {
    const { home, composio } = scene;
    const added = await home.rest('POST /api/tools/add-to-workspace', { toolkit: 'gmail', name: 'Work Mail' });
    expect([added.status, added.body]).toEqual([201, expect.objectContaining({ status: 'added', slug: 'work-mail' })]);
    const begun = await home.rest('POST /api/tools/connect', { toolkit: 'gmail', connection: added.body.id });
    expect([begun.status, begun.body.connection.status]).toEqual([200, 'pending']);
    const end = await scene.goTo(begun.body.redirectUrl);
    expect([end.status, end.page]).toEqual([200, expect.stringContaining('Work Mail is connected')]);
    expect(end.url.startsWith(`${scene.url}/api/composio/callback?`)).toBe(true);
    const other = await scene.connected('gmail', 'Home Mail');
    const { body } = await home.rest('GET /api/tools/connected');
    expect(body.connections.map((one: any) => [one.slug, one.status])).toEqual([
      ['work-mail', 'active'],
      ['home-mail', 'active'],
    ]);
    expect(composio.accounts.size).toBe(2);

    // Not granted yet: neither listed nor callable.
    const early = await home.asAgent('POST /api/tools/execute', {
      tool: 'work-mail__send_email',
      input: { text: 'x' },
    });
    expect(early.body).toMatchObject({ ok: false });
    await home.grant('gmail', ['fetch_emails', 'send_email', 'delete_message'], added.body.id);
    await home.grant('gmail', ['send_email'], other.id);
    const client = await overHttp(`${scene.url}/mcp/worker`, home.agentToken);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['work-mail__send_email', 'home-mail__send_email', 'work-mail__fetch_emails']),
    );
    expect(names).not.toContain('home-mail__fetch_emails');
    expect(new Set(names).size).toBe(names.length);
    const from = executions();
    for (const slug of ['work-mail', 'home-mail']) {
      const result = await client.callTool({ name: `${slug}__send_email`, arguments: { text: slug } });
      expect(result.isError, textOf(result)).not.toBe(true);
    }
    await client.close();
    const sent = composio.executions.slice(from);
    const reference = async (slug: string) =>
      (await home.client.call('GET /api/connections/:connection', { params: { connection: slug } })).settings
        .connectedAccountId;
    expect(
      sent.map(({ tool, body: { connected_account_id, arguments: given } }) => [tool, connected_account_id, given]),
    ).toEqual([
      ['GMAIL_SEND_EMAIL', await reference('work-mail'), { text: 'work-mail' }],
      ['GMAIL_SEND_EMAIL', await reference('home-mail'), { text: 'home-mail' }],
    ]);
  });

  test('R-approval: a destructive call waits for a person, and runs once', async () => {
    const { home } = scene;
    const from = executions();
    const call = { tool: 'work-mail__delete_message', input: { text: 'the one' } };
    const denied = await home.asAgent('POST /api/tools/execute', call);
    expect(denied.body).toMatchObject({ ok: false, error: { code: 'denied_by_policy' } });
    const policy = { id: 'ask', effect: 'require_approval', when: { risk: ['destructive'] } } as const;
    await scene.helve.plane.replacePolicies(home.admin, [policy]);
    const waiting = await home.asAgent('POST /api/tools/execute', call);
    expect(waiting.body).toMatchObject({ ok: false, error: { code: 'approval_required' } });
    expect(executions()).toBe(from);
    const { body } = await home.rest('GET /api/approvals?status=pending');
    const approval = body.approvals.at(-1);
    await home.rest(`POST /api/approvals/${approval.id}/decision`, { decision: 'approved' });
    const done = await home.asAgent('POST /api/tools/execute', { ...call, approvalId: approval.id });
    expect([done.body.ok, executions()]).toEqual([true, from + 1]);
    const again = await home.asAgent('POST /api/tools/execute', { ...call, approvalId: approval.id });
    expect([again.body.ok, executions()]).toEqual([false, from + 1]);
  });

  test('R-pipeline: sent again only where it does no harm; a lost answer is never done twice', async () => {
    const { home, composio } = scene;
    const executing = ({ path }: { path: string }) => path.startsWith('/tools/execute/');
    const cases = [
      ['work-mail__send_email', { status: 429, headers: { 'retry-after': '0' } }, 'ok', 1, 2],
      ['work-mail__send_email', { drop: true }, 'outcome_unknown', 1, 1],
      ['work-mail__send_email', { status: 500 }, 'outcome_unknown', 0, 1],
      ['work-mail__fetch_emails', { status: 500 }, 'ok', 1, 2],
      ['work-mail__fetch_emails', { drop: true }, 'ok', 2, 2],
    ] as const;
    for (const [tool, fault, ends, done, sent] of cases) {
      const before = executions();
      composio.forgetCalls();
      composio.faults.push({ when: executing, ...fault });
      const { body } = await home.asAgent('POST /api/tools/execute', { tool, input: { text: 'again' } });
      const asked = composio.requests.filter(executing).length;
      const said = body.ok ? 'ok' : body.error.code;
      expect([tool, fault, said, executions() - before, asked]).toEqual([tool, fault, ends, done, sent]);
    }
  });

  test('R-composio-client: the app’s refusal is reported, and an account that has expired there is marked here', async () => {
    const { home, composio } = scene;
    composio.setOptions({ behaviour: () => ({ error: 'No such label' }) });
    const call = { tool: 'home-mail__send_email', input: { text: 'x' } };
    const failed = await home.asAgent('POST /api/tools/execute', call);
    expect(failed.body).toMatchObject({
      ok: false,
      error: { code: 'tool_failed', message: expect.stringContaining('No such label') },
    });
    composio.setOptions({ behaviour: () => undefined });
    const { settings } = await home.client.call('GET /api/connections/:connection', {
      params: { connection: 'home-mail' },
    });
    const account = composio.accounts.get(String(settings.connectedAccountId));
    if (account) account.status = 'EXPIRED';
    const first = await home.asAgent('POST /api/tools/execute', call);
    expect(first.body).toMatchObject({ ok: false, error: { code: 'connection_inaccessible' } });
    const marked = await home.client.call('GET /api/connections/:connection', { params: { connection: 'home-mail' } });
    expect(marked).toMatchObject({ status: 'expired', reason: expect.any(String) });
    composio.forgetCalls();
    await home.asAgent('POST /api/tools/execute', call);
    expect(composio.requests).toEqual([]);
    // The other account is unaffected.
    expect((await home.asAgent('POST /api/tools/execute', { ...call, tool: 'work-mail__send_email' })).body.ok).toBe(
      true,
    );
  });

  test('R-composio-client: after connecting again it works, and the old account is deleted at Composio', async () => {
    const { home, composio } = scene;
    const before = await home.client.call('GET /api/connections/:connection', { params: { connection: 'home-mail' } });
    const begun = await home.rest('POST /api/tools/connect', { toolkit: 'gmail', connection: before.id });
    expect((await scene.goTo(begun.body.redirectUrl)).status).toBe(200);
    const after = await home.client.call('GET /api/connections/:connection', { params: { connection: 'home-mail' } });
    expect(after).toMatchObject({ id: before.id, slug: 'home-mail', status: 'active' });
    expect(after.settings.connectedAccountId).not.toBe(before.settings.connectedAccountId);
    expect(composio.accounts.has(String(before.settings.connectedAccountId))).toBe(false);
    expect(
      (await home.asAgent('POST /api/tools/execute', { tool: 'home-mail__send_email', input: { text: 'x' } })).body.ok,
    ).toBe(true);
  });

  test('R-visibility: disconnected here and at Composio, and no call uses it', async () => {
    const { home, composio } = scene;
    const { settings } = await home.client.call('GET /api/connections/:connection', {
      params: { connection: 'home-mail' },
    });
    const report = await home.rest('POST /api/tools/disconnect', { connection: 'home-mail' });
    expect([report.status, report.body.connection.status]).toEqual([200, 'revoked']);
    expect(composio.accounts.has(String(settings.connectedAccountId))).toBe(false);
    const from = executions();
    const refused = await home.asAgent('POST /api/tools/execute', {
      tool: 'home-mail__send_email',
      input: { text: 'x' },
    });
    expect([refused.body.ok, executions()]).toEqual([false, from]);
  });

  test('R-composio-client: denied consent leaves nothing that works, and neither does a forged callback', async () => {
    const { home, composio } = scene;
    composio.setOptions({ consent: 'deny' });
    const begun = await home.rest('POST /api/tools/connect', { toolkit: 'gmail', name: 'No Mail' });
    const end = await scene.goTo(begun.body.redirectUrl);
    expect([end.status, end.page]).toEqual([400, expect.stringContaining('Not connected')]);
    const denied = await home.client.call('GET /api/connections/:connection', { params: { connection: 'no-mail' } });
    expect(['error', 'pending']).toContain(denied.status);
    composio.setOptions({ consent: 'grant' });
    const waiting = await home.rest('POST /api/tools/connect', { toolkit: 'gmail', name: 'Forged Mail' });
    const back = new URL([...composio.accounts.values()].at(-1)?.callbackUrl ?? '');
    back.searchParams.set('status', 'success');
    // There was no consent: a callback that claims it has no effect.
    expect((await fetch(back)).status).toBe(400);
    for (const state of ['', 'a', '"><script>alert(1)</script>']) {
      const answer = await fetch(
        `${scene.url}/api/composio/callback?state=${encodeURIComponent(state)}&status=success`,
      );
      expect([answer.status, (await answer.text()).includes('<script>alert')]).toEqual([400, false]);
    }
    const { status } = await home.client.call('GET /api/connections/:connection', {
      params: { connection: waiting.body.connection.id },
    });
    expect(status).toBe('pending');
  });
});

describe('beside accounts', () => {
  test('R-composio-client: an app without accounts is used once the workspace has said so', async () => {
    const { home, elsewhere } = scene;
    const call = { tool: 'hackernews__get_user', input: { text: 'x' } };
    const before = executions();
    // A grant alone does not make it available.
    await home.grant('hackernews', ['get_user']);
    expect((await home.asAgent('POST /api/tools/execute', call)).body.ok).toBe(false);
    expect(executions()).toBe(before);
    expect((await home.rest('POST /api/tools/add-to-workspace', { app_name: 'hackernews' })).body).toEqual({
      toolkit: 'hackernews',
      status: 'active',
    });
    expect((await home.asAgent('POST /api/tools/execute', call)).body).toMatchObject({ ok: true });
    const elsewhereCall = await elsewhere.asAgent('POST /api/tools/execute', call);
    expect(elsewhereCall.body.ok).toBe(false);
    await home.rest('POST /api/tools/disconnect', { toolkit: 'hackernews' });
    expect((await home.asAgent('POST /api/tools/execute', call)).body.ok).toBe(false);
  });

  test('R-composio-client: an app with a key is connected with it; the key is not stored here', async () => {
    const { home, composio } = scene;
    const key = 'abuse-canary-key-0123456789';
    const wrong = await home.rest('POST /api/tools/connect', { toolkit: 'abuselpdb', credentials: { nonsense: key } });
    expect([wrong.status, wrong.text.includes(key)]).toEqual([400, false]);
    // Composio repeats the key in a refusal, so it would be output and recorded if nothing removed it.
    composio.faults.push({
      when: ({ method, path }) => method === 'POST' && path.startsWith('/connected_accounts'),
      status: 400,
      body: { error: { message: `not a key: ${key}` } },
      times: 1,
    });
    const repeated = await home.rest('POST /api/tools/connect', {
      toolkit: 'abuselpdb',
      credentials: { generic_api_key: key },
    });
    expect(repeated.text).toContain('not a key: ');
    expect(repeated.text).not.toContain(key);
    const done = await home.rest('POST /api/tools/connect', {
      toolkit: 'abuselpdb',
      credentials: { generic_api_key: key },
    });
    expect([done.status, done.body.connection?.status]).toEqual([200, 'active']);
    expect([...composio.accounts.values()].at(-1)?.values).toMatchObject({ generic_api_key: key });
    await home.grant('abuselpdb', ['check_ip'], done.body.connection.id);
    const call = { tool: `${done.body.connection.slug}__check_ip`, input: { text: '1.1.1.1' } };
    expect((await home.asAgent('POST /api/tools/execute', call)).body.ok).toBe(true);
    expect(await scene.everything()).not.toContain(key);
  });

  test('R-priority: GitHub’s own toolkit comes before Composio’s; an account at Composio uses Composio’s tools', async () => {
    const { home } = scene;
    const { body: page } = await home.rest('GET /api/tools/marketplace?search=github');
    expect(page.apps.filter((app: any) => app.slug === 'github')).toMatchObject([{ provider: 'native' }]);
    const kept = await scene.connected('github', 'Kept GitHub');
    const own = await home.rest('POST /api/tools/connect', {
      toolkit: 'github',
      name: 'Own GitHub',
      scheme: 'token',
      check: false,
      credentials: { token: 'ghp_0123456789abcdefghijABCDEFGHIJ012345' },
    });
    expect(own.body.connection.status).toBe('active');
    const names = (await scene.helve.plane.tools(home.admin)).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const of = (slug: string) => names.filter((name) => name.startsWith(`${slug}__`));
    expect(of('kept-github').sort()).toEqual(['kept-github__create_an_issue', 'kept-github__get_repository']);
    expect(of('own-github')).toContain('own-github__create_issue');
    expect(of('own-github')).not.toContain('own-github__create_an_issue');
    await home.grant('github', ['create_an_issue'], kept.id);
    const from = executions();
    const made = await home.asAgent('POST /api/tools/execute', {
      tool: 'kept-github__create_an_issue',
      input: { text: 'x' },
    });
    expect([made.body.ok, made.body.error?.message, executions()]).toEqual([true, undefined, from + 1]);
  });

  test('R-visibility: another workspace sees and reaches nothing of it', async () => {
    const { home, elsewhere } = scene;
    const mine = (await home.rest('GET /api/tools/connected')).body.connections;
    expect(mine.length).toBeGreaterThan(3);
    expect((await elsewhere.rest('GET /api/tools/connected')).body.connections).toEqual([]);
    expect((await elsewhere.rest('GET /api/tools/debug/connections')).body.connections).toEqual([]);
    const { body } = await elsewhere.rest('GET /api/tools/marketplace?status=connected&provider=composio');
    expect(body.apps).toEqual([]);
    const from = executions();
    for (const { id, slug } of mine) {
      expect((await elsewhere.rest(`GET /api/connections/${id}`)).status).toBe(404);
      expect((await elsewhere.rest('POST /api/tools/disconnect', { connection: id })).status).toBe(404);
      const call = await elsewhere.asAgent('POST /api/tools/execute', {
        tool: `${slug}__send_email`,
        input: { text: 'x' },
      });
      expect(call.body.ok).toBe(false);
    }
    expect(executions()).toBe(from);
    // At Composio there are two accounts.
    const theirs = await scene.connected('gmail', 'Work Mail', elsewhere);
    expect(theirs.slug).toBe('work-mail');
    const users = new Set([...scene.composio.accounts.values()].map(({ userId }) => userId));
    expect(users.size).toBe(2);
  });

  test('R-composio-client R-audit: legacy and upper-case names resolve where there is one account, and each call is in the record', async () => {
    const { elsewhere: place } = scene;
    const [{ id }] = (await place.rest('GET /api/tools/connected')).body.connections;
    await place.grant('gmail', ['fetch_emails'], id);
    for (const tool of ['composio-gmail_fetch_emails', 'GMAIL_FETCH_EMAILS']) {
      const from = executions();
      const { body } = await place.asAgent('POST /api/tools/execute', { tool, input: { text: tool } });
      expect([tool, body.ok, body.error?.message]).toEqual([tool, true, undefined]);
      expect(executions()).toBe(from + 1);
      const { body: audit } = await place.rest(`GET /api/audit?executionId=${body.executionId}`);
      expect(audit.events.map((event: any) => event.type).sort()).toEqual(['execution.finished', 'execution.started']);
    }
    const from = executions();
    // No account has the slug gmail.
    for (const tool of ['composio-gmail_send_email', 'composio-github_create_an_issue', 'gmail__fetch_emails']) {
      const refused = await place.asAgent('POST /api/tools/execute', { tool, input: { text: 'x' } });
      expect([tool, refused.body.ok, executions()]).toEqual([tool, false, from]);
    }
  });

  test('R-vault: no token of Composio and no key of ours is stored, output or reported', async () => {
    const { home } = scene;
    const routes = [
      'tools/connected',
      'tools/debug/connections',
      'audit?limit=500',
      'tools/marketplace',
      'tools/sync-history',
    ];
    const told = await Promise.all(routes.map(async (route) => (await home.rest(`GET /api/${route}`)).text));
    const everything = [await scene.everything(), ...told].join('\n');
    expect(everything).toContain('work-mail');
    for (const secret of [apiKey, 'secret-access-token', 'secret-refresh-token', 'ghp_0123456789abcdef'])
      expect([secret, everything.includes(secret)]).toEqual([secret, false]);
    // A key that Composio refuses is not repeated either.
    scene.composio.faults.push({
      when: ({ path }) => path.startsWith('/tools/execute/'),
      status: 401,
      body: { error: { message: `Invalid API key ${apiKey}` } },
      times: 5,
    });
    const refused = await home.asAgent('POST /api/tools/execute', {
      tool: 'work-mail__send_email',
      input: { text: 'x' },
    });
    expect([refused.body.ok, refused.text.includes(apiKey)]).toEqual([false, false]);
    expect((await scene.everything()).includes(apiKey)).toBe(false);
  });
});

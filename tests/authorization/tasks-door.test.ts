/** Programs that a person authorises at the MCP server of tasks: they act as that person, there and nowhere else. */
import { auth, Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/domain/principal.js';
import { endAll, textOf } from '../mcp/real-door.js';
import {
  authorizeAddress,
  codeForm,
  createProvider,
  type Ground,
  getCode,
  knock,
  openGround,
  openPage,
  pkce,
  refresh,
  toToken,
} from './ground.js';

let ground: Ground;
let resource: string;
beforeAll(async () => {
  ground = await openGround();
  resource = `${ground.url}/mcp/tasks`;
});
afterAll(endAll);

async function tokensAt(changes: Record<string, string> = {}, guest = ground) {
  const code = await getCode(guest, { resource, ...changes });
  const form = codeForm(guest, code, { resource: changes.resource ?? resource });
  const { status, body } = await toToken(guest, form);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

async function connect(token: string) {
  const client = new Client({ name: 'program', version: '0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(resource), { requestInit }));
  return client;
}

async function signInAs(role: Role) {
  const { plane, admin } = ground.helve;
  const { user, link } = await plane.createUser(admin, { name: `A ${role}`, role });
  const { session } = await plane.redeemAdminLink(link.slice(link.indexOf('token=') + 'token='.length));
  return { user, guest: { ...ground, cookie: ground.cookie.replace(/=.*/, `=${session}`) } };
}

describe('R-task-mcp: OAuth at the MCP server of tasks', () => {
  it('R-task-mcp: the official client signs in by itself and files an issue, as the person', async () => {
    const { kept, provider } = createProvider(ground);
    const authProvider = provider as OAuthClientProvider;
    const open = () => new StreamableHTTPClientTransport(new URL(resource), { authProvider });
    const first = open();
    await expect(new Client({ name: 'test', version: '0' }).connect(first)).rejects.toThrow();
    await first.finishAuth(kept.back!.searchParams);
    const client = new Client({ name: 'test', version: '0' });
    await client.connect(open());
    const filed: any = await client.callTool({ name: 'create_issue', arguments: { title: 'It breaks' } });
    const { id } = filed.structuredContent;
    const given: any = await client.callTool({ name: 'assign_issue', arguments: { id, agent: 'bob' } });
    expect(given.structuredContent).toMatchObject({ agent: 'bob' });
    await client.close();
    const rows = (await ground.helve.audited()).filter(({ type }) => /^issue\.(?:created|assigned)$/.test(type));
    expect(rows.map(({ actor }) => actor.kind)).toEqual(['user', 'user']);
    expect(await auth(authProvider, { serverUrl: resource })).toBe('AUTHORIZED');
    expect((await knock(resource, kept.tokens.access_token)).status).toBe(200);
  });

  it('R-task-mcp: the page says what the program could do as the person, and names no agent', async () => {
    const text = await (await openPage(authorizeAddress(ground, pkce().challenge, { resource }), ground.cookie)).text();
    expect(text).toContain('to work with issues on your behalf');
    expect(text).toContain('Assign issues to agents, which then work for you with your accounts');
    expect(text).not.toContain('as the agent');
  });

  it('R-task-mcp: its token is valid at no other address, and no other program’s token is valid there', async () => {
    const { access_token } = await tokensAt();
    expect((await knock(resource, access_token)).status).toBe(200);
    for (const address of [ground.alice.address, `${ground.url}/mcp/${ground.alice.principal.id}`])
      expect((await knock(address, access_token)).status).toBe(401);
    const headers = { authorization: `Bearer ${access_token}` };
    for (const path of ['/api/agents', '/api/session', '/api/issues', '/api/tools/executions'])
      expect((await fetch(ground.url + path, { headers })).status).toBe(401);
    const cookie = { cookie: `helve_session=${access_token}`, accept: 'application/json' };
    expect((await fetch(`${ground.url}/api/agents`, { headers: cookie })).status).toBe(401);

    const ofAlice = await toToken(ground, codeForm(ground, await getCode(ground)));
    expect((await knock(ground.alice.address, ofAlice.body.access_token)).status).toBe(200);
    expect((await knock(resource, ofAlice.body.access_token)).status).toBe(401);
  });

  it('R-mcp-server: a session goes on when its program renews its token, and is only for its own authorization', async () => {
    const own = await openGround();
    const { plane, mcpSessions, advance } = own.helve;
    const tokensOfProgram = () => tokensAt({ resource: `${own.url}/mcp/tasks` }, own);
    const callerWith = async (token: string) => ({
      principal: await plane.authenticate(token, `${own.url}/mcp/tasks`),
      door: 'helve-tasks',
    });
    const [first, other] = [await tokensOfProgram(), await tokensOfProgram()];
    const session = { id: 'renewed', hello: {}, wishes: { watched: [] } };
    const idleMs = 24 * 3_600_000;
    await mcpSessions.open(await callerWith(first.access_token), session, { max: 9, idleMs });
    advance((first.expires_in + 1) * 1000);
    await expect(callerWith(first.access_token)).rejects.toMatchObject({ code: 'unauthenticated' });
    const find = async ({ refresh_token }: { refresh_token: string }) => {
      const { body } = await refresh(own, refresh_token);
      return mcpSessions.find(await callerWith(body.access_token), 'renewed', idleMs);
    };
    expect(await find(first)).toMatchObject(session);
    // The same person, who has authorized the same program once more.
    expect(await find(other)).toBeUndefined();
  });

  it('R-task-mcp: it may only do what the person agreed to', async () => {
    const { access_token, scope } = await tokensAt({ scope: 'tools:read tools:call' });
    expect(scope).toBe('tools:read tools:call');
    const client = await connect(access_token);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('create_issue');
    expect(names).not.toContain('assign_issue');
    const filed: any = await client.callTool({ name: 'create_issue', arguments: { title: 'It breaks' } });
    const { id } = filed.structuredContent;
    const refused = await client
      .callTool({ name: 'assign_issue', arguments: { id, agent: 'bob' } })
      .then(textOf, (error: Error) => error.message);
    expect(refused).toMatch(/agents:act|assign_issue/);
    const read: any = await client.callTool({ name: 'get_issue', arguments: { id } });
    expect(read.structuredContent).toMatchObject({ state: 'idle' });
    await client.close();
  });

  it('R-task-mcp: it gets no more than the role of the person allows, and is out when the role changes', async () => {
    const { guest, user } = await signInAs('admin');
    const { access_token, refresh_token, scope } = await tokensAt({}, guest);
    expect(scope).toBe('tools:read tools:call agents:act');
    expect((await knock(resource, access_token)).text).toContain('assign_issue');
    await ground.helve.plane.changeUser(ground.helve.admin, user.id, { role: 'auditor' });
    expect((await knock(resource, access_token)).status).toBe(401);
    expect((await refresh(ground, refresh_token)).status).toBe(400);

    const auditor = await tokensAt({}, (await signInAs('auditor')).guest);
    expect(auditor.scope).toBe('tools:read');
    expect((await knock(resource, auditor.access_token)).text).not.toContain('create_issue');
  });

  it('R-task-mcp: a scope that the role does not allow at all is refused before anybody is asked', async () => {
    const { guest } = await signInAs('auditor');
    const address = authorizeAddress(guest, pkce().challenge, { resource, scope: 'agents:act' });
    const page = await openPage(address, guest.cookie);
    const text = await page.text();
    expect(page.status).toBe(400);
    expect(text).toContain('Your role allows nothing that the program asks for');
  });

  it('R-task-mcp: a stream that it follows ends when the person is disabled, and no refresh brings it back', async () => {
    const { guest, user } = await signInAs('admin');
    const { access_token, refresh_token } = await tokensAt({}, guest);
    const principal = await ground.helve.plane.authenticate(access_token, resource);
    expect(principal).toMatchObject({ kind: 'user', id: user.id });
    const issue = await ground.helve.plane.createIssue(ground.helve.admin, { title: 'Watched' });
    const events = ground.helve.plane.followIssue(principal, issue.id, new AbortController().signal);
    const seen: unknown[] = [];
    let open = () => {};
    const isOpen = new Promise<void>((resolve) => {
      open = resolve;
    });
    const following = (async () => {
      for await (const event of events) {
        seen.push(event);
        open();
      }
    })();
    await isOpen;
    await ground.helve.plane.changeUser(ground.helve.admin, user.id, { disabled: true });
    await ground.helve.plane.assignIssue(ground.helve.admin, issue.id, { agent: 'bob' });
    await expect(following).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(JSON.stringify(seen)).not.toContain('bob');
    expect((await knock(resource, access_token)).status).toBe(401);
    expect((await refresh(ground, refresh_token)).status).toBe(400);
  });

  it('R-task-mcp: a caller without a token is told where to get one', async () => {
    const { status, challenge } = await knock(resource, undefined);
    expect(status).toBe(401);
    const where = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
    expect(where).toBe(`${ground.url}/.well-known/oauth-protected-resource/mcp/tasks`);
    expect(await (await fetch(where)).json()).toMatchObject({
      resource,
      authorization_servers: [ground.url],
      scopes_supported: ['tools:read', 'tools:call', 'agents:act'],
    });
  });
});

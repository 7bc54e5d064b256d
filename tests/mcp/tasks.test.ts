/** The MCP server of tasks, with the official clients of both revisions, over HTTP. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { agentPermissions, type Permission } from '../../src/domain/principal.js';
import { atEnd, endAll, openRealDoor, type RealDoor, rpc, textOf, until } from './real-door.js';

afterEach(endAll);

type Kind = '2026-07-28' | '2025-11-25';
const kinds = ['2026-07-28', '2025-11-25'] as const;

/** What both clients have, as far as these tests use it. */
interface TaskClient {
  listTools(): Promise<any>;
  callTool(call: { name: string; arguments: object }): Promise<any>;
  listResources(): Promise<any>;
  listResourceTemplates(): Promise<any>;
  readResource(asked: { uri: string }): Promise<any>;
}

async function connect(kind: Kind, real: RealDoor, secret: string) {
  const url = new URL(`${real.url}/mcp/tasks`);
  const requestInit = { headers: { authorization: `Bearer ${secret}` } };
  const info = { name: 'test', version: '0.0.0' };
  let client: Client | OldClient;
  if (kind === '2026-07-28') {
    client = new Client(info, { versionNegotiation: { mode: { pin: kind } } });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  } else {
    client = new OldClient(info);
    // The transport of this client is declared without `exactOptionalPropertyTypes`.
    await client.connect(new OldTransport(url, { requestInit }) as any);
  }
  atEnd(() => client.close());
  return client as unknown as TaskClient & (Client | OldClient);
}

const agent: readonly Permission[] = [...agentPermissions];
const assigner: readonly Permission[] = [...agentPermissions, 'agents:act'];

async function keyWith({ helve }: RealDoor, permissions: readonly Permission[], admin = helve.admin) {
  return (await helve.plane.createApiKey(admin, { permissions })).secret;
}

async function open(kind: Kind, permissions = assigner) {
  const real = await openRealDoor();
  const client = await connect(kind, real, await keyWith(real, permissions));
  const call = (name: string, input: object = {}, options?: object): Promise<any> => {
    const asked = { name, arguments: { ...input } };
    return client instanceof Client ? client.callTool(asked, options) : client.callTool(asked, undefined, options);
  };
  return { real, client, call };
}

const every = [
  'assign_issue',
  'cancel_issue',
  'comment_issue',
  'create_issue',
  'get_issue',
  'list_issues',
  'retry_issue',
  'unassign_issue',
  'update_issue',
  'wait_for_issue',
];

describe.each(kinds)('R-task-mcp: tasks at %s', (kind) => {
  it('R-task-mcp R-levels: an issue is filed with a recipe, and loses it', async () => {
    const { real, call } = await open(kind);
    const { plane, admin } = real.helve;
    await plane.setRecipe(admin, 'triage', { steps: [{ prompt: 'Look', tools: [] }] });
    const wrong = await call('create_issue', { title: 'It breaks', recipe: 'triag' });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toMatch(/recipe: there is no recipe "triag"\nHint: Did you mean triage\?/);
    const filed = await call('create_issue', { title: 'It breaks', recipe: 'triage' });
    expect(filed.structuredContent).toMatchObject({ recipe: 'triage' });
    const { id } = filed.structuredContent;
    expect((await call('update_issue', { id, recipe: null })).structuredContent).not.toHaveProperty('recipe');
  });

  it('R-task-mcp: an issue is filed, changed, commented, assigned, cancelled, retried and unassigned', async () => {
    const { real, client, call } = await open(kind);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(every);
    const filed = await call('create_issue', { title: 'It breaks', body: 'Often', labels: ['bug'] });
    expect(filed.structuredContent).toMatchObject({ title: 'It breaks', state: 'idle', labels: ['bug'] });
    const { id } = filed.structuredContent;
    expect(JSON.parse(textOf(filed))).toEqual(filed.structuredContent);
    expect((await call('update_issue', { id, title: 'It breaks often' })).structuredContent).toMatchObject({
      title: 'It breaks often',
      body: 'Often',
    });
    expect((await call('comment_issue', { id, text: 'Since yesterday' })).structuredContent).toMatchObject({
      text: 'Since yesterday',
      author: { kind: 'api_key' },
    });
    const { issues } = (await call('list_issues', { limit: 10 })).structuredContent;
    expect(issues).toEqual([expect.objectContaining({ id, title: 'It breaks often' })]);
    expect(issues[0]).not.toHaveProperty('body');
    expect((await call('assign_issue', { id, agent: 'bob' })).structuredContent).toMatchObject({ agent: 'bob' });
    expect((await call('cancel_issue', { id })).structuredContent).toMatchObject({ state: 'cancelled' });
    expect((await call('retry_issue', { id })).structuredContent).toMatchObject({ agent: 'bob' });
    expect((await call('unassign_issue', { id })).structuredContent).toMatchObject({ state: 'idle' });
    expect((await call('get_issue', { id })).structuredContent).toEqual(
      JSON.parse(JSON.stringify(await real.helve.plane.getIssue(real.helve.admin, id))),
    );
    const types = (await real.helve.audited()).map(({ type }) => type).filter((type) => type.startsWith('issue.'));
    expect(types).toEqual([
      'issue.created',
      'issue.changed',
      'issue.commented',
      'issue.assigned',
      'issue.cancelled',
      'issue.retried',
      'issue.unassigned',
    ]);
  });

  it('R-task-mcp: errors say what to do next', async () => {
    const { call, client } = await open(kind);
    const wrong = await call('create_issue', { title: '', priority: 1 });
    expect(wrong).toMatchObject({ isError: true, _meta: { code: 'invalid_input' } });
    expect(textOf(wrong)).toMatch(/\/title .*\nHint: tools\/list gives the input of create_issue/s);
    expect(textOf(await call('get_issue', { id: 'iss_none' }))).toMatch(/^not_found: .*\nHint: list_issues /);
    const { id } = (await call('create_issue', { title: 'It breaks' })).structuredContent;
    expect(textOf(await call('retry_issue', { id }))).toMatch(/^conflict: .* idle .*\nHint: get_issue /);
    expect(textOf(await call('assign_issue', { id, agent: 'nobody' }))).toMatch(/^not_found: .*nobody.*\nHint: /);
    await expect(client.callTool({ name: 'calculate', arguments: { expression: '1' } })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('R-task-mcp: who may not assign is refused, and may do the rest; a member only reads', async () => {
    const { real, client, call } = await open(kind, agent);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(every.filter((name) => name !== 'assign_issue' && name !== 'retry_issue'));
    const { id } = (await call('create_issue', { title: 'It breaks' })).structuredContent;
    const refused = await call('assign_issue', { id, agent: 'bob' });
    expect(refused).toMatchObject({ isError: true, _meta: { code: 'forbidden' } });
    expect((await real.helve.plane.getIssue(real.helve.admin, id)).agent).toBeUndefined();
    // The same call with the permission assigns it.
    const other = await connect(kind, real, await keyWith(real, assigner));
    await other.callTool({ name: 'assign_issue', arguments: { id, agent: 'bob' } });
    expect((await real.helve.plane.getIssue(real.helve.admin, id)).agent).toBe('bob');
    const { secret } = await real.helve.plane.createApiKey(real.helve.admin, { role: 'member' });
    const reader = await connect(kind, real, secret);
    for (const [name, input] of [
      ['create_issue', { title: 'Another' }],
      ['assign_issue', { id, agent: 'alice' }],
    ] as const) {
      const result = await reader.callTool({ name, arguments: input });
      expect(result, name).toMatchObject({ isError: true, _meta: { code: 'forbidden' } });
    }
    expect((await real.helve.plane.getIssue(real.helve.admin, id)).agent).toBe('bob');
    const seen = await reader.callTool({ name: 'list_issues', arguments: {} });
    expect(seen.structuredContent.issues.map((issue: { id: string }) => issue.id)).toEqual([id]);
  });

  it('R-task-mcp: another workspace sees nothing, and changes nothing', async () => {
    const { real, call } = await open(kind);
    const { id } = (await call('create_issue', { title: 'Ours' })).structuredContent;
    const stranger = await connect(kind, real, real.outsider.token);
    const colleague = await connect(kind, real, real.alice.token);
    const attempts = [
      ['get_issue', {}],
      ['update_issue', { title: 'Theirs' }],
      ['comment_issue', { text: 'Theirs' }],
      ['cancel_issue', {}],
      ['wait_for_issue', { timeoutSeconds: 1 }],
    ] as const;
    const uri = `helve://issues/${id}`;
    for (const [name, more] of attempts) {
      const result = await stranger.callTool({ name, arguments: { id, ...more } });
      expect(result, name).toMatchObject({ isError: true, _meta: { code: 'not_found' } });
    }
    const listOf = async (client: TaskClient) =>
      (await client.callTool({ name: 'list_issues', arguments: {} })).structuredContent.issues.length;
    expect([await listOf(stranger), (await stranger.listResources()).resources.length]).toEqual([0, 0]);
    await expect(stranger.readResource({ uri })).rejects.toThrow();
    expect(await real.helve.plane.getIssue(real.helve.admin, id)).toMatchObject({ title: 'Ours', state: 'idle' });
    // The control: a colleague sees it, and each attempt succeeds.
    expect([await listOf(colleague), (await colleague.listResources()).resources.length]).toEqual([1, 1]);
    expect((await colleague.readResource({ uri })).contents).toHaveLength(1);
    for (const [name, more] of attempts) {
      const result = await colleague.callTool({ name, arguments: { id, ...more } });
      expect(result.isError, name).toBeUndefined();
    }
  });

  it('R-task-mcp: wait_for_issue returns at the next state, at the end of its time, or at once', async () => {
    const { call } = await open(kind);
    const { id } = (await call('create_issue', { title: 'It breaks' })).structuredContent;
    const progress = vi.fn();
    const waiting = call('wait_for_issue', { id, timeoutSeconds: 60 }, { onprogress: progress });
    await until(() => expect(progress).toHaveBeenCalled());
    expect(progress).toHaveBeenCalledWith({ progress: expect.any(Number), total: 60, message: 'idle' });
    await call('cancel_issue', { id });
    expect((await waiting).structuredContent).toMatchObject({ changed: true, issue: { state: 'cancelled' } });
    // It has ended, so nothing is waited for; and it is no longer what the caller saw.
    const over = await call('wait_for_issue', { id, timeoutSeconds: 300 });
    expect(over.structuredContent).toMatchObject({ changed: false, issue: { state: 'cancelled' } });
    const missed = await call('wait_for_issue', { id, state: 'idle', timeoutSeconds: 300 });
    expect(missed.structuredContent).toMatchObject({ changed: true, issue: { state: 'cancelled' } });
    await call('unassign_issue', { id });
    const quiet = await call('wait_for_issue', { id, timeoutSeconds: 1 });
    expect(quiet.structuredContent).toMatchObject({ changed: false, issue: { id } });
  });

  it('R-task-mcp: an issue is a resource that tells of its changes', async () => {
    const { call, client } = await open(kind);
    const { id } = (await call('create_issue', { title: 'It breaks' })).structuredContent;
    await call('comment_issue', { id, text: 'Since yesterday' });
    const uri = `helve://issues/${id}`;
    expect((await client.listResources()).resources).toEqual([expect.objectContaining({ uri, title: 'It breaks' })]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([
      expect.objectContaining({ uriTemplate: 'helve://issues/{id}' }),
    ]);
    const read = async () => JSON.parse((await client.readResource({ uri })).contents[0].text);
    expect(await read()).toMatchObject({
      issue: { id, state: 'idle' },
      timeline: [{ what: 'created' }, { what: 'comment', comment: { text: 'Since yesterday' } }],
    });
    await expect(client.readResource({ uri: 'helve://issues/none' })).rejects.toThrow();
    await expect(client.readResource({ uri: 'helve://types' })).rejects.toThrow();
    const states: string[] = [];
    const onUpdate = async () => void states.push((await read()).issue.state);
    if (client instanceof Client) {
      client.setNotificationHandler('notifications/resources/updated', onUpdate);
      await client.listen({ resourceSubscriptions: [uri] });
    } else {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, onUpdate);
      await expect(client.subscribeResource({ uri: 'helve://issues/none' })).rejects.toThrow();
      await client.subscribeResource({ uri });
    }
    await call('cancel_issue', { id });
    await until(() => expect(states).toContain('cancelled'));
  });
});

describe('R-task-mcp: who may come in', () => {
  const ask = (url: string, authorization?: string) =>
    fetch(`${url}/mcp/tasks`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(authorization && { authorization }),
      },
      body: JSON.stringify(rpc('tools/list')),
    });

  it('R-task-mcp: only with a token that is valid', async () => {
    const real = await openRealDoor();
    expect((await ask(real.url)).status).toBe(401);
    const wrong = await ask(real.url, `Bearer helve_${'x'.repeat(43)}`);
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", resource_metadata="/);
    const good = await ask(real.url, `Bearer ${real.alice.token}`);
    expect(good.status).toBe(200);
    expect((await good.json()).result.tools).toHaveLength(8);
  });
});

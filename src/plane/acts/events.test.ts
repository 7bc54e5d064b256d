/** The live events of a workspace: in order, without a gap, and only what the receiver may see while it may. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WorkspaceEvent } from '../../domain/events.js';
import { agentPrincipal, allPermissions, type Principal } from '../../domain/principal.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { vault } from './testing/vault-toolkit.js';

let helve: TestHelve;
let stop: AbortController;
beforeEach(async () => {
  stop = new AbortController();
  helve = await createTestHelve({
    nativeToolkits: [],
    tools: [testTool({ name: 'guarded', highRisk: true }), testTool({ name: 'echo' })],
    toolkits: [vault],
    connections: ['One', 'Two'].map((name) => ({ toolkit: 'vault', name, credentials: { token: name } })),
  });
});
afterEach(async () => {
  stop.abort();
  await helve.close();
});

/** Everything so far, without positions. */
async function read(by: Principal, after = 0): Promise<WorkspaceEvent[]> {
  const events: WorkspaceEvent[] = [];
  for await (const event of helve.plane.events(by, { after, live: false }, stop.signal)) events.push(event);
  expect(events.at(-1)?.type).toBe('position');
  return events.slice(0, -1);
}

/** Follows from now on. `next` waits for the next event that is no position. */
async function follow(by: Principal, after?: number) {
  const events = helve.plane.events(by, after === undefined ? {} : { after }, stop.signal)[Symbol.asyncIterator]();
  if (after === undefined) expect((await events.next()).value).toMatchObject({ type: 'position' });
  return {
    async next(): Promise<WorkspaceEvent | undefined> {
      for (;;) {
        const { value, done } = await events.next();
        if (done || value.type !== 'position') return value;
      }
    },
    /** The code of the error with which it ends. */
    async end(): Promise<string> {
      try {
        for (;;) if ((await events.next()).done) return 'ended';
      } catch (error) {
        return (error as { code: string }).code;
      }
    },
  };
}

test('R-stream: what is recorded is sent as it happens, in the order and with the numbers of the record', async () => {
  const events = await follow(helve.admin);
  const { executionId } = await helve.call('one__open_vault', { shelf: 'top' });
  const started = await events.next();
  const connectionId = (await helve.plane.connection(helve.admin, 'one')).id;
  const facts = { executionId, tool: 'Vault.openVault', agent: helve.agent.id, connectionId };
  expect(started).toMatchObject({ type: 'execution.started', ...facts });
  expect(await events.next()).toMatchObject({
    type: 'execution.finished',
    status: 'ok',
    seq: started!.seq + 1,
    ...facts,
  });
  await helve.call('guarded', {});
  const asked = await events.next();
  expect(asked).toMatchObject({ type: 'approval.requested', approvalId: expect.any(String) });
  expect(await events.next()).toMatchObject({ type: 'execution.refused' });
  const { approvalId = '' } = asked as { approvalId?: string };
  await helve.plane.decideApproval(helve.admin, approvalId, 'rejected', 'api');
  expect(await events.next()).toMatchObject({ type: 'approval.decided', approvalId, status: 'rejected' });
  await helve.plane.replaceGrants(helve.admin, 'tester', []);
  expect(await events.next()).toMatchObject({ type: 'grants.replaced', agent: helve.agent.id });
  await helve.plane.replacePolicies(helve.admin, []);
  expect(await events.next()).toMatchObject({ type: 'policies.replaced' });
});

test('R-stream: a receiver that was away goes on after the last event that it has, without a gap or a repetition', async () => {
  for (let i = 0; i < 150; i += 1) await helve.call('echo', { i });
  const all = await helve.audited();
  const events = await read(helve.admin);
  expect(events.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq));
  const middle = all[200]?.seq ?? 0;
  const later = await follow(helve.admin, middle);
  const { executionId } = await helve.call('echo', {});
  const got: number[] = [];
  for (;;) {
    const event = await later.next();
    got.push(event?.seq ?? 0);
    if (event?.type === 'execution.finished' && event.executionId === executionId) break;
  }
  expect(got).toEqual((await helve.audited()).map(({ seq }) => seq).filter((seq) => seq > middle));
});

test('R-stream: whoever sees none of the rows is told a new position every five seconds, and no position twice', async () => {
  const other = agentPrincipal(await helve.plane.createAgent(helve.admin, { slug: 'other' }), helve.workspaceId);
  const events = helve.plane.events(other, {}, stop.signal)[Symbol.asyncIterator]();
  let told = (await events.next()).value;
  const pending = () => {
    const next = events.next();
    // Longer than a follower rests.
    const rest = new Promise((resolve) => setTimeout(resolve, 1_500, 'nothing'));
    return { next, first: Promise.race([next, rest]) };
  };
  helve.advance(6_000);
  const unchanged = pending();
  expect(await unchanged.first).toBe('nothing');
  await helve.call('echo', {});
  let { value } = await unchanged.next;
  expect(value).toMatchObject({ type: 'position' });
  expect(value.seq).toBeGreaterThan(told.seq);
  told = value;
  await helve.call('echo', {});
  const tooSoon = pending();
  expect(await tooSoon.first).toBe('nothing');
  helve.advance(6_000);
  ({ value } = await tooSoon.next);
  expect(value).toMatchObject({ type: 'position' });
  expect(value.seq).toBeGreaterThan(told.seq);
});

test('R-stream: a position beyond the end of the record starts at the end', async () => {
  const seq = (await helve.audited()).length;
  const events = helve.plane.events(helve.admin, { after: 1_000_000 }, stop.signal)[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ type: 'position', seq });
  const { executionId } = await helve.call('echo', {});
  expect((await events.next()).value).toMatchObject({ type: 'execution.started', seq: seq + 1, executionId });
});

describe('who sees what', () => {
  const types = async (by: Principal) => [...new Set((await read(by)).map(({ type }) => type))].sort();

  test('leak: without audit:read an agent gets its own calls and no other, and an auditor gets all', async () => {
    const own = (await helve.call('echo', {})).executionId;
    const other = agentPrincipal(await helve.plane.createAgent(helve.admin, { slug: 'other' }), helve.workspaceId);
    const foreign = await helve.plane.execute({ principal: other, tool: 'echo', input: {} });
    const seen = await read(helve.agent);
    const calls = seen.map((event) => ('executionId' in event ? event.executionId : undefined));
    expect(calls).toContain(own);
    expect(calls).not.toContain(foreign.executionId);
    const auditor = { ...helve.admin, permissions: allPermissions.filter((one) => one.endsWith(':read')) };
    expect((await read(auditor)).map((event) => ('executionId' in event ? event.executionId : undefined))).toContain(
      foreign.executionId,
    );
    expect(await types({ ...helve.agent, id: 'nobody' })).toEqual(['workspace.created']);
  });

  test('leak: a member gets what concerns their accounts, and nothing of the accounts of others', async () => {
    const { id } = await helve.plane.connection(helve.admin, 'one');
    await helve.call('one__open_vault', {});
    await helve.call('guarded', {});
    const owner: Principal = {
      ...helve.admin,
      permissions: ['tools:read', 'connections:read', 'approvals:read'],
      ownAccountsOnly: true,
    };
    const mine = await read(owner);
    expect(mine).toContainEqual(expect.objectContaining({ type: 'execution.finished', connectionId: id }));
    expect(mine).toContainEqual(expect.objectContaining({ type: 'connection.connected', connectionId: id }));
    // A call without an account is nobody's.
    expect(mine).not.toContainEqual(expect.objectContaining({ type: 'approval.requested' }));
    const stranger: Principal = { ...owner, id: 'stranger' };
    expect(await types(stranger)).toEqual(['workspace.created']);
  });

  test('leak: each topic needs the permission that reads it', async () => {
    await helve.plane.replacePolicies(helve.admin, []);
    const with_ = (permissions: Principal['permissions']): Principal => ({ ...helve.admin, id: 'key', permissions });
    expect(await types(with_(['tools:read', 'grants:read']))).toContain('grants.replaced');
    expect(await types(with_(['tools:read', 'policies:read']))).toContain('policies.replaced');
    expect(await types(with_(['tools:read', 'agents:read']))).toContain('agent.created');
    const less = await types(with_(['tools:read']));
    for (const type of ['grants.replaced', 'policies.replaced', 'agent.created', 'connection.added'])
      expect(less).not.toContain(type);
  });
});

describe('attack: the stream ends when the rights of its receiver end', () => {
  const secretIn = (link: string): string => link.slice(link.indexOf('token=') + 'token='.length);

  async function join(role: 'admin' | 'member'): Promise<Principal & { session: string }> {
    const { link } = await helve.plane.createUser(helve.admin, { name: 'Mia', role });
    const { session } = await helve.plane.redeemAdminLink(secretIn(link));
    return { ...(await helve.plane.authenticateSession(session)), session };
  }

  test('R-people: when the session is ended', async () => {
    const mia = await join('admin');
    const events = await follow(mia);
    await helve.call('echo', {});
    // The control: it received while the session lasted.
    expect(await events.next()).toMatchObject({ type: 'execution.started' });
    await helve.plane.signOut(mia);
    await helve.call('echo', { secret: 'later' });
    expect(await events.end()).toBe('unauthenticated');
  });

  test('R-people: when the role is changed, before anything recorded later is sent', async () => {
    const mia = await join('admin');
    const events = await follow(mia);
    await helve.plane.changeUser(helve.admin, mia.id, { role: 'member' });
    await helve.call('echo', {});
    await expect(events.next()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('R-people: when the person is disabled', async () => {
    const mia = await join('member');
    const events = await follow(mia);
    await helve.plane.changeUser(helve.admin, mia.id, { disabled: true });
    expect(await events.end()).toBe('unauthenticated');
  });

  test('R-people: when a token is revoked', async () => {
    const { secret, credential } = await helve.plane.issueAgentToken(helve.admin, 'tester', {});
    const events = await follow(await helve.plane.authenticate(secret));
    await helve.plane.revokeCredential(helve.admin, credential.id);
    expect(await events.end()).toBe('unauthenticated');
  });

  test('R-people: when a key expires, or a session was not used for too long', async () => {
    const key = await helve.plane.createApiKey(helve.admin, { permissions: ['tools:read'], expiresInSeconds: 60 });
    const events = await follow(await helve.plane.authenticate(key.secret));
    const mia = await join('admin');
    const others = await follow(mia);
    helve.advance(61_000);
    expect(await events.end()).toBe('unauthenticated');
    helve.advance(3 * 3_600_000);
    expect(await others.end()).toBe('unauthenticated');
  });
});

/**
 * The contract of every store, run against each implementation. Every test works in two workspaces with
 * equal ids, so that a query that forgets its workspace fails.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GrantInput, Policy } from '../domain/grant.js';
import type { Storage, WorkspaceStorage } from '../domain/storage.js';
import { accountsContract } from './storage-contract-accounts.js';
import { actorsContract } from './storage-contract-actors.js';
import { authorizationsContract } from './storage-contract-authorizations.js';
import { changesContract } from './storage-contract-changes.js';
import { documentsContract } from './storage-contract-documents.js';
import { issuesContract } from './storage-contract-issues.js';
import { learnedTypesContract } from './storage-contract-learned-types.js';
import { mcpSessionsContract } from './storage-contract-mcp-sessions.js';
import { notificationsContract } from './storage-contract-notifications.js';
import { recordContract } from './storage-contract-record.js';
import { runsContract } from './storage-contract-runs.js';
import { secretsContract } from './storage-contract-secrets.js';
import { approvalsContract, valuesContract } from './storage-contract-values.js';
import {
  agent,
  type ContractParts,
  checkChain,
  credential,
  draft,
  type StorageUnderTest,
  time,
  workspace,
} from './storage-fixtures.js';

export type { StorageUnderTest } from './storage-fixtures.js';

export function storageContract(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(name, () => {
    let under: StorageUnderTest;
    let storage: Storage;
    let count = 0;
    let one: WorkspaceStorage;
    let two: WorkspaceStorage;
    beforeAll(async () => {
      under = await open();
      storage = under.storage;
    });
    afterAll(() => under.dispose());
    beforeEach(async () => {
      count += 1;
      for (const id of [`one${count}`, `two${count}`]) await storage.system.createWorkspace(workspace(id), [draft()]);
      one = storage.workspace(`one${count}`);
      two = storage.workspace(`two${count}`);
    });
    const parts = { under: () => under, one: () => one, two: () => two };
    describe('workspaces', () => workspaces(parts));
    describe('configuration', () => configuration(parts));
    describe('changes of a configuration', () => changesContract(parts));
    describe('credentials', () => credentials(parts));
    describe('approvals', () => approvalsContract(parts));
    describe('authorizations', () => authorizationsContract(parts));
    describe('values', () => valuesContract(parts));
    describe('notifications', () => notificationsContract(parts));
    describe('documents', () => documentsContract(parts));
    describe('learned types', () => learnedTypesContract(parts));
    describe('runs', () => runsContract(parts));
    describe('actors', () => actorsContract(parts));
    describe('issues', () => issuesContract(parts));
    describe('sessions of MCP clients', () => mcpSessionsContract(parts));
    describe('accounts', () => accountsContract(parts));
    describe('secrets', () => secretsContract(parts));
    describe('the record', () => recordContract(parts));
    it('keeps everything over a reopen', async () => {
      await one.keyValues.set('n', 'k', { kept: true }, undefined);
      const again = await under.reopen();
      storage = again;
      under = { ...under, storage: again };
      expect(await again.workspace(one.workspaceId).keyValues.get('n', 'k', time(0))).toEqual({ kept: true });
      expect(await checkChain(again, one.workspaceId)).toBe(1);
    });
  });
}

const refused = (code: string) => expect.objectContaining({ name: 'HelveError', code });

function workspaces({ under, one }: ContractParts): void {
  it('creates a workspace once in a race', async () => {
    const slug = `race-${one().workspaceId}`;
    const second = await under().second();
    const handles = [under().storage, second, under().storage, second];
    const results = await Promise.all(
      handles.map((storage, index) =>
        storage.system.createWorkspace({ ...workspace(`${slug}-${index}`), slug }, [
          draft({ type: 'workspace.created' }),
        ]),
      ),
    );
    await second.close();
    expect(results.filter((result) => result.created)).toHaveLength(1);
    expect(new Set(results.map((result) => result.workspace.id)).size).toBe(1);
    expect(await checkChain(under().storage, results[0]?.workspace.id ?? '')).toBe(1);
  });
  it('finds by id and by slug, and not otherwise', async () => {
    const { system } = under().storage;
    const expected = workspace(one().workspaceId);
    expect(await system.findWorkspace(expected.id)).toEqual(expected);
    expect(await system.findWorkspace(expected.slug)).toEqual(expected);
    expect(await system.findWorkspace('nobody')).toBeUndefined();
    expect(await system.listWorkspaces()).toContainEqual(expected);
  });
  it('R-operate: knows how much room it takes, and that grows with its rows', async () => {
    const { system } = under().storage;
    const before = await system.measure();
    const body = { text: randomBytes(200_000).toString('hex') };
    await under().storage.commit([{ workspaceId: one().workspaceId, events: [draft({ body })] }]);
    expect((await system.measure()) - before).toBeGreaterThan(0);
  });
  it('refuses an id that exists under another slug', async () => {
    const { system } = under().storage;
    const again = { ...workspace(one().workspaceId), slug: `other-${one().workspaceId}` };
    await expect(system.createWorkspace(again, [])).rejects.toEqual(refused('conflict'));
  });
  it('says that a workspace is missing', async () => {
    const missing = under().storage.workspace('nobody');
    await expect(missing.configuration()).rejects.toEqual(refused('not_found'));
    await expect(missing.revision()).rejects.toEqual(refused('not_found'));
    await expect(missing.audit.head()).rejects.toEqual(refused('not_found'));
    await expect(missing.change([], async () => 1)).rejects.toEqual(refused('not_found'));
    await expect(missing.keyValues.set('n', 'k', 1, undefined)).rejects.toEqual(refused('not_found'));
  });
  it('R-pipeline: stores processes with the time of the store, and restores one that was removed', async () => {
    const { system } = under().storage;
    const instance = { id: 'i1', host: 'h', pid: 7, startToken: 't' };
    const before = (await under().storage.now()).toISOString();
    expect(await system.touchInstance(instance)).toBe('added');
    const [first] = await system.listInstances();
    expect(first).toMatchObject(instance);
    expect(first && first.seenAt >= before && first.seenAt <= (await under().storage.now()).toISOString()).toBe(true);
    await vi.waitFor(async () =>
      expect((await under().storage.now()).toISOString() > (first?.seenAt ?? '')).toBe(true),
    );
    expect(await system.touchInstance({ ...instance, pid: 8 })).toBe('updated');
    const [second] = await system.listInstances();
    expect(second).toMatchObject({ ...instance, pid: 8 });
    expect((second?.seenAt ?? '') > (first?.seenAt ?? '')).toBe(true);
    // It has shown since then that it is alive, so an earlier look must not take anything away.
    await system.removeInstance('i1', first?.seenAt);
    expect(await system.listInstances()).toEqual([second]);
    await system.removeInstance('i1', second?.seenAt);
    expect(await system.listInstances()).toEqual([]);
    expect(await system.touchInstance(instance)).toBe('added');
    await system.removeInstance('i1');
    expect(await system.listInstances()).toEqual([]);
  });
}

const grants: GrantInput[] = [
  { toolkit: 'gmail', connectionId: 'c1', tools: ['send'], limits: { send: { type: 'object' } }, config: {} },
  { toolkit: 'math', tools: ['add', 'sub'], limits: {}, config: { add: { precision: 2 } } },
];

const policies: Policy[] = [
  { id: 'p2', effect: 'deny', when: { tools: ['send'], arguments: { type: 'object' } }, reason: 'no' },
  { id: 'p1', effect: 'allow', when: {}, rateLimit: { calls: 2, seconds: 60 } },
];

function configuration({ one, two, under }: ContractParts): void {
  it('R-grants: reads the written grants, in order, only within its workspace', async () => {
    for (const scope of [one(), two()]) await scope.change([draft()], (tables) => tables.insertAgent(agent('a1')));
    const written = await one().change([draft()], async (tables) => {
      await tables.insertUser({ id: 'u1', name: 'Ada', role: 'admin', status: 'active', createdAt: time(0) });
      await tables.replacePolicies(policies);
      await tables.putToolkitSetting({ toolkit: 'math', enabled: true });
      await tables.putToolkitSetting({ toolkit: 'math', enabled: false, enabledTools: ['add'] });
      return tables.replaceGrants('a1', grants);
    });
    const read = await one().configuration();
    expect(read).toEqual({
      workspaceId: one().workspaceId,
      revision: 3,
      policyVersion: 2,
      agents: [{ id: 'a1', slug: 'agent-a1', name: 'Agent a1' }],
      grants: written,
      policies,
      toolkits: [{ toolkit: 'math', enabled: false, enabledTools: ['add'] }],
      connections: [],
      pins: [],
    });
    expect(written.map(({ id: _id, agentId: _agentId, ...rest }) => rest)).toEqual(grants);
    const other = await two().configuration();
    expect([other.revision, other.policyVersion, other.grants, other.policies, other.toolkits]).toEqual([
      2,
      1,
      [],
      [],
      [],
    ]);
    expect([await one().listUsers(), await two().listUsers()].map((list) => list.length)).toEqual([1, 0]);
    expect([(await one().findUser('u1'))?.name, await two().findUser('u1')]).toEqual(['Ada', undefined]);
    expect(await checkChain(under().storage, one().workspaceId)).toBe(3);
  });
  it('R-grants: replaces, empties and deletes without touching the other workspace', async () => {
    for (const scope of [one(), two()]) {
      await scope.change([], async (tables) => {
        await tables.insertAgent(agent('a1'));
        await tables.insertCredential(credential('k', { hash: `${scope.workspaceId}-k` }));
        await tables.replaceGrants('a1', grants);
        await tables.replacePolicies(policies);
      });
    }
    await one().change([], (tables) => tables.replaceGrants('a1', grants.slice(1)));
    expect((await one().configuration()).grants).toHaveLength(1);
    await one().change([], async (tables) => {
      await tables.deleteAgent('a1');
      await tables.replacePolicies([]);
    });
    const [here, there] = [await one().configuration(), await two().configuration()];
    expect([here.agents, here.grants, here.policies]).toEqual([[], [], []]);
    expect([there.agents.length, there.grants.length, there.policies.length]).toEqual([1, 2, 2]);
    expect(await under().storage.system.findCredential(`${one().workspaceId}-k`)).toBeUndefined();
    expect(await two().listCredentials()).toHaveLength(1);
  });
  it('finds agents by id before slug', async () => {
    await one().change([], async (tables) => {
      await tables.insertAgent(agent('a1', { slug: 'x' }));
      await tables.insertAgent(agent('x', { slug: 'y' }));
    });
    expect((await one().findAgent('x'))?.id).toBe('x');
    expect((await one().findAgent('y'))?.id).toBe('x');
    expect(await two().findAgent('x')).toBeUndefined();
    expect((await one().listAgents()).map(({ id }) => id)).toEqual(['a1', 'x']);
    expect((await one().listAgents(['x', 'gone'])).map(({ id }) => id)).toEqual(['x']);
    expect(await one().listAgents([])).toEqual([]);
    expect(await two().listAgents()).toEqual([]);
  });
  it('stores the tool mode of an agent, and returns it in the configuration', async () => {
    for (const scope of [one(), two()])
      await scope.change([], async (tables) => {
        await tables.insertAgent(agent('a1', { toolMode: 'direct' }));
        await tables.insertAgent(agent('a2', { slug: 'usual' }));
      });
    const revision = await one().revision();
    await one().change([], (tables) => tables.changeAgent('a1', { name: 'Anew', toolMode: 'meta' }));
    expect(await one().findAgent('a1')).toEqual(agent('a1', { name: 'Anew', toolMode: 'meta' }));
    expect((await one().configuration()).agents.map(({ id, toolMode }) => [id, toolMode])).toEqual([
      ['a1', 'meta'],
      ['a2', undefined],
    ]);
    expect(await one().revision()).toBeGreaterThan(revision);
    expect((await two().findAgent('a1'))?.toolMode).toBe('direct');
    await one().change([], (tables) => tables.changeAgent('a1', { name: 'Anew' }));
    expect(await one().findAgent('a1')).toEqual(agent('a1', { name: 'Anew' }));
    const nobody = one().change([], (tables) => tables.changeAgent('nobody', { name: 'x' }));
    await expect(nobody).rejects.toEqual(refused('not_found'));
  });
  it('undoes the whole change when the work fails', async () => {
    await one().change([], (tables) => tables.insertAgent(agent('a1')));
    const failing = one().change([draft()], async (tables) => {
      await tables.insertAgent(agent('a2'));
      await tables.insertAgent(agent('a3', { slug: 'agent-a1' }));
    });
    await expect(failing).rejects.toEqual(refused('conflict'));
    expect([await one().revision(), (await one().listAgents()).length]).toEqual([2, 1]);
    expect((await one().audit.head()).seq).toBe(1);
    const twice = one().change([], (tables) => tables.replaceGrants('a1', [...grants, ...grants.slice(1)]));
    await expect(twice).rejects.toEqual(refused('conflict'));
    await expect(one().change([], (tables) => tables.deleteAgent('a9'))).rejects.toEqual(refused('not_found'));
    await expect(one().change([], (tables) => tables.replaceGrants('a9', []))).rejects.toEqual(refused('not_found'));
  });
  it('tells listeners of each committed change to a configuration, and of nothing else', async () => {
    const told: string[] = [];
    const end = under().storage.onChange((workspaceId) => told.push(workspaceId));
    await one().change([], (tables) => tables.insertAgent(agent('a1')));
    await two().change([draft()], async () => undefined);
    expect(told).toEqual([one().workspaceId, two().workspaceId]);
    const failing = one().change([], async (tables) => {
      await tables.insertAgent(agent('a2'));
      throw new Error('stopped');
    });
    await expect(failing).rejects.toThrow('stopped');
    await expect(one().change([], async () => undefined, 99)).rejects.toMatchObject({ code: 'conflict' });
    await one().keyValues.set('n', 'k', 1, undefined);
    await under().storage.commit([{ workspaceId: one().workspaceId, events: [draft()] }]);
    expect(told).toHaveLength(2);
    end();
    await one().change([], (tables) => tables.insertAgent(agent('a3')));
    expect(told).toHaveLength(2);
  });
  it('goes on after a caught conflict within a change', async () => {
    await one().change([], async (tables) => {
      await tables.insertAgent(agent('a1'));
      await tables.insertAgent(agent('a1')).catch(() => {});
      await tables.insertAgent(agent('a2'));
    });
    expect(await one().listAgents()).toHaveLength(2);
  });
  it('raises the revision once for each of many concurrent changes on two handles', async () => {
    const second = await under().second();
    const handles = [under().storage, second];
    const many = Array.from({ length: 20 }, (_, index) =>
      handles[index % 2]
        ?.workspace(one().workspaceId)
        .change([draft()], (tables) => tables.insertAgent(agent(`a${index}`))),
    );
    await Promise.all(many);
    await second.close();
    expect(await one().revision()).toBe(21);
    expect(await checkChain(under().storage, one().workspaceId)).toBe(21);
  });
}

function credentials({ one, two, under }: ContractParts): void {
  const insert = (scope: WorkspaceStorage, more = {}) =>
    scope.change([], (tables) =>
      tables.insertCredential(credential('k', { hash: `${scope.workspaceId}-k`, expiresAt: time(9), ...more })),
    );
  it('finds by hash across workspaces and says whose it is', async () => {
    await insert(one());
    await insert(two());
    const found = await under().storage.system.findCredential(`${two().workspaceId}-k`);
    expect(found).toEqual({ workspaceId: two().workspaceId, credential: (await two().listCredentials())[0] });
    await expect(insert(one(), { id: 'k2' })).rejects.toEqual(refused('conflict'));
  });
  it('is taken by exactly one of many, and only while it lives', async () => {
    await insert(one());
    await insert(two());
    expect(await one().takeCredential('k', time(9))).toBe(false);
    const taken = await Promise.all(Array.from({ length: 20 }, () => one().takeCredential('k', time(1))));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect((await one().listCredentials())[0]?.revokedAt).toBe(time(1));
    expect((await two().listCredentials())[0]?.revokedAt).toBeUndefined();
  });
  it('is revoked once', async () => {
    await insert(one());
    await insert(two());
    const revoke = () => one().change([], (tables) => tables.revokeCredential('k', time(2)));
    expect([await revoke(), await revoke()]).toEqual([true, false]);
    expect(await one().takeCredential('k', time(3))).toBe(false);
    expect(await two().takeCredential('k', time(3))).toBe(true);
  });
}

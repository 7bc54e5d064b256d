/** The storage contract's part about authorised programs and their credentials. */
import { expect, it } from 'vitest';
import type { Authorization } from '../domain/authorization.js';
import type { User } from '../domain/principal.js';
import type { WorkspaceStorage } from '../domain/storage.js';
import { agent, type ContractParts, credential, draft, time } from './storage-fixtures.js';

const user = { kind: 'user', id: 'u1', name: 'Ada' } as const;

function asked(scope: WorkspaceStorage, id: string, more: Partial<Authorization> = {}): Authorization {
  const { workspaceId } = scope;
  return {
    id,
    workspaceId,
    status: 'asked',
    clientId: 'c',
    clientName: 'Program',
    redirectUri: 'https://app.example/cb',
    agentId: 'a1',
    user,
    resource: 'https://helve.example/mcp/a',
    scopes: ['tools:read'],
    challenge: 'x',
    secretHash: `${workspaceId}-${id}`,
    createdAt: time(0),
    expiresAt: time(10),
    state: 'a state\0',
    ...more,
  };
}

export function authorizationsContract(parts: ContractParts): void {
  steps(parts);
  ends(parts);
  lives(parts);
  purges(parts);
}

const withAgent = (scope: WorkspaceStorage) => scope.change([draft()], (tables) => tables.insertAgent(agent('a1')));

function steps({ one, two, under }: ContractParts): void {
  const code = (scope: WorkspaceStorage) => ({ hash: `code-${scope.workspaceId}`, expiresAt: time(2) });
  const find = (hash: string) => under().storage.system.findAuthorization(hash);

  it('R-mcp-server: each step succeeds once, however many attempts run in parallel', async () => {
    for (const scope of [one(), two()]) {
      await withAgent(scope);
      await scope.authorizations.insert(asked(scope, 'x'));
    }
    const first = asked(one(), 'x');
    expect(await find(first.secretHash)).toEqual(first);
    const { authorizations: table } = one();
    expect(await table.redeem('x', time(60), time(1))).toBe(false);
    expect(await table.agree('x', code(one()), time(10))).toBe(false);
    const agreed = await Promise.all([1, 2, 3].map(() => table.agree('x', code(one()), time(1))));
    expect(agreed.filter(Boolean)).toHaveLength(1);
    expect([await find(first.secretHash), await table.refuse('x', time(1))]).toEqual([undefined, false]);
    expect(await table.redeem('x', time(60), time(2))).toBe(false);
    const redeemed = await Promise.all([1, 2, 3].map(() => table.redeem('x', time(60), time(1))));
    expect(redeemed.filter(Boolean)).toHaveLength(1);
    expect(await find(code(one()).hash)).toMatchObject({ status: 'exchanged', expiresAt: time(60) });
    expect(await two().authorizations.find('x')).toEqual(asked(two(), 'x'));
    const gone = [await two().authorizations.refuse('x', time(1)), await two().authorizations.refuse('x', time(1))];
    expect([gone, await two().authorizations.find('x')]).toEqual([[true, false], undefined]);
  });
}

function ends({ one }: ContractParts): void {
  it('R-mcp-server: ends with everything that came from it, once, and nothing more is issued', async () => {
    await withAgent(one());
    const own = (id: string) => credential(`${one().workspaceId}-${id}`, { authorizationId: 'x' });
    const other = credential(`${one().workspaceId}-other`);
    await one().authorizations.insert(asked(one(), 'x', { status: 'exchanged', expiresAt: time(60) }));
    await one().change([draft()], async (tables) => {
      expect(await tables.extendAuthorization('x', time(90))).toBe(true);
      for (const made of [own('access'), own('refresh'), other]) await tables.insertCredential(made);
    });
    const ended = await one().change([draft()], async (tables) => [
      await tables.revokeCredential(own('access').id, time(5)),
      await tables.endAuthorization('x', time(6)),
      await tables.extendAuthorization('x', time(99)),
    ]);
    expect(ended).toEqual([true, false, false]);
    const revoked = (await one().listCredentials()).map(({ id, revokedAt }) => [id.split('-').at(-1), revokedAt]);
    expect(Object.fromEntries(revoked)).toEqual({ access: time(5), refresh: time(5), other: undefined });
    expect(await one().authorizations.find('x')).toMatchObject({ status: 'ended', expiresAt: time(90) });
  });

  it('R-people: ends with the access of its person, whose sessions and links end too, and no one else’s', async () => {
    await withAgent(one());
    const id = (name: string) => `${one().workspaceId}-${name}`;
    const of = (name: string, more: object) => credential(id(name), { principalId: 'u1', ...more });
    const ben = { ...user, id: 'u2' };
    await one().authorizations.insert(asked(one(), 'x', { status: 'exchanged', expiresAt: time(60) }));
    await one().authorizations.insert(asked(one(), 'y', { status: 'exchanged', expiresAt: time(60), user: ben }));
    await one().change([draft()], async (tables) => {
      for (const row of [
        of('session', { kind: 'session' }),
        of('link', { kind: 'admin_link' }),
        of('other', { kind: 'session', principalId: 'u2' }),
        credential(id('program'), { authorizationId: 'x' }),
        credential(id('others program'), { authorizationId: 'y' }),
      ])
        await tables.insertCredential(row);
    });
    const ended = await one().change([draft()], (tables) => tables.endUserAccess('u1', time(5)));
    expect(ended.toSorted()).toEqual([id('link'), id('session')]);
    const live = (await one().listCredentials()).filter(({ revokedAt }) => revokedAt === undefined);
    expect(live.map((row) => row.id).toSorted()).toEqual([id('other'), id('others program')].toSorted());
    expect((await one().authorizations.find('x'))?.status).toBe('ended');
    expect((await one().authorizations.find('y'))?.status).toBe('exchanged');
  });

  it('R-people: a workspace keeps one active admin, and one person’s row is not another’s', async () => {
    const ada = { id: 'u1', name: 'Ada', role: 'admin', status: 'active', createdAt: time(0) } as const;
    const ben = { ...ada, id: 'u2', name: 'Ben', email: 'ben@example.com' } as const;
    await one().change([draft()], async (tables) => {
      for (const row of [ada, ben]) await tables.insertUser(row);
    });
    const change = (row: User) => one().change([draft()], (tables) => tables.changeUser(row));
    await change({ ...ben, role: 'member', name: 'Benedict' });
    expect(await one().listUsers()).toEqual([ada, { ...ben, role: 'member', name: 'Benedict' }]);
    for (const last of [{ role: 'auditor' }, { status: 'disabled' }] as const)
      await expect(change({ ...ada, ...last })).rejects.toMatchObject({ code: 'conflict' });
    const remove = (id: string) => one().change([draft()], (tables) => tables.deleteUser(id));
    await expect(remove('u1')).rejects.toMatchObject({ code: 'conflict' });
    await expect(remove('none')).rejects.toMatchObject({ code: 'not_found' });
    await remove('u2');
    expect(await one().listUsers()).toEqual([ada]);
  });

  it('R-mcp-server: ends together with its agent', async () => {
    await withAgent(one());
    const id = `${one().workspaceId}-refresh`;
    await one().authorizations.insert(asked(one(), 'x'));
    await one().change([draft()], async (tables) => {
      await tables.insertCredential(credential(id, { kind: 'refresh_token', authorizationId: 'x' }));
      await tables.deleteAgent('a1');
    });
    expect([await one().authorizations.find('x'), await one().listCredentials()]).toEqual([undefined, []]);
  });
}

function lives({ one, two, under }: ContractParts): void {
  it('R-people: one person of a workspace has an identity, which ends with them', async () => {
    const ada = { id: 'ada', name: 'Ada', role: 'admin', status: 'active', createdAt: time(0) } as const;
    for (const scope of [one(), two()])
      await scope.change([], async (tables) => {
        for (const row of [ada, { ...ada, id: 'ben' }]) await tables.insertUser(row);
      });
    const identity = { issuer: 'https://id.example', subject: '7' };
    const give = (scope: WorkspaceStorage, userId: string) =>
      scope.change([draft()], (tables) => tables.insertIdentity(identity, userId, time(1)));
    await give(one(), 'ada');
    await expect(give(one(), 'ben')).rejects.toMatchObject({ code: 'conflict' });
    expect([await one().findIdentity(identity), await two().findIdentity(identity)]).toEqual(['ada', undefined]);
    await give(two(), 'ben');
    for (const other of [
      { ...identity, issuer: 'https://other.example' },
      { ...identity, subject: '8' },
    ])
      expect(await one().findIdentity(other)).toBeUndefined();
    await one().change([draft()], (tables) => tables.deleteUser('ada'));
    expect([await one().findIdentity(identity), await two().findIdentity(identity)]).toEqual([undefined, 'ben']);
    await give(one(), 'ben');
  });
  it('R-people: a sign-in is finished once, among several processes, and forgotten when it has expired', async () => {
    const state = `state-${one().workspaceId}`;
    const second = await under().second();
    const finish = () =>
      Promise.all([under().storage, second, under().storage].map(({ system }) => system.useOnce(state, time(5))));
    expect((await finish()).filter(Boolean)).toHaveLength(1);
    await second.system.purgeExpired(time(4));
    expect(await finish()).toEqual([false, false, false]);
    await second.system.purgeExpired(time(5));
    expect((await finish()).filter(Boolean)).toHaveLength(1);
    await second.close();
  });
  it('R-people: revoking a key also revokes what came from it, and nothing can be created under it', async () => {
    await withAgent(one());
    const id = (name: string) => `${one().workspaceId}-${name}`;
    const below = (name: string, parent: string) => credential(id(name), { parentId: id(parent) });
    await one().authorizations.insert(asked(one(), 'x', { status: 'agreed', parentId: id('child') }));
    await one().change([draft()], async (tables) => {
      for (const row of [credential(id('key')), below('child', 'key'), below('grandchild', 'child')])
        await tables.insertCredential(row);
      await tables.insertCredential(credential(id('stranger')));
    });
    await one().change([draft()], (tables) => tables.revokeCredential(id('key'), time(5)));
    const ended = (await one().listCredentials()).filter(({ revokedAt }) => revokedAt === time(5));
    expect(ended.map((row) => row.id).sort()).toEqual([id('child'), id('grandchild'), id('key')].sort());
    expect(await one().authorizations.find('x')).toMatchObject({ status: 'ended', parentId: id('child') });
    for (const parent of ['key', 'nothing']) {
      const late = one().change([draft()], (tables) => tables.insertCredential(below('late', parent)));
      await expect(late).rejects.toMatchObject({ code: 'unauthenticated' });
    }
    expect(await one().findCredential(id('late'))).toBeUndefined();
    expect(await two().findCredential(id('key'))).toBeUndefined();
  });

  it('R-people: keeps the role of a key, and none where there is none', async () => {
    const keys = [
      credential(`${one().workspaceId}-auditor`, { kind: 'api_key', role: 'auditor' }),
      credential(`${one().workspaceId}-plain`),
    ];
    await one().change([draft()], async (tables) => {
      for (const key of keys) await tables.insertCredential(key);
    });
    for (const key of keys) expect(await one().findCredential(key.id)).toEqual(key);
  });
  it('R-people: notes when a credential was last used, and spends one for exactly one caller', async () => {
    await withAgent(one());
    const id = `${one().workspaceId}-session`;
    await one().change([draft()], (tables) => tables.insertCredential(credential(id, { kind: 'session' })));
    await two().noteUse(id, time(3));
    expect((await one().findCredential(id))?.lastUsedAt).toBeUndefined();
    await one().noteUse(id, time(4));
    expect(await one().findCredential(id)).toMatchObject({ lastUsedAt: time(4) });
    const spend = () => one().change([draft()], (tables) => tables.spendCredential(id, time(5)));
    expect((await Promise.all([spend(), spend(), spend()])).filter(Boolean)).toHaveLength(1);
  });
}

function purges({ one, under }: ContractParts): void {
  it('R-mcp-server: keeps authorised clients, and forgets the others', async () => {
    const { system } = under().storage;
    const client = (id: string) => ({
      id: `${one().workspaceId}-${id}`,
      name: 'Program',
      redirectUris: ['https://app.example/cb'],
      createdAt: time(0),
      expiresAt: time(300),
    });
    const before = await system.clients.countUnused();
    for (const id of ['kept', 'unused']) await system.clients.insert(client(id));
    expect(await system.clients.countUnused()).toBe(before + 2);
    await system.clients.keep(client('kept').id);
    expect(await system.clients.find(client('unused').id, time(299))).toEqual(client('unused'));
    expect(await system.clients.find(client('unused').id, time(300))).toBeUndefined();
    const { expiresAt: _, ...kept } = client('kept');
    await system.purgeExpired(time(300));
    expect(await system.clients.find(kept.id, time(400))).toEqual(kept);
    expect(await system.clients.find('nobody', time(1))).toBeUndefined();
    expect(await system.clients.countUnused()).toBe(0);
  });

  it('R-mcp-server: purges what has expired: authorizations, and only their credentials', async () => {
    await withAgent(one());
    await under().storage.system.purgeExpired(time(300));
    await one().authorizations.insert(asked(one(), 'dead', { expiresAt: time(301) }));
    await one().authorizations.insert(asked(one(), 'live', { expiresAt: time(302) }));
    const id = (name: string) => `${one().workspaceId}-${name}`;
    await one().change([draft()], async (tables) => {
      const expiresAt = time(301);
      await tables.insertCredential(credential(id('spent'), { expiresAt, authorizationId: 'live' }));
      await tables.insertCredential(credential(id('own'), { expiresAt }));
    });
    expect(await under().storage.system.purgeExpired(time(301))).toBe(2);
    expect((await one().listCredentials()).map((one) => one.id)).toEqual([id('own')]);
    expect([await one().authorizations.find('dead'), (await one().authorizations.find('live'))?.id]).toEqual([
      undefined,
      'live',
    ]);
  });
}

/** The storage contract's part about sealed secrets, the locks for their renewal, and running sign-ins. */
import { expect, it } from 'vitest';
import type { OAuthFlow, SecretContent, SecretTable, StoredSecret, WorkspaceStorage } from '../domain/storage.js';
import { defined } from '../util/defined.js';
import { actor, type ContractParts, time } from './storage-fixtures.js';

export function sealedContent(sealed: string, more: Partial<SecretContent> = {}): SecretContent {
  return { sealed, keyId: 'k1', ...more };
}

const putSecret = (scope: WorkspaceStorage, subject: string, value: SecretContent, at = time(1)): Promise<void> =>
  scope.change([], (tables) => tables.putSecret(subject, value, at));

export function flow(scope: WorkspaceStorage, id: string, more: Partial<OAuthFlow> = {}): OAuthFlow {
  const { workspaceId } = scope;
  return {
    id,
    workspaceId,
    connectionId: 'c1',
    sealed: 'sealed',
    keyId: 'k1',
    startedBy: actor,
    ticketHash: `ticket-${workspaceId}-${id}`,
    stateHash: `state-${workspaceId}-${id}`,
    createdAt: time(0),
    expiresAt: time(10),
    ...more,
  };
}

export function secretsContract(parts: ContractParts): void {
  secrets(parts);
  locks(parts);
  sealing(parts);
  flows(parts);
}

function secrets({ one, two }: ContractParts): void {
  it('R-vault: stores a secret, counts its contents, and deletes that of its predecessor', async () => {
    await putSecret(one(), 's', sealedContent('one', { expiresAt: time(9) }));
    await putSecret(two(), 's', sealedContent('other'));
    expect(await one().secrets.find('s')).toEqual({ ...sealedContent('one'), version: 1, expiresAt: time(9) });
    await one().secrets.lock('s', { holder: 'h', now: time(1), until: time(5), dead: [] });
    await one().secrets.unlock('s', 'h', pause);
    await one().secrets.lock('s', { holder: 'h', now: time(1), until: time(5), dead: [] });
    await putSecret(one(), 's', sealedContent('two', { keyId: 'k2' }), time(2));
    expect(await one().secrets.find('s')).toEqual({ sealed: 'two', keyId: 'k2', version: 2 });
    expect(await two().secrets.find('s')).toEqual({ ...sealedContent('other'), version: 1 });
    await one().change([], (tables) => tables.deleteSecret('s'));
    await one().change([], (tables) => tables.deleteSecret('s'));
    expect([await one().secrets.find('s'), (await two().secrets.find('s'))?.sealed]).toEqual([undefined, 'other']);
  });
  it('R-vault: the secret of a failed change is not stored', async () => {
    const failing = one().change([], async (tables) => {
      await tables.putSecret('s', sealedContent('one'), time(1));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await one().secrets.find('s')).toBeUndefined();
  });
}

const pause = { since: time(2), until: time(8), failures: 3 };

const lock = (table: SecretTable, holder: string, more: { now?: string; until?: string; dead?: string[] } = {}) =>
  table.lock('s', { holder, now: more.now ?? time(1), until: more.until ?? time(5), dead: more.dead ?? [] });

function locks({ one, two, under }: ContractParts): void {
  it('R-oauth: of many that want to renew, on two handles, one holds the lock', async () => {
    await putSecret(one(), 's', sealedContent('one'));
    const second = await under().second();
    const tables = [one().secrets, second.workspace(one().workspaceId).secrets];
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, index) => lock(tables[index % 2] as SecretTable, `h${index}`)),
    );
    await second.close();
    const [held, ...more] = taken.filter((secret): secret is StoredSecret => secret !== undefined);
    expect(more).toEqual([]);
    expect(held).toMatchObject({ sealed: 'one', version: 1, lock: { until: time(5) } });
    expect((await one().secrets.find('s'))?.lock).toEqual(held?.lock);
  });
  it('R-oauth: a lock is taken over after it expired or its holder died, and not before', async () => {
    for (const scope of [one(), two()]) await putSecret(scope, 's', sealedContent('one'));
    const table = one().secrets;
    expect(await lock(table, 'first')).toBeDefined();
    expect(await lock(table, 'second', { now: time(4) })).toBeUndefined();
    expect(await lock(table, 'second', { now: time(4), dead: ['somebody'] })).toBeUndefined();
    expect((await lock(table, 'second', { now: time(5), until: time(9) }))?.lock?.holder).toBe('second');
    expect((await lock(table, 'third', { now: time(5), dead: ['x', 'second'] }))?.lock?.holder).toBe('third');
    expect((await two().secrets.find('s'))?.lock).toBeUndefined();
    expect(await table.lock('nothing', { holder: 'h', now: time(1), until: time(2), dead: [] })).toBeUndefined();
  });
  it('R-oauth: new content needs the lock; a process that lost it writes nothing and releases nothing', async () => {
    for (const scope of [one(), two()]) await putSecret(scope, 's', sealedContent('one'));
    const table = one().secrets;
    await lock(table, 'slow');
    await lock(table, 'quick', { now: time(6), until: time(9) });
    expect(await table.renew('s', 'slow', sealedContent('late'), time(7))).toBe(false);
    await table.unlock('s', 'slow', pause);
    expect(await table.find('s')).toMatchObject({ sealed: 'one', version: 1, lock: { holder: 'quick' } });
    expect((await table.find('s'))?.pause).toBeUndefined();
    expect(await table.renew('s', 'quick', sealedContent('fresh', { expiresAt: time(20) }), time(7))).toBe(true);
    expect(await table.find('s')).toEqual({ ...sealedContent('fresh'), expiresAt: time(20), version: 2 });
    expect(await table.renew('s', 'quick', sealedContent('again'), time(7))).toBe(false);
    expect((await two().secrets.find('s'))?.sealed).toBe('one');
  });
  it('R-oauth: released without content, with the pause before the next attempt', async () => {
    await putSecret(one(), 's', sealedContent('one'));
    await lock(one().secrets, 'h');
    await one().secrets.unlock('s', 'h', pause);
    expect(await one().secrets.find('s')).toEqual({ ...sealedContent('one'), version: 1, pause });
    expect(await lock(one().secrets, 'next')).toBeDefined();
    await one().secrets.unlock('s', 'next', undefined);
    expect(await one().secrets.find('s')).toEqual({ ...sealedContent('one'), version: 1 });
  });
}

function sealing({ one, two, under }: ContractParts): void {
  it('R-vault: is sealed under another key only while its content is the same, and keeps version and lock', async () => {
    for (const scope of [one(), two()]) await putSecret(scope, 's', sealedContent('one', { expiresAt: time(9) }));
    await lock(one().secrets, 'h');
    const to = { sealed: 'moved', keyId: 'k2' };
    expect(await one().secrets.reseal('s', 'two', to)).toBe(false);
    expect(await one().secrets.reseal('s', 'one', to)).toBe(true);
    expect(await one().secrets.reseal('s', 'one', { sealed: 'again', keyId: 'k3' })).toBe(false);
    const after = { ...to, version: 1, expiresAt: time(9), lock: { holder: 'h', until: time(5) } };
    expect(await one().secrets.find('s')).toEqual(after);
    expect(await one().secrets.renew('s', 'h', sealedContent('fresh', { keyId: 'k2' }), time(2))).toBe(true);
    expect((await two().secrets.find('s'))?.keyId).toBe('k1');
  });
  it('R-vault: lists secrets under other keys, in pages, of all workspaces, without duplicates or gaps', async () => {
    const subjects = ['a', 'b', 'c', 'd', 'e'];
    const own = `under-${one().workspaceId}`;
    for (const scope of [one(), two()]) {
      for (const subject of subjects) await putSecret(scope, subject, { sealed: `${subject} sealed`, keyId: own });
      await putSecret(scope, 'new', { sealed: 'x', keyId: 'newest' });
    }
    const found: string[] = [];
    let after: { workspaceId: string; subject: string } | undefined;
    for (;;) {
      const page = await under().storage.system.listSecrets({
        keyIdNot: 'newest',
        limit: 3,
        ...defined({ after }),
      });
      found.push(
        ...page.filter(({ keyId }) => keyId === own).map((row) => `${row.workspaceId} ${row.subject} ${row.sealed}`),
      );
      after = page.at(-1);
      if (page.length < 3) break;
    }
    const expected = [one(), two()].flatMap(({ workspaceId }) =>
      subjects.map((subject) => `${workspaceId} ${subject} ${subject} sealed`),
    );
    expect(found).toEqual(expected.sort());
  });
}

function flows({ one, two, under }: ContractParts): void {
  const find = (by: { ticketHash: string } | { stateHash: string }) => under().storage.system.findFlow(by);
  it('R-oauth: finds a sign-in by its ticket and its state, whatever its workspace, and refuses a second of either', async () => {
    const flowOne = flow(one(), 'f1');
    const flowTwo = flow(two(), 'f1', { browserHash: 'b' });
    await one().flows.insert(flowOne);
    await two().flows.insert(flowTwo);
    expect(await find({ ticketHash: flowOne.ticketHash })).toEqual(flowOne);
    expect(await find({ stateHash: flowTwo.stateHash })).toEqual(flowTwo);
    expect(await find({ stateHash: flowOne.ticketHash })).toBeUndefined();
    const twin = flow(one(), 'f2', { stateHash: flowTwo.stateHash });
    await expect(one().flows.insert(twin)).rejects.toEqual(expect.objectContaining({ name: 'HelveError' }));
    expect(await find({ ticketHash: twin.ticketHash })).toBeUndefined();
  });
  it('R-oauth: one browser of many claims it, once, while it lives', async () => {
    await one().flows.insert(flow(one(), 'f1'));
    await two().flows.insert(flow(two(), 'f1'));
    expect(await one().flows.claim('f1', 'late', time(10))).toBe(false);
    const second = await under().second();
    const tables = [one().flows, second.workspace(one().workspaceId).flows];
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => tables[index % 2]?.claim('f1', `b${index}`, time(9))),
    );
    await second.close();
    expect(claims.filter(Boolean)).toHaveLength(1);
    const winner = `b${claims.indexOf(true)}`;
    expect((await find({ stateHash: `state-${one().workspaceId}-f1` }))?.browserHash).toBe(winner);
    expect((await find({ stateHash: `state-${two().workspaceId}-f1` }))?.browserHash).toBeUndefined();
  });
  it('R-oauth: exactly one of many gets it, and not after it expired', async () => {
    await one().flows.insert(flow(one(), 'f1'));
    await two().flows.insert(flow(two(), 'f1'));
    expect(await one().flows.take('f1', time(10))).toBe(false);
    const second = await under().second();
    const tables = [one().flows, second.workspace(one().workspaceId).flows];
    const taken = await Promise.all(Array.from({ length: 20 }, (_, index) => tables[index % 2]?.take('f1', time(9))));
    await second.close();
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await find({ stateHash: `state-${one().workspaceId}-f1` })).toBeUndefined();
    expect(await find({ stateHash: `state-${two().workspaceId}-f1` })).toBeDefined();
  });
  it('R-oauth: is swept away when its time is up', async () => {
    await one().flows.insert(flow(one(), 'old', { expiresAt: time(10) }));
    await one().flows.insert(flow(one(), 'young', { expiresAt: time(11) }));
    const { system } = under().storage;
    await system.purgeExpired(time(9));
    expect(await find({ stateHash: `state-${one().workspaceId}-old` })).toBeDefined();
    expect(await system.purgeExpired(time(10))).toBeGreaterThanOrEqual(1);
    expect(await find({ stateHash: `state-${one().workspaceId}-old` })).toBeUndefined();
    expect(await find({ stateHash: `state-${one().workspaceId}-young` })).toBeDefined();
  });
}

/** The storage contract's part about data that expires: approvals, key-value pairs, results, and the purge. */
import { expect, it } from 'vitest';
import type { WorkspaceStorage } from '../domain/storage.js';
import { actor, approval, type ContractParts, checkChain, draft, storedResult, time } from './storage-fixtures.js';

export function approvalsContract({ one, two, under }: ContractParts): void {
  const decide = (scope: WorkspaceStorage, status: 'approved' | 'rejected', minute = 2) =>
    scope.approvals.decide({ id: 'p', status, at: time(minute), by: actor, through: 'page' }, [draft()]);
  it('R-approval: lists and counts by tool, caller and account, pages, and finds the last approved one of a kind', async () => {
    const other = { kind: 'agent', id: 'a"2', name: 'other' } as const;
    const given = [
      approval('a', { binding: 'a', requestedAt: time(1) }),
      approval('b', { binding: 'b', requestedAt: time(2), principal: other }),
      approval('c', { binding: 'c', requestedAt: time(2), connectionId: 'x' }),
      approval('d', { binding: 'd', requestedAt: time(3), toolkit: 'slack', tool: 'post' }),
      approval('e', { binding: 'e', requestedAt: time(4) }),
    ];
    for (const one_ of given) await one().approvals.request(one_, []);
    for (const id of ['a', 'b', 'd']) {
      const decision = { id, status: 'approved', at: time(5), by: actor, through: 'panel', note: `of ${id}` } as const;
      expect(await one().approvals.decide(decision, [])).toMatchObject({ note: `of ${id}`, decidedThrough: 'panel' });
    }
    const ids = async (query: Parameters<ReturnType<typeof one>['approvals']['list']>[0]) =>
      (await one().approvals.list(query)).map(({ id }) => id);
    expect(await ids({ tool: 'send' })).toEqual(['e', 'c', 'b', 'a']);
    expect(await ids({ toolkit: 'slack' })).toEqual(['d']);
    expect(await ids({ actor: other.id })).toEqual(['b']);
    expect(await ids({ connection: 'x' })).toEqual(['c']);
    expect(await ids({ connections: ['x'] })).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(await ids({ connections: ['x'], accountsOnly: true })).toEqual(['c']);
    expect(await ids({ connections: [], accountsOnly: true })).toEqual([]);
    // More than a statement may have parameters, on either store; with characters that JSON writes in another way.
    const many = Array.from({ length: 70_000 }, (_, n) => `account "${n}" é\\`);
    expect(await ids({ connections: [...many, 'x'], accountsOnly: true })).toEqual(['c']);
    expect(await one().approvals.count({ connections: many, accountsOnly: true })).toMatchObject({ pending: 0 });
    expect(await ids({ before: 'c' })).toEqual(['b', 'a']);
    expect(await ids({ before: 'gone' })).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(await one().approvals.count({})).toEqual({ pending: 2, approved: 3, rejected: 0, used: 0, withdrawn: 0 });
    expect(await one().approvals.count({ actor: other.id })).toMatchObject({ pending: 0, approved: 1 });
    expect(await two().approvals.count({})).toMatchObject({ pending: 0, approved: 0 });
    const last = async (like: (typeof given)[number]) => (await one().approvals.findLastApproved(like))?.id;
    expect(await Promise.all(given.map(last))).toEqual([undefined, undefined, undefined, undefined, 'a']);
  });
  it('R-approval: one live request a binding', async () => {
    const requests = ['p', 'q', 'r'].map((id) => one().approvals.request(approval(id), [draft()]));
    const results = await Promise.all(requests);
    expect(results.filter((result) => result.created)).toHaveLength(1);
    expect(new Set(results.map((result) => result.approval.id)).size).toBe(1);
    expect((await two().approvals.request(approval('p'), [])).created).toBe(true);
    const later = approval('later', { requestedAt: time(60), expiresAt: time(90) });
    expect((await one().approvals.request(later, [])).created).toBe(true);
    expect((await one().approvals.findByBinding('binding', time(61)))?.id).toBe('later');
    expect(await one().approvals.findByBinding('binding', time(90))).toBeUndefined();
    expect((await one().approvals.list({ limit: 1 })).map(({ id }) => id)).toEqual(['later']);
    expect(await checkChain(under().storage, one().workspaceId)).toBe(2);
  });
  it('R-approval: one that is withdrawn is over, and says why', async () => {
    for (const scope of [one(), two()]) await scope.approvals.request(approval('p', { meaning: 'm' }), []);
    const withdraw = () => one().approvals.withdraw('p', 'The policies changed', [draft()]);
    const [first, second] = await Promise.all([withdraw(), withdraw()]);
    expect([first, second].filter((result) => result !== undefined)).toEqual([
      approval('p', { meaning: 'm', status: 'withdrawn', note: 'The policies changed' }),
    ]);
    expect(await decide(one(), 'approved')).toBeUndefined();
    expect(await one().approvals.findByBinding('binding', time(1))).toBeUndefined();
    expect(await two().approvals.find('p')).toMatchObject({ status: 'pending' });
    expect(await checkChain(under().storage, one().workspaceId)).toBe(2);
  });
  it('R-approval: decided once, by whom and through what', async () => {
    for (const scope of [one(), two()]) await scope.approvals.request(approval('p', { connectionId: 'c' }), []);
    const decided = await Promise.all([decide(one(), 'approved'), decide(one(), 'rejected')]);
    const winner = decided.find((result) => result !== undefined);
    expect(decided.filter((result) => result !== undefined)).toHaveLength(1);
    expect(winner).toMatchObject({ decidedAt: time(2), decidedBy: actor, decidedThrough: 'page', connectionId: 'c' });
    expect(await one().approvals.find('p')).toEqual(winner);
    expect(await two().approvals.find('p')).toEqual(approval('p', { connectionId: 'c' }));
    expect(await one().approvals.list({ status: 'pending' })).toEqual([]);
    expect(await two().approvals.list({ status: 'pending' })).toHaveLength(1);
    expect(await one().approvals.list({ status: 'decided' })).toEqual([winner]);
    expect(await two().approvals.list({ status: 'decided' })).toEqual([]);
    expect((await one().audit.head()).seq).toBe(2);
  });
  it('R-approval R-explain: whether another call may wait is told without a request', async () => {
    const { principal } = approval('p');
    const ask = (scope: WorkspaceStorage, maxPending: number, minute = 1) =>
      scope.approvals.requireRoom({ principal, now: time(minute), maxPending });
    await ask(one(), 1);
    await one().approvals.request(approval('p'), []);
    await expect(ask(one(), 1)).rejects.toMatchObject({ code: 'rate_limited' });
    await ask(one(), 2);
    await ask(one(), 1, 60);
    await ask(two(), 1);
    await decide(one(), 'rejected');
    await ask(one(), 1);
    expect(await one().approvals.list({})).toHaveLength(1);
  });
  it('R-approval: expired or unknown ones cannot be decided', async () => {
    await one().approvals.request(approval('p'), []);
    expect(await decide(one(), 'approved', 60)).toBeUndefined();
    expect(await decide(two(), 'approved')).toBeUndefined();
    expect((await one().audit.head()).seq).toBe(1);
    expect(await one().approvals.find('nobody')).toBeUndefined();
  });
}

export function valuesContract({ one, two, under }: ContractParts): void {
  it('keeps, overwrites, expires and deletes within a workspace', async () => {
    await one().keyValues.set('n', 'k', [1], time(5));
    await two().keyValues.set('n', 'k', 'other', undefined);
    expect(await one().keyValues.get('n', 'k', time(4))).toEqual([1]);
    expect(await one().keyValues.get('n', 'k', time(5))).toBeUndefined();
    expect(await one().keyValues.get('m', 'k', time(4))).toBeUndefined();
    expect(await one().keyValues.delete('n', 'k', time(5))).toBe(false);
    await one().keyValues.set('n', 'k', null, undefined);
    expect(await one().keyValues.get('n', 'k', time(9))).toBeNull();
    const gone = [await one().keyValues.delete('n', 'k', time(9)), await one().keyValues.delete('n', 'k', time(9))];
    expect(gone).toEqual([true, false]);
    expect(await two().keyValues.get('n', 'k', time(9))).toBe('other');
  });
  it('keeps results by handle, also expired ones', async () => {
    const result = storedResult('h', { connectionId: 'c' });
    await one().results.put(result);
    expect(await one().results.find('h')).toEqual(result);
    expect(await two().results.find('h')).toBeUndefined();
    await expect(one().results.put(result)).rejects.toMatchObject({ name: 'HelveError', code: 'conflict' });
  });
  it('purges what has ended, and only that', async () => {
    await under().storage.system.purgeExpired(time(200));
    await one().keyValues.set('n', 'dead', 1, time(5));
    await one().keyValues.set('n', 'live', 1, time(6));
    await one().keyValues.set('n', 'endless', 1, undefined);
    await two().results.put(storedResult('dead', { expiresAt: time(5) }));
    await two().approvals.request(approval('dead', { expiresAt: time(5) }), []);
    expect(await under().storage.system.purgeExpired(time(5))).toBe(3);
    expect(await one().keyValues.get('n', 'live', time(5))).toBe(1);
    expect(await one().keyValues.get('n', 'endless', time(5))).toBe(1);
  });
}

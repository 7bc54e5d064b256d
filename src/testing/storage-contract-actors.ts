/** The storage contract's part about actors: each event is applied once and completely, and only by the process that drives. */
import { beforeEach, expect, it } from 'vitest';
import type { ActorRef, ActorSnapshot } from '../domain/actor-host.js';
import type { ActorChanges, ActorLease, ActorWrite, DueActorEvent } from '../domain/actor-storage.js';
import type { Storage } from '../domain/storage.js';
import { type ContractParts, time } from './storage-fixtures.js';

const one: ActorRef = { kind: 'issue', id: 'one' };
const two: ActorRef = { kind: 'repo', id: 'two' };
const snapshot = (value: ActorSnapshot['value'], context = {}): ActorSnapshot => ({ value, context, status: 'active' });
const none: ActorChanges = { starts: [], sends: [], timers: [], work: [] };
const minute = 60_000;

export function actorsContract(parts: ContractParts): void {
  let lease: ActorLease;
  const driver = (storage: Storage = parts.under().storage) => storage.system.actors;
  const actors = () => parts.one().actors;

  async function take(owner: string, storage?: Storage): Promise<ActorLease> {
    const { lease: seen } = await driver(storage).look();
    const taken = await driver(storage).take({ owner, ms: minute, seen });
    if (!taken) throw new Error('The lease was taken meanwhile');
    return taken;
  }
  /** The events of this test, since all tests share a store. */
  async function due(): Promise<readonly DueActorEvent[]> {
    const { events } = await driver().due({ limit: 1_000, work: [], running: [] });
    return events.filter(({ actor }) => actor.address.workspaceId === parts.one().workspaceId);
  }
  const apply = (
    { actor, position, id }: DueActorEvent,
    value: string,
    changes: Partial<ActorChanges> = {},
  ): ActorWrite => ({
    actor,
    position,
    eventId: id,
    version: actor.version,
    at: time(5),
    outcome: { snapshot: snapshot(value), ...none, ...changes },
  });
  async function next(ref: ActorRef, value: string, changes: Partial<ActorChanges>): Promise<void> {
    await actors().send({ to: ref, id: value, event: { type: 'NEXT' } });
    const [event] = await due();
    if (!event) throw new Error('There is no event');
    expect(await driver().write(lease, [apply(event, value, changes)])).toEqual(['written']);
  }
  beforeEach(async () => {
    lease = await take('p1');
    await actors().insert(one, snapshot('idle', { text: '\0\u{1f600}' }));
  });

  it('keeps an actor within its workspace, once', async () => {
    expect(await actors().insert(one, snapshot('other'))).toBe(false);
    expect(await parts.two().actors.insert(one, snapshot('elsewhere'))).toBe(true);
    const found = await actors().find(one);
    expect(found).toMatchObject({
      handled: 0,
      view: { snapshot: snapshot('idle', { text: '\0\u{1f600}' }), version: 0, timers: [], work: [], events: [] },
    });
    expect(found?.view.actor).toEqual({ workspaceId: parts.one().workspaceId, ...one });
    expect(await parts.two().actors.remove(one)).toBe(true);
    expect(await parts.two().actors.find(one)).toBeUndefined();
    expect(await actors().find(one)).toBeDefined();
  });
  it('accepts an event once for each id, and only for an actor of the workspace', async () => {
    const sent = { to: one, id: 'e', event: { type: 'GO', n: 1 } };
    expect(await actors().send(sent)).toBe('accepted');
    expect(await actors().send(sent)).toBe('known');
    expect(await actors().send({ ...sent, to: two })).toBe('no_actor');
    expect(await parts.two().actors.send(sent)).toBe('no_actor');
    expect(await due()).toMatchObject([{ id: 'e', event: { type: 'GO', n: 1 }, actor: { address: one } }]);
  });
  it('writes nothing that was decided after an event which another process had overtaken', async () => {
    for (const id of ['a', 'b', 'c']) await actors().send({ to: one, id, event: { type: 'GO' } });
    const [a, b, c] = await due();
    if (!a || !b || !c) throw new Error('An event is missing');
    // Two turns at once: this one has seen `a` and `b`, the other one has seen only `c`, and is quicker.
    const decided = [apply(a, 'a'), { ...apply(b, 'a and b'), version: a.actor.version + 1 }];
    expect(await driver().write(lease, [apply(c, 'c')])).toEqual(['written']);
    // The version of the second fits now, but not the state that it was decided on.
    expect(await driver().write(lease, decided)).toEqual(['stale', 'stale']);
    expect((await actors().find(one))?.view.snapshot).toEqual(snapshot('c'));
    expect((await due()).map(({ id }) => id)).toEqual(['a', 'b']);
  });
  it('makes everything that an event does in one commit, once', async () => {
    await actors().send({ to: one, id: 'e', event: { type: 'GO' } });
    const [event] = await due();
    if (!event) throw new Error('There is no event');
    const write = apply(event, 'next', {
      starts: [{ actor: two, snapshot: snapshot('idle') }],
      sends: [{ to: two, id: 's', event: { type: 'HELLO' } }],
      timers: [{ name: 't', set: { id: 'timer', event: { type: 'RING' }, dueAt: time(9) } }],
      work: [{ name: 'w', begin: { id: `w-${parts.one().workspaceId}`, input: { a: 1 } } }],
    });
    expect(await driver().write(lease, [write])).toEqual(['written']);
    expect(await driver().write(lease, [write])).toEqual(['repeated']);
    expect((await actors().find(one))?.view).toMatchObject({
      snapshot: { value: 'next' },
      version: 1,
      timers: [{ name: 't', dueAt: time(9), event: { type: 'RING' } }],
      work: [{ name: 'w', attempt: 1 }],
      events: [{ id: 'e', value: 'next', at: time(5) }],
    });
    expect(await due()).toMatchObject([{ id: 's', actor: { address: two, version: 0 } }]);
  });
  it('writes nothing of an event that another event overtook', async () => {
    await actors().send({ to: one, id: 'a', event: { type: 'GO' } });
    await actors().send({ to: one, id: 'b', event: { type: 'GO' } });
    const [a, b] = await due();
    if (!a || !b) throw new Error('There are no events');
    const timers = [{ name: 't', set: { id: 'timer', event: { type: 'RING' }, dueAt: time(9) } }];
    expect(await driver().write(lease, [apply(a, 'after a'), apply(b, 'too early', { timers })])).toEqual([
      'written',
      'stale',
    ]);
    const { view } = (await actors().find(one)) ?? {};
    expect([view?.snapshot.value, view?.version, view?.timers]).toEqual(['after a', 1, []]);
    const setAside = { ...apply(b, ''), version: 1, outcome: { setAside: 'because' } };
    expect(await driver().write(lease, [setAside])).toEqual(['written']);
    expect(await driver().write(lease, [setAside])).toEqual(['repeated']);
    expect((await actors().find(one))?.view).toMatchObject({
      version: 1,
      events: [{ id: 'a' }, { id: 'b', setAside: 'because' }],
    });
  });
  it('lets only the process drive that holds the lease', async () => {
    await actors().send({ to: one, id: 'e', event: { type: 'GO' } });
    const [event] = await due();
    if (!event) throw new Error('There is no event');
    const second = await parts.under().second();
    const { lease: seen } = await driver().look();
    expect(seen).toEqual(lease);
    const takers = [driver(), driver(second), driver(), driver(second)];
    const taken = await Promise.all(takers.map((one, index) => one.take({ owner: `q${index}`, ms: minute, seen })));
    await second.close();
    const [winner, ...others] = taken.filter((one) => one !== undefined);
    expect([winner?.number, others]).toEqual([lease.number + 1, []]);
    if (!winner) return;
    expect(await driver().write(lease, [apply(event, 'late')])).toEqual(['lost']);
    expect(await driver().renew(lease, { ms: minute, work: [] })).toBeUndefined();
    expect((await actors().find(one))?.view.version).toBe(0);
    expect(await driver().renew(winner, { ms: minute, work: ['gone'] })).toEqual(['gone']);
    expect(await driver().write(winner, [apply(event, 'in time')])).toEqual(['written']);
    await driver().release(winner);
    expect(await driver().write(winner, [])).toEqual([]);
    expect((await driver().look()).lease).toMatchObject({ owner: '', number: winner.number });
  });
  it('lets timers and delayed events wait for their time, then in the line by their times', async () => {
    const set = (id: string, dueAt: string) => ({ id, event: { type: id }, dueAt });
    await next(one, 'first', { timers: [{ name: 't', set: set('old', time(1)) }] });
    await next(one, 'second', {
      timers: [
        { name: 't', set: set('late', time(8)) },
        { name: 'u', set: set('early', time(6)) },
        { name: 'w', set: set('middle', time(7)) },
      ],
    });
    await next(one, 'third', { timers: [{ name: 'v', set: set('gone', time(6)) }, { name: 'v' }] });
    await actors().send({ to: one, id: 'delayed', event: { type: 'GO' }, delayMs: 24 * 60 * minute });
    expect(await due()).toEqual([]);
    const { eventAt } = await driver().due({ limit: 1, work: [], running: [] });
    expect(eventAt).toBeDefined();
    await driver().admit(lease, { now: new Date(time(8)), limit: 1_000 });
    expect((await due()).map(({ id }) => id)).toEqual(['early', 'middle', 'late']);
    const [early] = await due();
    if (!early) throw new Error('There is no event');
    // One that is in the line is cleared too.
    expect(await driver().write(lease, [apply(early, 'cleared', { timers: [{ name: 't' }] })])).toEqual(['written']);
    expect((await due()).map(({ id }) => id)).toEqual(['middle']);
  });
  it('begins work again with the next attempt, and ends it once', async () => {
    const id = `w-${parts.one().workspaceId}`;
    await next(one, 'busy', { work: [{ name: 'job', begin: { id, input: { a: 1 } } }] });
    const claim = async (running: readonly string[], now = new Date(time(6))) => {
      const question = { now, names: ['job'], running, limit: 100 };
      return (await driver().claimWork(lease, question)).filter((work) => work.id === id);
    };
    expect(await claim([], new Date(time(4)))).toEqual([]);
    const [first] = await claim([]);
    expect(first).toMatchObject({ name: 'job', input: { a: 1 }, attempt: 1, failures: 0, address: one });
    expect(await claim([id])).toEqual([]);
    const [second] = await claim([]);
    if (!first || !second) throw new Error('The work was not begun');
    expect(second.attempt).toBe(2);
    expect(await driver().beatWork(first, 'late')).toBe(false);
    expect(await driver().beatWork(second, { step: 1 })).toBe(true);
    expect((await actors().find(one))?.view).toMatchObject({
      lastHeartbeat: expect.any(String),
      progress: { step: 1 },
      work: [{ attempt: 2, progress: { step: 1 } }],
    });
    expect(await driver().endWork(lease, { work: second, failures: 1, againAt: time(7) })).toBe(true);
    expect(await claim([])).toEqual([]);
    const [third] = await claim([], new Date(time(7)));
    if (!third) throw new Error('The work was not begun');
    expect(third).toMatchObject({ attempt: 3, failures: 1 });
    const end = (work: typeof third) => driver().endWork(lease, { work, event: { type: 'DONE' } });
    await end(second);
    expect(await due()).toEqual([]);
    await end(third);
    await end(third);
    expect(await due()).toMatchObject([{ id: `work:${id}`, event: { type: 'DONE' } }]);
    expect((await actors().find(one))?.view.work).toEqual([]);
  });
  it('lists actors by kind, state and silence, in pages', async () => {
    const silent = `w-${parts.one().workspaceId}`;
    await next(one, 'busy', { work: [{ name: 'job', begin: { id: silent, input: {} } }] });
    for (const n of [1, 2, 3]) await actors().insert({ kind: 'pr', id: `p${n}` }, snapshot({ open: 'review' }));
    const ids = async (query: object) => (await actors().list(query)).actors.map(({ actor }) => actor.id);
    expect(await ids({})).toEqual(['p3', 'p2', 'p1', 'one']);
    expect(await ids({ kind: 'issue' })).toEqual(['one']);
    expect(await ids({ state: 'open' })).toEqual(['p3', 'p2', 'p1']);
    expect(await ids({ silentSince: time(6) })).toEqual(['one']);
    expect(await ids({ silentSince: time(5) })).toEqual([]);
    const page = await actors().list({ limit: 2 });
    expect(page.actors).toHaveLength(2);
    expect(await actors().list({ limit: 2, ...(page.next ? { after: page.next } : {}) })).toMatchObject({
      actors: [{ actor: { id: 'p1' } }, { actor: { id: 'one' } }],
    });
    expect((await actors().list({ limit: 4 })).next).toBeUndefined();
  });
  it('finds actors by where they belong and who works on them, also after an event has changed it', async () => {
    const assignment = { onBehalfOf: { kind: 'user', id: 'ada', name: 'Ada' } };
    const two = { kind: 'issue', id: 'two' } as const;
    await actors().insert(two, snapshot('idle', { org: 'o', repo: 'r', project: 'p', agent: 'coder', assignment }));
    const ids = async (query: object) => (await actors().list(query)).actors.map(({ actor }) => actor.id);
    for (const query of [{ org: 'o' }, { repo: 'r' }, { project: 'p' }, { agents: ['x', 'coder'] }, { person: 'ada' }])
      expect([query, await ids(query)]).toEqual([query, ['two']]);
    expect(await ids({ org: 'o', project: 'other' })).toEqual([]);
    expect(await actors().countWithin({ org: 'o' })).toEqual([{ kind: 'issue', state: 'idle', count: 1 }]);
    expect(await parts.two().actors.countWithin({ org: 'o' })).toEqual([]);
    const facts = { org: 'o', repo: 'r', project: 'other', agent: null, person: null };
    await next(two, 'busy', { facts });
    expect(await ids({ org: 'o', project: 'other' })).toEqual(['two']);
    expect(await ids({ agents: ['coder'] })).toEqual([]);
    // Most events change none of this.
    await next(two, 'idle', {});
    expect(await ids({ org: 'o', project: 'other' })).toEqual(['two']);
  });
  it('removes an actor with everything of it', async () => {
    await next(one, 'busy', { work: [{ name: 'job', begin: { id: `w-${parts.one().workspaceId}`, input: {} } }] });
    await actors().send({ to: one, id: 'waiting', event: { type: 'GO' } });
    expect(await actors().noteExecution(one, { executionId: 'x', tool: 'mail.send', at: time(1) })).toBe(true);
    expect(await actors().noteExecution(one, { executionId: 'x', tool: 'mail.send', at: time(1) })).toBe(false);
    expect(await actors().executions(one, 5)).toEqual([{ executionId: 'x', tool: 'mail.send', at: time(1) }]);
    expect(await parts.two().actors.executions(one, 5)).toEqual([]);
    expect(await actors().heartbeat(one, 'here')).toBe(true);
    expect(await actors().remove(one)).toBe(true);
    expect([await actors().remove(one), await actors().heartbeat(one, 'here'), await due()]).toEqual([
      false,
      false,
      [],
    ]);
    expect(await actors().executions(one, 5)).toEqual([]);
    // A new actor of the same name starts anew.
    expect(await actors().insert(one, snapshot('new'))).toBe(true);
    expect(await actors().send({ to: one, id: 'waiting', event: { type: 'GO' } })).toBe('accepted');
  });
  it('forgets an event beyond the last fifty after a month', async () => {
    for (let n = 1; n <= 52; n++) await next(one, `v${n}`, {});
    const { system } = parts.under().storage;
    await system.purgeExpired(time(29 * 24 * 60));
    expect(await actors().send({ to: one, id: 'v2', event: { type: 'GO' } })).toBe('known');
    await system.purgeExpired(time(31 * 24 * 60));
    expect(await actors().send({ to: one, id: 'v3', event: { type: 'GO' } })).toBe('known');
    expect(await actors().send({ to: one, id: 'v2', event: { type: 'GO' } })).toBe('accepted');
    const { view } = (await actors().find(one)) ?? {};
    expect([view?.events.length, view?.events.at(0)?.id, view?.events.at(-1)?.id]).toEqual([50, 'v3', 'v52']);
  });
}

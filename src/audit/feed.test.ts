/** Who follows the record is woken by what concerns them, and told later how far they are. */
import { afterEach, expect, test } from 'vitest';
import type { AuditEventType } from '../domain/audit.js';
import { openStorage } from '../storage/index.js';
import { createRecordFeed, type FeedBatch } from './feed.js';
import { seal } from './seal.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function openScene(restMs: number) {
  const storage = await openStorage({ location: ':memory:', seal });
  ends.push(() => storage.close());
  await storage.system.createWorkspace({ id: 'w', slug: 'w', name: 'W', createdAt: new Date().toISOString() }, []);
  const feed = createRecordFeed({ storage, pollMs: 5, restMs });
  ends.push(() => feed.close());
  const actor = { kind: 'agent', id: 'a', name: 'A' } as const;
  const add = (...types: AuditEventType[]) =>
    storage.commit(
      types.map((type) => ({ workspaceId: 'w', events: [{ type, at: new Date().toISOString(), actor, body: {} }] })),
    );
  /** The batches of a follower whom rows of these types concern. */
  const follow = (...types: AuditEventType[]) => {
    const follower = { after: undefined, concerns: ({ type }: { type: AuditEventType }) => types.includes(type) };
    const batches = feed.follow('w', follower, new AbortController().signal)[Symbol.asyncIterator]();
    return async (): Promise<FeedBatch> => (await batches.next()).value;
  };
  return { add, follow };
}

test('whom no row concerns is not woken by it, and is told the position with the next empty batch', async () => {
  const { add, follow } = await openScene(200);
  await add('execution.started');
  const [concerned, others] = [follow('execution.finished'), follow('user.changed')];
  expect(await concerned()).toMatchObject({ rows: [], seq: 1, isCaughtUp: true });
  expect(await others()).toMatchObject({ rows: [], seq: 1, isCaughtUp: true });
  // The first look at the record wakes everybody.
  await Promise.all([concerned(), others()]);
  const [woken, rested] = [concerned(), others()];
  await add('execution.started', 'execution.finished');
  const first = await Promise.race([woken, rested]);
  expect(first.rows.map(({ seq }) => seq)).toEqual([2, 3]);
  expect(await woken).toBe(first);
  expect(await rested).toEqual({ rows: [], seq: 3, isCaughtUp: true });
  // The control: a row that concerns them wakes them, and comes with those between.
  const next = others();
  await add('execution.started', 'user.changed');
  expect((await next).rows.map(({ type }) => type)).toEqual(['execution.started', 'user.changed']);
});

test('a follower that is behind gets every row, whether it concerns them or not', async () => {
  const { add, follow } = await openScene(60_000);
  const slow = follow('user.changed');
  await slow();
  for (let count = 0; count < 3; count++) await add('user.changed', 'execution.started');
  const seen: number[] = [];
  while (seen.length < 5) for (const { seq } of (await slow()).rows) seen.push(seq);
  expect(seen.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
});

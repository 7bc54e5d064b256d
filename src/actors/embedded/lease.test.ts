import { expect, test } from 'vitest';
import type { ActorDriverTable } from '../../domain/actor-storage.js';
import { createSharedLease } from '../restate/lease.js';
import { createLeaseKeeper } from './lease.js';

/** A store whose looks wait until they are let go. */
function slowTable() {
  const looks: (() => void)[] = [];
  const look = () =>
    new Promise((resolve) => looks.push(() => resolve({ now: new Date(), lease: undefined, hasActors: false })));
  const take = async () => undefined;
  return { looks, table: { look, take } as unknown as ActorDriverTable };
}

const common = { running: () => [], onGone: () => undefined, report: () => undefined };
const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

test('R-operate: a process that stops does not look at the lease again, whatever was written while it looked', async () => {
  const { looks, table } = slowTable();
  const drive = async () => undefined;
  const keeper = createLeaseKeeper({ ...common, table, self: { id: 'a' }, drive, onDoubt: () => undefined });
  const started = keeper.start();
  keeper.poke();
  const stopped = keeper.stop();
  looks[0]?.();
  await Promise.all([started, stopped]);
  await turn();
  expect(looks).toHaveLength(1);
});

test('R-operate: a process with Restate that stops waits for its last look at the lease', async () => {
  const { looks, table } = slowTable();
  const times = { lease: 1_000, renew: 1_000 };
  const lease = createSharedLease({ ...common, table, times, owner: () => 'restate', isAlive: async () => undefined });
  void lease.start();
  let isStopped = false;
  const stopped = lease.stop().then(() => {
    isStopped = true;
  });
  await turn();
  expect(isStopped).toBe(false);
  looks[0]?.();
  await stopped;
});

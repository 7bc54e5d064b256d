/** When a process takes requests. The store and its schema are real; only a store that hangs is made up. */
import { afterEach, expect, test, vi } from 'vitest';
import { createHttpApp } from '../../surfaces/http/index.js';
import { createTestHelve } from '../../testing/test-helve.js';
import { createReadiness } from './readiness.js';

const opened: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

async function open() {
  const helve = await createTestHelve({ nativeToolkits: [] });
  opened.push(helve);
  const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  const ask = async () => {
    const response = await app.request('/ready');
    return [response.status, await response.json()];
  };
  return { helve, ask };
}

test('R-operate: a process that has started takes requests, and none once its stop is announced', async () => {
  const { helve, ask } = await open();
  expect(await ask()).toEqual([200, { status: 'ready' }]);
  helve.announceStop();
  expect(await ask()).toEqual([503, { status: 'not_ready', reason: 'stopping' }]);
  // What is still sent here is still done.
  expect(await helve.plane.agents(helve.admin)).toHaveLength(1);
});

test('R-operate: a plane that is closed answers that it stops', async () => {
  const { helve, ask } = await open();
  await helve.close();
  opened.length = 0;
  expect(await ask()).toEqual([503, { status: 'not_ready', reason: 'stopping' }]);
});

test('R-operate: health too answers after three seconds if the store hangs', async () => {
  const { helve } = await open();
  const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  const hangs = vi.spyOn(helve.storage.system, 'touchInstance').mockImplementation(never);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const asked = app.request('/health');
    await vi.waitFor(() => expect(hangs).toHaveBeenCalled());
    await vi.advanceTimersByTimeAsync(3_000);
    expect((await asked).status).toBe(503);
  } finally {
    vi.useRealTimers();
    hangs.mockRestore();
  }
});

const fine = {
  isStopping: () => false,
  canWrite: async () => true,
  storage: { system: { isMigrated: async () => true } },
};
const never = () => new Promise<never>(() => undefined);
const fails = async () => {
  throw new Error('no disk');
};

test.each([
  ['is ready', fine, { ready: true }],
  ['cannot be written', { ...fine, canWrite: async () => false }, { ready: false, reason: 'store_unavailable' }],
  ['hangs on writes', { ...fine, canWrite: never }, { ready: false, reason: 'store_unavailable' }],
  [
    'hangs on reads',
    { ...fine, storage: { system: { isMigrated: never } } },
    { ready: false, reason: 'store_unavailable' },
  ],
  ['fails', { ...fine, storage: { system: { isMigrated: fails } } }, { ready: false, reason: 'store_unavailable' }],
  [
    'is of an older Helve',
    { ...fine, storage: { system: { isMigrated: async () => false } } },
    { ready: false, reason: 'schema_outdated' },
  ],
  ['is given up', { ...fine, isStopping: () => true, canWrite: never }, { ready: false, reason: 'stopping' }],
])('R-operate: a process whose store %s', async (_, parts, answer) => {
  expect(await createReadiness(parts, 20).ready()).toEqual(answer);
});

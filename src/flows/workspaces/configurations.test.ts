/** A listener is told of every change, also by another process, and of nothing else. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Storage } from '../../domain/storage.js';
import { createConfigurationCache } from './configurations.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The store of this process and of others. */
function createScene() {
  let revision = 1;
  let tell: (workspaceId: string) => void = () => undefined;
  const workspace = () => ({
    revision: async () => revision,
    configuration: async () => ({ workspaceId: 'w', revision }),
  });
  const storage = {
    workspace,
    onChange: (listener: (workspaceId: string) => void) => {
      tell = listener;
      return () => undefined;
    },
  };
  const cache = createConfigurationCache(storage as unknown as Storage, () => undefined);
  let heard = 0;
  return {
    cache,
    listen: () =>
      cache.onChange('w', () => {
        heard += 1;
      }),
    heard: () => heard,
    changeHere() {
      revision += 1;
      tell('w');
    },
    changeElsewhere() {
      revision += 1;
    },
    /** Lets the poll look twice. */
    wait: () => vi.advanceTimersByTimeAsync(5_000),
  };
}

test('R-mcp-server: a change by another process is heard of, however soon after the listener or a change here it comes', async () => {
  const scene = createScene();
  scene.listen();
  await scene.cache.getFresh('w');
  scene.changeElsewhere();
  await scene.wait();
  expect(scene.heard()).toBe(1);
  scene.changeHere();
  await scene.cache.getFresh('w');
  scene.changeElsewhere();
  await scene.wait();
  expect(scene.heard()).toBe(3);
  scene.cache.close();
});

test('R-mcp-server: a change that a call or a list of this process finds first is heard of too, and once', async () => {
  const scene = createScene();
  scene.listen();
  await scene.cache.getFresh('w');
  await scene.wait();
  scene.changeElsewhere();
  expect((await scene.cache.getFresh('w')).revision).toBe(2);
  await scene.wait();
  expect(scene.heard()).toBe(1);
  await scene.wait();
  expect(scene.heard()).toBe(1);
  scene.cache.close();
});

test('R-mcp-server: while nothing changes nothing is heard, and nothing after the end', async () => {
  const scene = createScene();
  const stop = scene.listen();
  await scene.wait();
  await scene.cache.getFresh('w');
  await scene.wait();
  expect(scene.heard()).toBe(0);
  scene.changeHere();
  await scene.wait();
  expect(scene.heard()).toBe(1);
  stop();
  scene.changeHere();
  scene.changeElsewhere();
  await scene.wait();
  expect(scene.heard()).toBe(1);
  scene.cache.close();
});

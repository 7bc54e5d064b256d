/** What is kept per workspace does not grow with the number of workspaces. */
import { expect, test } from 'vitest';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Storage } from '../../domain/storage.js';
import type { Registry } from '../../registry/index.js';
import { createConfigurationCache } from './configurations.js';
import { createShelf } from './shelves.js';

test('attack: the tools of at most 500 workspaces are kept, and those that were used last', async () => {
  let built = 0;
  const registry = {
    toolkits: async () => {
      built += 1;
      return [];
    },
  } as unknown as Registry;
  const shelf = createShelf(registry, { failed: () => undefined, worked: () => undefined }, () => true);
  const get = (place: string) =>
    shelf.get({
      configuration: { workspaceId: place, connections: [], toolkits: [] } as unknown as WorkspaceConfiguration,
      generation: 1,
      place,
      chosen: '',
    }).catalogue;
  for (let at = 0; at < 500; at++) await get(`w${at}`);
  await get('w0');
  expect(built).toBe(500);
  await get('w500');
  await get('w0');
  expect(built).toBe(501);
  await get('w1');
  expect(built).toBe(502);
});

test('attack: the configuration of at most 2,000 workspaces is kept, and of those that were used last', async () => {
  const read: string[] = [];
  const storage = {
    onChange: () => () => undefined,
    workspace: (workspaceId: string) => ({
      configuration: async (known?: WorkspaceConfiguration) => {
        read.push(`${workspaceId}${known ? ' again' : ''}`);
        return { workspaceId, revision: 1 };
      },
    }),
  } as unknown as Storage;
  const cache = createConfigurationCache(storage, () => undefined);
  for (let at = 0; at < 2_000; at++) await cache.get(`w${at}`);
  await cache.get('w0');
  expect(read).toHaveLength(2_000);
  await cache.get('w2000');
  read.length = 0;
  await cache.get('w0');
  await cache.get('w1');
  // Nothing of it was kept either.
  expect(read).toEqual(['w1']);
  cache.close();
});

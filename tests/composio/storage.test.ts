/** R-cache-tables: the contract of the catalogue's tables on both stores. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { startPostgres } from '../../src/testing/postgres.js';
import type { StorageUnderTest } from '../../src/testing/storage-fixtures.js';
import { open } from './kept.js';
import { catalogueContract } from './storage-contract.js';

const folder = await mkdtemp(join(tmpdir(), 'helve-catalogue-'));
const postgres = await startPostgres();
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

async function under(location: string): Promise<StorageUnderTest> {
  let current = await open(location);
  return {
    storage: current,
    second: () => open(location),
    async reopen() {
      await current.close();
      current = await open(location);
      return current;
    },
    dispose: () => current.close(),
  };
}

catalogueContract('SQLite', () => under(join(folder, 'store.db')));
catalogueContract('PostgreSQL', async () => under(await postgres.storeUrl()));

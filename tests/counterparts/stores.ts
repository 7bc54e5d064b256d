/** Both kinds of store, for tests that run on each. */
import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';

export const stores = ['sqlite', 'postgres'] as const;

/** Called in a `describe`: returns what gives a Helve its store of this kind, an empty one each time. */
export function useStore(
  kind: (typeof stores)[number],
): () => Promise<{ readonly database?: string; readonly vaultKeys?: string }> {
  let postgres: TestPostgres | undefined;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
  }, 120_000);
  afterAll(() => postgres?.stop());
  // A store that several machines share has no file of keys beside it.
  const vaultKeys = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
  return async () => (postgres === undefined ? {} : { database: await postgres.storeUrl(), vaultKeys });
}

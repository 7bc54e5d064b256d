/** Verifies the audit record of a store, without a server. */
import { existsSync } from 'node:fs';
import { seal, verifyChain } from '../../audit/index.js';
import type { ChainReport } from '../../domain/chain.js';
import { HelveError } from '../../domain/errors.js';
import { openStorage } from '../../storage/index.js';

export interface StoreReport {
  /** Slug of the workspace. */
  readonly workspace: string;
  readonly report: ChainReport;
}

/**
 * Yields one report per workspace of the store at `location`, which is the path of a SQLite file or a `postgres://` URL.
 * Throws `not_found` if there is no such file, and `storage_failed` if the store cannot be read.
 */
export async function* verifyStore(location: string): AsyncGenerator<StoreReport> {
  if (!location.includes('://') && !existsSync(location))
    throw new HelveError('not_found', `There is no store ${location}`, {
      hint: 'Name its file, or its postgres:// URL.',
    });
  const storage = await openStorage({ location, seal });
  try {
    for (const { id, slug } of await storage.system.listWorkspaces())
      yield { workspace: slug, report: await verifyChain(storage.workspace(id).audit) };
  } finally {
    await storage.close();
  }
}

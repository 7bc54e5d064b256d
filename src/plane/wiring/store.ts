/** The store of an installation. */
import { seal } from '../../audit/index.js';
import type { Storage } from '../../domain/storage.js';
import { openStorage } from '../../storage/index.js';
import { defined } from '../../util/defined.js';
import type { HelveOptions } from '../options.js';
import { getLocation } from './places.js';

/** Returns `options.storage`, or opens the store that the options name. Throws `invalid_config` or `storage_failed`. */
export async function openStore(options: HelveOptions, now: () => Date): Promise<Storage> {
  const { storage, databasePoolSize: poolSize } = options;
  return storage ?? openStorage({ location: getLocation(options), seal, now, ...defined({ poolSize }) });
}

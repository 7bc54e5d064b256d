/** Restores a backup into an installation that is empty. */
import { rm } from 'node:fs/promises';
import { HelveError } from '../../../domain/errors.js';
import { makeFolder } from '../../../util/make-folder.js';
import { readBackup } from './backup-file.js';
import { clearCutOff, noteRestore } from './cut-off.js';
import { type FileStage, stageFiles } from './files.js';
import { type CopyEvents, type FilledStore, fillFromItems, readHead, refuseBroken } from './fill-from-items.js';
import type { CopyHead } from './items.js';
import { type KeyPlaces, keyFile, missingKeys, placeKeys } from './keys.js';
import type { ReadStoreOptions } from './read-store.js';

export interface RestoreOptions extends ReadStoreOptions, KeyPlaces {
  readonly file: string;
  /** The path of an SQLite file, or a `postgres://` URL. */
  readonly location: string;
  /** A file of keys that becomes that of the data folder. */
  readonly keys?: string | undefined;
  /** Restore although keys are missing: what was sealed under them is lost. */
  readonly withoutKeys?: boolean | undefined;
  /** Restore although the chain of the record is broken in the backup, as it was in the store that was backed up. */
  readonly brokenRecord?: boolean | undefined;
  /** Added to the restored record. */
  readonly events?: CopyEvents | undefined;
}

/**
 * Everything is restored and read back, or nothing. Throws `not_found` without such a file, `invalid_input` for a broken one,
 * `conflict` if the store or the data folder is not empty or the record is broken, `precondition_failed` if keys of the vault are missing,
 * `invalid_config` for the backup of a newer Helve, `storage_failed`.
 */
export async function restore(options: RestoreOptions): Promise<FilledStore> {
  const { file, location, dataDir, events, onCopied, signal } = options;
  makeFolder(dataDir);
  await clearCutOff(dataDir, location);
  const stage = await stageFiles(dataDir);
  const forget = await noteRestore(dataDir, { location, keys: options.keys !== undefined });
  const items = readBackup(file, signal);
  let ownKeys = false;
  try {
    const head = await readHead(items);
    ownKeys = await settleKeys(options, head);
    return await fillFromItems(head, items, {
      location,
      events,
      onFile: stage.accept,
      async beforeCommit(facts) {
        refuseBroken(facts, options.brokenRecord);
        await stage.place();
      },
      onCopied,
      signal,
    });
  } catch (thrown) {
    await undo(stage, ownKeys ? keyFile(dataDir) : undefined);
    throw thrown;
  } finally {
    await forget();
    await items.return(undefined as never);
  }
}

async function undo(stage: FileStage, keys: string | undefined): Promise<void> {
  await stage.remove();
  if (keys !== undefined) await rm(keys, { force: true });
}

/** Returns whether it has put keys into the data folder. */
async function settleKeys(options: RestoreOptions, head: CopyHead): Promise<boolean> {
  const { dataDir, keys, withoutKeys = false } = options;
  if (keys !== undefined) await placeKeys(keys, keyFile(dataDir));
  const missing = await missingKeys(options, head.keys);
  if (missing.length === 0 || withoutKeys) return keys !== undefined;
  if (keys !== undefined) await rm(keyFile(dataDir), { force: true });
  throw new HelveError(
    'precondition_failed',
    `The keys ${missing.join(', ')} of the vault are missing: without them nobody can read the accounts' credentials in this backup`,
    {
      hint: 'Give them with --keys <file> or HELVE_VAULT_KEYS. With --without-keys everything else is restored, and every account must be connected again.',
    },
  );
}

/**
 * The keys of the vault beside a backup. They are never inside of it: who has both can read every stored credential, and
 * without them nobody can.
 */
import { existsSync } from 'node:fs';
import { constants, copyFile, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HelveError } from '../../../domain/errors.js';
import { type Keyring, keyringFromText, keyringInFile } from '../../../vault/index.js';

export interface KeyPlaces {
  readonly dataDir: string;
  /** `HELVE_VAULT_KEYS`. */
  readonly vaultKeys?: string | undefined;
}

/** Path of the file with the vault's keys in a data folder. */
export const keyFile = (dataDir: string): string => join(dataDir, 'vault-keys.json');

/** Undefined if this installation has no keys yet. */
function findKeyring({ dataDir, vaultKeys }: KeyPlaces): Keyring | undefined {
  if (vaultKeys !== undefined) return keyringFromText(vaultKeys);
  return existsSync(keyFile(dataDir)) ? keyringInFile(keyFile(dataDir)) : undefined;
}

/** Returns which of these keys this installation does not have. */
export async function missingKeys(places: KeyPlaces, ids: readonly string[]): Promise<readonly string[]> {
  const ring = findKeyring(places);
  const found = await Promise.all(ids.map((id) => ring?.find(id)));
  return ids.filter((_, place) => found[place] === undefined);
}

/**
 * Copies the key file of a data folder to a new file for its owner only, and reads it back. Throws `not_found` if there is
 * none, `conflict` if the file exists.
 */
export async function copyKeys({ dataDir, vaultKeys }: KeyPlaces, target: string): Promise<void> {
  if (vaultKeys !== undefined)
    throw new HelveError('not_found', 'The keys of the vault are in HELVE_VAULT_KEYS, not in the data folder', {
      hint: 'Back them up where you keep that setting, and leave out --keys.',
    });
  if (!existsSync(keyFile(dataDir)))
    throw new HelveError('not_found', `The data folder ${dataDir} has no keys of a vault`, {
      hint: 'Leave out --keys.',
    });
  await placeKeys(keyFile(dataDir), target);
}

/** Copies a file of keys to a new place. Throws `invalid_config` if it does not contain keys, `conflict` if the place is taken. */
export async function placeKeys(source: string, target: string): Promise<void> {
  if (!existsSync(source)) throw new HelveError('not_found', `There is no file of keys ${source}`);
  await keyringInFile(source).current();
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await copyFile(source, target, constants.COPYFILE_EXCL).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'EEXIST')
      throw new HelveError('conflict', `${target} exists already`, { hint: 'Name a new file.' });
    throw new HelveError('storage_failed', `The keys cannot be written to ${target} (${thrown.code})`, {
      cause: thrown,
    });
  });
  const handle = await open(target, 'r');
  await handle.chmod(0o600);
  await handle.sync();
  await handle.close();
  await keyringInFile(target).current();
}

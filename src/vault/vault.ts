/** The vault: a secret that is sealed here opens only here, for the place that it was sealed for. */
import { setTimeout } from 'node:timers/promises';
import { HelveError } from '../domain/errors.js';
import type { SealedSecret, Storage } from '../domain/storage.js';
import { defined } from '../util/defined.js';
import type { Keyring } from './keyring.js';
import { getKeyId, openSecret, type SecretPlace, sealSecret } from './seal.js';

export interface Vault {
  seal(place: SecretPlace, plaintext: string): Promise<SealedSecret>;
  /**
   * Throws `connection_inaccessible` for a secret that was moved, altered, cut, or sealed under a retired or unknown
   * key.
   */
  open(place: SecretPlace, secret: Pick<SealedSecret, 'sealed'>): Promise<string>;
  /**
   * Looks whether the keys open what is stored. Returns the id of a key that stored secrets are sealed under and that is not at
   * `place`, or undefined. Creates no keys. Throws `invalid_config` for keys that cannot be read.
   */
  findMissingKey(system: Storage['system']): Promise<{ readonly id: string; readonly place: string } | undefined>;
  /** Seals every secret under a new key while calls continue; afterwards the old keys no longer open anything. */
  rotate(storage: Pick<Storage, 'system' | 'workspace'>, options?: RotateOptions): Promise<Rotation>;
}

export interface RotateOptions {
  readonly signal?: AbortSignal;
}

export interface Rotation {
  readonly keyId: string;
  readonly resealed: number;
  /** Secrets that no key opens; they stay unchanged. */
  readonly unreadable: number;
  readonly retired: readonly string[];
}

const settleMs = 1_000;
const rowsAtOnce = 200;
/** Maximum rounds over rows that were written under the old key during the previous round. */
const maxRounds = 20;

/** Creates a vault that seals with the current key of the ring. */
export function createVault(keyring: Keyring): Vault {
  async function find(place: SecretPlace, sealed: string): Promise<string | undefined> {
    const id = getKeyId(sealed);
    const master = id === undefined ? undefined : await keyring.find(id);
    return master && openSecret(master, place, sealed);
  }

  /**
   * The current key, and the keys that rows still need: another rotation may run at the same time, with its own key.
   */
  async function keysInUse(system: Storage['system']): Promise<ReadonlySet<string>> {
    const { id } = await keyring.current();
    const ids = new Set([id]);
    for await (const { workspaceId, subject, sealed, keyId } of rowsUnderOtherKeys(system, id))
      if ((await find({ workspaceId, subject }, sealed)) !== undefined) ids.add(keyId);
    return ids;
  }

  const vault: Vault = {
    async seal(place, plaintext) {
      const master = await keyring.current();
      return { sealed: sealSecret(master, place, plaintext), keyId: master.id };
    },
    async open(place, { sealed }) {
      const plaintext = await find(place, sealed);
      if (plaintext !== undefined) return plaintext;
      throw new HelveError('connection_inaccessible', 'The stored credentials cannot be read', {
        hint: 'The operator must connect the account again, or restore the key that it was sealed under.',
      });
    },
    async findMissingKey(system) {
      const known = new Set<string>();
      for await (const { keyId } of rowsUnderOtherKeys(system, (await keyring.findCurrent())?.id ?? '')) {
        if (known.has(keyId)) continue;
        if ((await keyring.find(keyId)) === undefined) return { id: keyId, place: keyring.place };
        known.add(keyId);
      }
      return undefined;
    },
    async rotate(storage, { signal } = {}) {
      // If the operator provides the keys, the first of them is the new one.
      const { id: keyId } = (await keyring.add()) ?? (await keyring.current());
      let resealed = 0;
      let unreadable = 0;
      for (let round = 0; round < maxRounds; round++) {
        const before = resealed;
        unreadable = 0;
        for await (const row of rowsUnderOtherKeys(storage.system, (await keyring.current()).id)) {
          signal?.throwIfAborted();
          const { workspaceId, subject, sealed } = row;
          const plaintext = await find({ workspaceId, subject }, sealed);
          if (plaintext === undefined) unreadable += 1;
          else {
            const fresh = await vault.seal({ workspaceId, subject }, plaintext);
            if (await storage.workspace(workspaceId).secrets.reseal(subject, sealed, fresh)) resealed += 1;
          }
        }
        if (resealed === before) break;
        // Another process may have sealed with the old key just before it was replaced, and write only now.
        await setTimeout(settleMs, undefined, signal === undefined ? {} : { signal });
      }
      const retired = await keyring.retire(await keysInUse(storage.system));
      return { keyId, resealed, unreadable, retired };
    },
  };
  return vault;
}

async function* rowsUnderOtherKeys(system: Storage['system'], keyIdNot: string) {
  let after: { workspaceId: string; subject: string } | undefined;
  for (;;) {
    const rows = await system.listSecrets({
      keyIdNot,
      limit: rowsAtOnce,
      ...defined({ after }),
    });
    yield* rows;
    after = rows.at(-1);
    if (rows.length < rowsAtOnce || after === undefined) return;
  }
}

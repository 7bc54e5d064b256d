/** Says at the start, and in the list of `helve doctor`, if the vault's keys do not open what is stored. */
import type { DoctorCheck } from '../../domain/doctor.js';
import { HelveError } from '../../domain/errors.js';
import type { Storage } from '../../domain/storage.js';
import type { Vault } from '../../vault/index.js';

type System = Storage['system'];

const hint =
  'Put the key back before an account is connected or the keys are rotated. If it is lost for good, connect the accounts again.';

/**
 * Reports stored secrets that no key opens. Throws `invalid_config` if the file of keys is damaged. A missing key does not stop the
 * start, because a store can be restored without its keys.
 */
export async function checkVaultKeys(vault: Vault, system: System, report: (error: unknown) => void): Promise<void> {
  const missing = await vault.findMissingKey(system);
  if (missing !== undefined) report(new HelveError('invalid_config', describe(missing), { hint }));
}

export async function checkVault(vault: Vault, system: System): Promise<DoctorCheck> {
  const check = 'vault';
  try {
    const missing = await vault.findMissingKey(system);
    if (missing === undefined) return { check, state: 'ok', detail: 'its keys open what is stored' };
    return { check, state: 'warning', detail: describe(missing), hint };
  } catch (error) {
    if (!(error instanceof HelveError) || error.code !== 'invalid_config') throw error;
    return { check, state: 'failed', detail: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) };
  }
}

const describe = ({ id, place }: { readonly id: string; readonly place: string }): string =>
  `Stored secrets are sealed under the key ${id} of the vault, which is not in ${place}`;

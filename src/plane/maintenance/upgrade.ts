/** Brings a store up to date without serving it, and says beforehand what that would do. */
import { seal } from '../../audit/index.js';
import { inspectStore, openStorage, type StoreState } from '../../storage/index.js';

export type { StoreState } from '../../storage/index.js';

/**
 * - `none`: there is no store yet; the first start makes it.
 * - `current`: the store needs nothing.
 * - `rolling`: the processes that serve it go on during and after the upgrade, and can be replaced one by one.
 * - `stop_first`: at least one process that serves it must be stopped before.
 * - `stopped`: no process serves it, and those of the older Helve could not go on after the upgrade.
 */
export type UpgradePlan = 'none' | 'current' | 'rolling' | 'stop_first' | 'stopped';

export interface UpgradeCheck extends StoreState {
  readonly plan: UpgradePlan;
}

/**
 * Changes nothing. `location`: the path of an SQLite file or a `postgres://` URL. Throws `invalid_config` for a store that this
 * Helve must not use, else `storage_failed`.
 */
export async function checkUpgrade(location: string): Promise<UpgradeCheck> {
  const state = await inspectStore(location);
  return { ...state, plan: planOf(state) };
}

function planOf({ schema, pending, serving, oldestReader }: StoreState): UpgradePlan {
  if (schema === 0) return 'none';
  if (pending.length === 0) return 'current';
  if (serving.length === 0 && schema < oldestReader) return 'stopped';
  return serving.every(({ goesOn }) => goesOn) ? 'rolling' : 'stop_first';
}

/** Runs the pending migrations, as a start would. Throws `conflict` for `stop_first`, else as `checkUpgrade` does. */
export async function upgradeStore(location: string): Promise<void> {
  await (await openStorage({ location, seal })).close();
}

/** The state of an installation, with a hint for each problem: `helve doctor` and the panel show the same list. */
import type { Principal } from './principal.js';
import type { StoreSizes } from './store-sizes.js';

export interface DoctorCheck {
  readonly check: string;
  /** `warning`: Helve works, and something is switched off, has no effect, or may soon go wrong. */
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
  /** What to do about it. */
  readonly hint?: string;
}

export interface DoctorActs {
  /**
   * The version of Node.js, the data folder with its free space, certificates, the public address, the clock, the store with its size and growth, the record, rules and limits that may have no effect, and what this machine can enforce.
   * `record: 'skip'`: the record is not read, which takes seconds if it is long.
   */
  doctor(principal: Principal, options?: { readonly record?: 'verify' | 'skip' }): Promise<readonly DoctorCheck[]>;
  /** How large the store is and how fast it grows, which `doctor` reports in one line. */
  storeSizes(principal: Principal): Promise<StoreSizes>;
}

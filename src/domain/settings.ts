/** The effective settings of an installation, each with where it is from. */
import type { JsonValue } from './json.js';
import type { Principal } from './principal.js';

export type SettingSource =
  | { readonly kind: 'default' }
  | { readonly kind: 'environment'; readonly variable: string }
  /** An option of the command line. */
  | { readonly kind: 'option'; readonly option: string }
  /** `variables`: those that the written value refers to. */
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly variables?: readonly string[] };

export interface Setting {
  /** The key in `helve.yaml` (`approvals.lifetime_minutes`), or the name of a variable. */
  readonly key: string;
  /** Whether it has a value at all. */
  readonly isSet: boolean;
  /** Nobody is shown its value. */
  readonly secret?: true;
  /** Absent for a secret, and where it has none. */
  readonly value?: JsonValue;
  readonly source: SettingSource;
}

export interface SettingActs {
  /** Every setting of the process and of `helve.yaml`. Secrets are never among the values. */
  settings(principal: Principal): Promise<readonly Setting[]>;
}

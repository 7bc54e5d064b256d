/** What an issue takes away from those who work on it. */
import { toAppKey } from '../domain/naming/index.js';
import type { TaskScope } from '../domain/task-scope.js';

export interface TaskRefusal {
  /** `config.<level>.disabled`, `config.<level>.enabled` or `config.<level>.defaults`. */
  readonly rule: string;
  readonly reason: string;
}

/** `needsAccount`: the tool belongs to an app; the others are the defaults. Undefined: the issue allows it. */
export function refusedByTask(
  { apps, disabled, includeDefaults, defaultsOffBy, limitedBy, why }: TaskScope,
  toolkit: string,
  needsAccount: boolean,
): TaskRefusal | undefined {
  const key = toAppKey(toolkit);
  const has = (list: readonly string[]): boolean => list.some((app) => toAppKey(app) === key);
  const said = Object.entries(why).find(([app]) => toAppKey(app) === key)?.[1];
  if (has(disabled)) {
    const way = said?.way === 'left_out' ? 'enabled' : 'disabled';
    return {
      rule: `config.${said?.level}.${way}`,
      reason: `The ${said?.level} does not allow ${toolkit} for this issue`,
    };
  }
  if (apps !== 'all' && has(apps)) return undefined;
  if (!needsAccount)
    return includeDefaults
      ? undefined
      : {
          rule: `config.${defaultsOffBy}.defaults`,
          reason: `The ${defaultsOffBy} allows no tools without an account for this issue`,
        };
  if (apps === 'all') return undefined;
  const by = said?.level ?? limitedBy;
  return { rule: `config.${by}.enabled`, reason: `The ${by} does not list ${toolkit} among the apps of this issue` };
}

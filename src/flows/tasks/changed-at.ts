/** When an issue was changed, by which a writer can tell that somebody else has changed it since. */
import type { Issue } from '../../domain/task.js';

/** Returns the time of a change as ISO 8601: now, or a millisecond after the previous change if that is later. */
export function changedAt({ updatedAt }: Pick<Issue, 'updatedAt'>, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(updatedAt) + 1)).toISOString();
}

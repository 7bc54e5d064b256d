/**
 * How close a written name is to a tool's name as spelt. Names are looked up by their letters alone; this distinguishes
 * those that differ only in separators or case (`list_teams`, `listTeams`), and of two names one typing error away
 * prefers the one that needs no other change.
 */
import { editBetween } from './distance.js';

/**
 * Letter for letter; except for case; except for one character; none of these. Values in between only sort within a
 * kind.
 */
export const closeness = { same: 0, case: 1, edit: 2, letters: 3 } as const;

/** A repeated toolkit (`github_github_create_issue`) is rarely the intended spelling. */
const repeating = 0.25;
/** A wrong or added character may be any of dozens: a missing one, or two swapped, is more likely. */
const lessLikely = 0.2;
const withoutToolkit = 0.4;

export interface SpeltTool {
  readonly toolkit: string;
  readonly id: string;
  readonly name: string;
}

/** How close the tool's nearest spelling is, and whether that spelling includes the toolkit. */
export function measureCloseness(
  written: string,
  { toolkit, id, name }: SpeltTool,
): { value: number; isFull: boolean } {
  const repeats = name.toLowerCase().startsWith(toolkit.toLowerCase());
  const joined = nearness(written, `${toolkit}_${name}`) + (repeats ? repeating : 0);
  const full = Math.min(joined, nearness(written, id));
  const bare = id === name ? full : nearness(written, name);
  const value = bare >= closeness.edit && bare < closeness.letters ? bare + withoutToolkit : bare;
  return { value: Math.min(full, value, closeness.letters), isFull: full <= bare };
}

function nearness(written: string, spelling: string): number {
  if (written === spelling) return closeness.same;
  const one = written.toLowerCase();
  const other = spelling.toLowerCase();
  if (one === other) return closeness.case;
  const edit = editBetween(one, other);
  if (edit === undefined) return closeness.letters;
  return closeness.edit + (edit === 'missing' || edit === 'exchanged' ? 0 : lessLikely);
}

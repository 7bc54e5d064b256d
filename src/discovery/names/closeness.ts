/**
 * How near what is written is to a tool's name as it is spelt. Names are looked up by their letters alone; this tells
 * apart those that only differ in their joints or their case (`list_teams`, `listTeams`), and of two names one typing
 * error away the one that needs no other change.
 */
import { editBetween } from './distance.js';

/** Letter for letter; but for the case; but for one sign; none of these. What lies between only orders within a kind. */
export const closeness = { same: 0, case: 1, edit: 2, letters: 3 } as const;

/** The toolkit twice (`github_github_create_issue`) is rarely what a name that repeats it is called. */
const repeating = 0.25;
/** A wrong or added sign may be any of dozens: a name is likelier meant if one was left out, or two exchanged. */
const lessLikely = 0.2;
const withoutToolkit = 0.4;

export interface SpeltTool {
  readonly toolkit: string;
  readonly id: string;
  readonly name: string;
}

/** How near the tool's nearest spelling is, and whether that one has the toolkit with it. */
export function closenessOf(written: string, { toolkit, id, name }: SpeltTool): { value: number; isFull: boolean } {
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

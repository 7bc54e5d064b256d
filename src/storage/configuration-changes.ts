/**
 * Notes which parts of a configuration a change writes, so that a process that knows an earlier revision reads only those. A revision
 * without a note, such as one that an earlier Helve made, is read as a whole.
 */
import type { WorkspaceConfiguration } from '../domain/grant.js';
import type { Scope } from './scope.js';

type Part = 'agents' | 'grants' | 'policies' | 'toolkits' | 'connections' | 'pins';

/** Items by part: ids of agents, connections and policies, and for grants the ids of their agents. `all`: read the part as a whole. */
export type ChangedParts = ReadonlyMap<Part, ReadonlySet<string> | 'all'>;

const parts: Readonly<Record<string, Part>> = {
  agents: 'agents',
  grants: 'grants',
  policies: 'policies',
  toolkit_settings: 'toolkits',
  connections: 'connections',
  definition_pins: 'pins',
};
/** The item of a part that changed as a whole. */
const whole = '';
/** The part of a revision that changed nothing of the configuration, such as a token. */
const nothing = 'nothing';
/** More items than this are read as a whole. */
const maxItems = 200;
/** A process that knows only an older revision than this many ago reads everything. */
const kept = 500;

export interface NotedScope {
  /** Every write through it notes the whole part. */
  readonly scope: Scope;
  /** Notes these items, and returns a scope for the writes that touch nothing else of the part. */
  only(part: Part, ...items: readonly string[]): Scope;
  /** Writes the notes for the revision that the change creates. */
  write(revision: number): Promise<void>;
}

export function noteChanges(scope: Scope): NotedScope {
  const noted = new Map<Part, Set<string>>();

  function note(part: Part, item: string): void {
    const items = noted.get(part) ?? new Set();
    noted.set(part, items.add(items.size < maxItems ? item : whole));
  }
  function noteTable(table: string): void {
    const part = Object.hasOwn(parts, table) ? parts[table] : undefined;
    if (part) note(part, whole);
  }

  return {
    scope: {
      ...scope,
      updateTable(table) {
        noteTable(table);
        return scope.updateTable(table);
      },
      deleteFrom(table) {
        noteTable(table);
        return scope.deleteFrom(table);
      },
      insertInto(table, rows) {
        noteTable(table);
        return scope.insertInto(table, rows);
      },
      upsert(table, key, row) {
        noteTable(table);
        return scope.upsert(table, key, row);
      },
    },
    only(part, ...items) {
      for (const item of items) note(part, item);
      return scope;
    },
    async write(revision) {
      const rows = [...noted].flatMap(([part, items]) =>
        (items.has(whole) ? [whole] : [...items]).map((item) => ({ revision, part, item })),
      );
      const all = rows.length > 0 ? rows : [{ revision, part: nothing, item: whole }];
      await scope.insertInto('configuration_changes', all).execute();
      await scope
        .deleteFrom('configuration_changes')
        .where('revision', '<=', revision - kept)
        .execute();
    },
  };
}

/** What has changed between the two revisions; undefined if it is not known of each of them. */
export async function readChanges(
  scope: Scope,
  { revision: from }: Pick<WorkspaceConfiguration, 'revision'>,
  to: number,
): Promise<ChangedParts | undefined> {
  if (from > to || to - from >= kept) return undefined;
  const query = scope.selectFrom('configuration_changes').select(['revision', 'part', 'item']);
  const rows = await query.where('revision', '>', from).where('revision', '<=', to).execute();
  if (new Set(rows.map(({ revision }) => Number(revision))).size !== to - from) return undefined;
  const changed = new Map<Part, Set<string> | 'all'>();
  for (const { part, item } of rows) {
    if (part === nothing) continue;
    const known = changed.get(part as Part);
    if (item === whole || known === 'all') changed.set(part as Part, 'all');
    else changed.set(part as Part, (known ?? new Set()).add(item));
  }
  for (const [part, items] of changed) if (items !== 'all' && items.size > maxItems) changed.set(part, 'all');
  return changed;
}

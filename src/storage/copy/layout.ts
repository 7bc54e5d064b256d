/**
 * The tables of a store as the database describes them, so that a copy is complete whatever migration added a table.
 *
 * Six tables describe the installation and not its data, and are never copied: which migrations ran, which processes are
 * alive, which of them drives the actors, the counts of rate limits, and two about the sessions of MCP clients. Without the second and third a restored store has
 * no living process, and the next start settles what the old ones left open.
 */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export interface TableLayout {
  readonly name: string;
  /** By name, so that they come in the same order from every database. */
  readonly columns: readonly string[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
}

const ofThisInstallation: ReadonlySet<string> = new Set([
  'helve_schema',
  'instances',
  'actor_driver',
  'shared_counts',
  'mcp_sessions',
  'mcp_messages',
]);

const record = 'audit_events';

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  /** Position in the primary key from 1, else 0. */
  readonly key: number;
}

interface ParentRow {
  readonly table: string;
  readonly parent: string;
}

/** Returns the tables that belong to a copy: each one after those that it refers to. */
export async function describeTables(db: Kysely<Schema>, kind: DatabaseKind): Promise<readonly TableLayout[]> {
  const columns = (await columnsOf(kind).execute(db)).rows;
  const parents = (await parentsOf(kind).execute(db)).rows;
  const names = [...new Set(columns.map(({ table }) => table))].filter((name) => !ofThisInstallation.has(name)).sort();
  // The record is the last one: who follows its chain needs to know where it begins.
  const ordered = [...names.filter((name) => name !== record), ...names.filter((name) => name === record)];
  return parentsFirst(ordered, parents).map((name) => {
    const own = columns.filter(({ table }) => table === name);
    const key = own.filter((one) => one.key > 0).sort((a, b) => a.key - b.key);
    return { name, columns: own.map(({ column }) => column).sort(), key: key.map(({ column }) => column) };
  });
}

function columnsOf(kind: DatabaseKind) {
  if (kind === 'sqlite')
    return sql<ColumnRow>`select t.name as "table", c.name as "column", c.pk as "key"
      from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite~_%' escape '~'`;
  return sql<ColumnRow>`select t.relname::text as "table", c.attname::text as "column",
      coalesce(array_position(k.indkey::smallint[], c.attnum) + 1, 0)::int as "key"
    from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
      left join pg_index k on k.indrelid = t.oid and k.indisprimary
    where t.relkind = 'r' and t.relnamespace = current_schema()::text::regnamespace`;
}

function parentsOf(kind: DatabaseKind) {
  if (kind === 'sqlite')
    return sql<ParentRow>`select t.name as "table", f."table" as parent
      from sqlite_master t, pragma_foreign_key_list(t.name) f where t.type = 'table'`;
  return sql<ParentRow>`select t.relname::text as "table", p.relname::text as parent
    from pg_constraint f join pg_class t on t.oid = f.conrelid join pg_class p on p.oid = f.confrelid
    where f.contype = 'f' and t.relnamespace = current_schema()::text::regnamespace`;
}

function parentsFirst(names: readonly string[], references: readonly ParentRow[]): string[] {
  const placed = new Set<string>();
  const place = (name: string): void => {
    if (placed.has(name)) return;
    placed.add(name);
    waiting.delete(name);
    for (const { table, parent } of references) if (table === name && waiting.has(parent)) place(parent);
    ordered.push(name);
  };
  const waiting = new Set(names);
  const ordered: string[] = [];
  for (const name of names) place(name);
  return ordered;
}

/** Describes a database for a model: tables, columns, keys, and the comments of their makers. */
import type { Reach } from './answer.js';
import { ask } from './query.js';
import type { Target } from './settings.js';

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

const mostTables = 300;
const limits = { maxRows: 10_000, maxBytes: 2_000_000, timeoutMs: 15_000, parameters: [] };

const postgresColumns = `
  select case when n.nspname = 'public' then '' else quote_ident(n.nspname) || '.' end || quote_ident(c.relname),
    quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attnotnull then ' not null' else '' end
      || coalesce((select ' primary key' from pg_index i where i.indrelid = c.oid and i.indisprimary
           and a.attnum = any (i.indkey) limit 1), '')
      || coalesce((select ' references ' || f.relname from pg_constraint k join pg_class f on f.oid = k.confrelid
           where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey) limit 1), '')
      || coalesce(' -- ' || col_description(c.oid, a.attnum), '')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
  where c.relkind in ('r', 'v', 'm', 'p', 'f') and a.attnum > 0 and not a.attisdropped
    and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_toast%'
    and has_column_privilege(c.oid, a.attnum, 'select')
  order by n.nspname, c.relname, a.attnum`;

const sqliteColumns = `
  select '"' || replace(t.name, '"', '""') || '"',
    '"' || replace(c.name, '"', '""') || '" ' || c.type || case when c."notnull" then ' not null' else '' end
      || case when c.pk then ' primary key' else '' end
      || coalesce((select ' references ' || k."table" from pragma_foreign_key_list(t.name) k where k."from" = c.name), '')
  from sqlite_master t join pragma_table_info(t.name) c
  where t.type in ('table', 'view') and t.name not like 'sqlite\\_%' escape '\\'
  order by t.name, c.cid`;

export async function describe(target: Target, reach: Reach): Promise<{ tables: Table[]; truncated: boolean }> {
  const sql = target.kind === 'postgres' ? postgresColumns : sqliteColumns;
  const { rows, truncated } = await ask({ ...target, writes: false }, { ...limits, sql }, reach);
  const tables = new Map<string, string[]>();
  for (const [table, column] of rows) {
    const columns = tables.get(String(table)) ?? [];
    columns.push(String(column));
    tables.set(String(table), columns);
  }
  const all = [...tables].map(([name, columns]) => ({ name, columns }));
  return { tables: all.slice(0, mostTables), truncated: truncated || all.length > mostTables };
}

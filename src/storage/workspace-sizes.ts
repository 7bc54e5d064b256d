/**
 * The size of a workspace's data, by kind. Bytes are estimated from a few rows, because measuring them would read the
 * whole store.
 */
import { type Kysely, sql } from 'kysely';
import type { KindSize, StoredKind } from '../domain/store-sizes.js';
import { describeTables, type TableLayout } from './copy/layout.js';
import type { Engine } from './engine.js';
import type { Schema } from './schema.js';

const sampled = 50;

const kinds: Readonly<Record<Exclude<StoredKind, 'settings'>, readonly string[]>> = {
  record: ['audit_events', 'audit_blocks', 'call_blocks', 'record_archives'],
  results: ['results'],
  runs: ['runs', 'run_steps', 'plan_uses', 'intents'],
  approvals: ['approvals'],
  tasks: [
    'actors',
    'actor_inbox',
    'actor_work',
    'actor_executions',
    'issues',
    'issue_comments',
    'task_sources',
    'recipes',
  ],
  documents: ['documents', 'document_parts', 'key_values', 'learned_types'],
  events: ['trigger_events', 'trigger_subscriptions'],
  messages: ['notification_messages', 'mcp_messages', 'mcp_sessions'],
};

const kindOf = (table: string): StoredKind =>
  (Object.entries(kinds) as [StoredKind, readonly string[]][]).find(([, tables]) => tables.includes(table))?.[0] ??
  'settings';

/** The largest first. Everything that no list contains, such as agents, grants and accounts, is `settings`. */
export async function measureWorkspace({ db, kind }: Engine, workspaceId: string): Promise<readonly KindSize[]> {
  const sizes = new Map<StoredKind, KindSize>();
  for (const table of await describeTables(db, kind)) {
    if (!table.columns.includes('workspace_id')) continue;
    const { rows, bytes } = await measureTable(db, table, workspaceId);
    const of = kindOf(table.name);
    const before = sizes.get(of) ?? { kind: of, rows: 0, bytes: 0 };
    sizes.set(of, { kind: of, rows: before.rows + rows, bytes: before.bytes + bytes });
  }
  return [...sizes.values()].sort((one, other) => other.bytes - one.bytes);
}

interface Counted {
  readonly rows: number | string | bigint;
}

async function measureTable(db: Kysely<Schema>, { name, columns }: TableLayout, workspaceId: string) {
  const table = sql.table(name);
  const mine = sql`workspace_id = ${workspaceId}`;
  // The record has no gaps and can have millions of rows, which would keep SQLite busy while they are counted.
  const count =
    name === 'audit_events'
      ? sql<Counted>`select coalesce((select max(seq) from ${table} where ${mine})
          - (select min(seq) from ${table} where ${mine}) + 1, 0) as rows`
      : sql<Counted>`select count(*) as rows from ${table} where ${mine}`;
  const counted = await count.execute(db);
  const rows = Number(counted.rows[0]?.rows ?? 0);
  if (rows === 0) return { rows, bytes: 0 };
  const lengths = columns.map((column) => sql`coalesce(length(cast(${sql.ref(column)} as text)), 0)`);
  const length = sql.join(lengths, sql` + `);
  const some = sql`(select ${length} as size from ${table} where ${mine} limit ${sampled}) as sample`;
  const read = await sql<{ size: number | string | null }>`select avg(size) as size from ${some}`.execute(db);
  return { rows, bytes: Math.round(rows * Number(read.rows[0]?.size ?? 0)) };
}

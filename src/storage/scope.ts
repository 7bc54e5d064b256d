/**
 * Queries within one workspace. The tenant is added only here, to every row read, changed, deleted or inserted, so that
 * no repository can forget it.
 */
import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import { HelveError } from '../domain/errors.js';
import type { WorkspaceConfiguration } from '../domain/grant.js';
import { toToolMode } from './rows.js';
import type { Schema, TenantTable, WorkspaceTableRow } from './schema.js';

type Values<T extends TenantTable> = Omit<Schema[T], 'workspace_id'>;

export interface Scope {
  readonly workspaceId: string;
  selectFrom<T extends TenantTable>(table: T): SelectQueryBuilder<Schema, T, object>;
  updateTable<T extends TenantTable>(table: T): UpdateQueryBuilder<Schema, T, T, UpdateResult>;
  deleteFrom<T extends TenantTable>(table: T): DeleteQueryBuilder<Schema, T, DeleteResult>;
  insertInto<T extends TenantTable>(
    table: T,
    rows: Values<T> | readonly Values<T>[],
  ): InsertQueryBuilder<Schema, T, InsertResult>;
  /** Inserts, or overwrites the row with the same key within the workspace. */
  upsert<T extends TenantTable>(table: T, key: readonly (keyof Values<T> & string)[], row: Values<T>): Promise<void>;
  /** The workspace itself. */
  workspace(): Promise<WorkspaceTableRow>;
  /** The workspace and its agents in one query. */
  workspaceWithAgents(): Promise<{ workspace: WorkspaceTableRow; agents: WorkspaceConfiguration['agents'] }>;
}

export function scoped(db: Kysely<Schema>, workspaceId: string): Scope {
  const tenant = () => sql<boolean>`workspace_id = ${workspaceId}`;

  function insertInto<T extends TenantTable>(table: T, rows: Values<T> | readonly Values<T>[]) {
    const list = (Array.isArray(rows) ? rows : [rows]) as readonly Values<T>[];
    const values = list.map((row) => ({ ...row, workspace_id: workspaceId }));
    return db.insertInto(table).values(values as never) as InsertQueryBuilder<Schema, T, InsertResult>;
  }

  return {
    workspaceId,
    selectFrom<T extends TenantTable>(table: T) {
      return (db.selectFrom(table) as unknown as SelectQueryBuilder<Schema, T, object>).where(tenant());
    },
    updateTable<T extends TenantTable>(table: T) {
      return (db.updateTable(table) as unknown as UpdateQueryBuilder<Schema, T, T, UpdateResult>).where(tenant());
    },
    deleteFrom<T extends TenantTable>(table: T) {
      return (db.deleteFrom(table) as unknown as DeleteQueryBuilder<Schema, T, DeleteResult>).where(tenant());
    },
    insertInto,
    async upsert<T extends TenantTable>(table: T, key: readonly (keyof Values<T> & string)[], row: Values<T>) {
      await insertInto(table, row)
        .onConflict((conflict) => conflict.columns(['workspace_id', ...key] as never).doUpdateSet(row as never))
        .execute();
    },
    async workspace() {
      const row = await db.selectFrom('workspaces').selectAll().where('id', '=', workspaceId).executeTakeFirst();
      return row ?? missing(workspaceId);
    },
    async workspaceWithAgents() {
      const rows = await db
        .selectFrom('workspaces')
        .leftJoin('agents', 'agents.workspace_id', 'workspaces.id')
        .selectAll('workspaces')
        .select(['agents.id as agent_id', 'agents.slug as agent_slug', 'agents.name as agent_name', 'agents.tool_mode'])
        .where('workspaces.id', '=', workspaceId)
        .orderBy('agents.slug')
        .execute();
      const agents = rows.flatMap((row) =>
        row.agent_id === null || row.agent_slug === null || row.agent_name === null
          ? []
          : [{ id: row.agent_id, slug: row.agent_slug, name: row.agent_name, ...toToolMode(row) }],
      );
      return { workspace: rows[0] ?? missing(workspaceId), agents };
    },
  };
}

export function missing(workspaceId: string): never {
  throw new HelveError('not_found', `There is no workspace ${JSON.stringify(workspaceId)}`);
}

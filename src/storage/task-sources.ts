/** Where issues come from. Written inside a change of the configuration, together with the secret of the source. */
import type { Kysely } from 'kysely';
import { HelveError } from '../domain/errors.js';
import type { ConfigurationTables } from '../domain/storage.js';
import type { TaskSource, TaskSourceProvider, TaskSourceTable } from '../domain/task-source.js';
import { decodeJson, encodeJson, encodeTime } from './codec.js';
import type { TaskSourceRow } from './issue-schema.js';
import type { Schema } from './schema.js';
import type { Scope } from './scope.js';

export function createTaskSources(scope: Scope): TaskSourceTable {
  return {
    async list() {
      const rows = scope.selectFrom('task_sources').selectAll().orderBy('created_at').orderBy('id');
      return (await rows.execute()).map(toTaskSource);
    },
    async find(id) {
      const row = await scope.selectFrom('task_sources').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toTaskSource(row);
    },
  };
}

export function createTaskSourceChanges(
  scope: Scope,
): Pick<ConfigurationTables, 'insertTaskSource' | 'deleteTaskSource'> {
  return {
    async insertTaskSource(source) {
      const insert = scope.insertInto('task_sources', fromTaskSource(source));
      const result = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
      if (result.numInsertedOrUpdatedRows === 1n) return;
      throw new HelveError('conflict', `There is already a source for ${source.scope} of ${source.provider}`, {
        hint: 'Remove it first, or use it.',
      });
    },
    async deleteTaskSource(id) {
      const result = await scope.deleteFrom('task_sources').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows === 1n;
    },
  };
}

/** In all workspaces: a delivery says what it is about, but not to whom it belongs. */
export async function findTaskSources(
  db: Kysely<Schema>,
  provider: TaskSourceProvider,
  scopes: readonly string[],
): Promise<{ readonly workspaceId: string; readonly source: TaskSource }[]> {
  if (scopes.length === 0) return [];
  const sources = db.selectFrom('task_sources').selectAll().where('provider', '=', provider);
  const keys = scopes.map((scope) => toKey(provider, scope));
  const rows = await sources.where('scope_key', 'in', keys).orderBy('created_at').orderBy('id').execute();
  return rows.map((row) => ({ workspaceId: row.workspace_id, source: toTaskSource(row) }));
}

/** GitHub ignores case in names. In Linear, case distinguishes the key of a team from an organisation. */
const toKey = (provider: TaskSourceProvider, scope: string): string =>
  provider === 'github' ? scope.toLowerCase() : scope;

function fromTaskSource({
  id,
  provider,
  scope,
  createdAt,
  ...fields
}: TaskSource): Omit<TaskSourceRow, 'workspace_id'> {
  return {
    id,
    provider,
    scope,
    scope_key: toKey(provider, scope),
    fields: encodeJson(fields),
    created_at: encodeTime(createdAt),
  };
}

function toTaskSource({ id, provider, scope, fields, created_at }: TaskSourceRow): TaskSource {
  const others = decodeJson<Omit<TaskSource, 'id' | 'provider' | 'scope' | 'createdAt'>>(fields);
  return { ...others, id, provider, scope, createdAt: created_at };
}

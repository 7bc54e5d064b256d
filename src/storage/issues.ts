/** Issues, their comments, and tool configs. */
import type { IssueTable } from '../domain/issue-storage.js';
import type { PrincipalRef } from '../domain/principal.js';
import type { Issue, IssueComment, StoredToolConfig } from '../domain/task.js';
import { decodeJson, encodeJson, encodePrincipal, encodeTime } from './codec.js';
import type { Engine } from './engine.js';
import { type IssueRow, searchedText, type ToolConfigRow } from './issue-schema.js';
import type { Journal } from './journal.js';
import { withHead } from './locked.js';
import { type Scope, scoped } from './scope.js';

export function createIssues(engine: Engine, journal: Journal, workspaceId: string): IssueTable {
  const scope = scoped(engine.db, workspaceId);
  /** Writes the events together with the work, if the work reports a change. */
  const recorded = (events: Parameters<IssueTable['insert']>[1], work: (inside: Scope) => Promise<boolean>) =>
    withHead(engine, journal, workspaceId, events, async (transaction, record) => {
      const isDone = await work(scoped(transaction, workspaceId));
      if (isDone) record();
      return isDone;
    });
  const find = async (inside: Scope, id: string): Promise<IssueRow | undefined> =>
    inside.selectFrom('issues').selectAll().where('id', '=', id).executeTakeFirst();
  return {
    insert: (issue, events) =>
      recorded(events, async (inside) => {
        const insert = inside.insertInto('issues', fromIssue(issue)).onConflict((conflict) => conflict.doNothing());
        return (await insert.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
      }),
    async find(id) {
      const row = await find(scope, id);
      return row && toIssue(row);
    },
    async listById(ids) {
      if (ids.length === 0) return [];
      return (await scope.selectFrom('issues').selectAll().where('id', 'in', ids).execute()).map(toIssue);
    },
    change: (issue, events, updatedAt) =>
      recorded(events, async (inside) => {
        const { id, ...columns } = fromIssue(issue);
        const update = inside.updateTable('issues').set(columns).where('id', '=', id);
        const unchanged = updatedAt === undefined ? update : update.where('updated_at', '=', encodeTime(updatedAt));
        return (await unchanged.executeTakeFirst()).numUpdatedRows === 1n;
      }),
    comment: (issueId, { id, author, text, createdAt }, events) =>
      recorded(events, async (inside) => {
        if (!(await find(inside, issueId))) return false;
        const row = { issue_id: issueId, id, author: encodePrincipal(author), text, created_at: encodeTime(createdAt) };
        const insert = inside.insertInto('issue_comments', row).onConflict((conflict) => conflict.doNothing());
        return (await insert.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
      }),
    async findComment(issueId, id) {
      const query = scope.selectFrom('issue_comments').select('id').where('issue_id', '=', issueId);
      return (await query.where('id', '=', id).executeTakeFirst()) !== undefined;
    },
    async comments(issueId, limit) {
      const query = scope.selectFrom('issue_comments').selectAll().where('issue_id', '=', issueId);
      const rows = await query.orderBy('id', 'desc').limit(limit).execute();
      return rows.reverse().map(({ id, author, text, created_at }): IssueComment => {
        return { id, author: decodeJson<PrincipalRef>(author), text, createdAt: created_at };
      });
    },
    async findConfig(level, id) {
      const query = scope.selectFrom('tool_configs').selectAll().where('level', '=', level).where('id', '=', id);
      const row = await query.executeTakeFirst();
      return row && toConfig(row);
    },
    putConfig: ({ level, id, config, updatedAt, updatedBy }, before, events) =>
      recorded(events, async (inside) => {
        const columns = {
          config: encodeJson(config),
          updated_at: encodeTime(updatedAt),
          updated_by: encodePrincipal(updatedBy),
        };
        if (!before) {
          const insert = inside.insertInto('tool_configs', { level, id, ...columns });
          const inserted = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
          return inserted.numInsertedOrUpdatedRows === 1n;
        }
        const update = inside.updateTable('tool_configs').set(columns).where('level', '=', level).where('id', '=', id);
        const unchanged = update
          .where('config', '=', encodeJson(before.config))
          .where('updated_at', '=', encodeTime(before.updatedAt));
        return (await unchanged.executeTakeFirst()).numUpdatedRows === 1n;
      }),
  };
}

function fromIssue({
  id,
  workspaceId: _,
  title,
  createdAt,
  updatedAt,
  ...fields
}: Issue): Omit<IssueRow, 'workspace_id'> {
  return {
    id,
    title,
    fields: encodeJson(fields),
    searched: searchedText({ title, ...fields }),
    created_at: encodeTime(createdAt),
    updated_at: encodeTime(updatedAt),
  };
}

function toIssue({ id, workspace_id, title, fields, created_at, updated_at }: IssueRow): Issue {
  const others = decodeJson<Omit<Issue, 'id' | 'workspaceId' | 'title' | 'createdAt' | 'updatedAt'>>(fields);
  return { ...others, id, workspaceId: workspace_id, title, createdAt: created_at, updatedAt: updated_at };
}

function toConfig({ level, id, config, updated_at, updated_by }: ToolConfigRow): StoredToolConfig {
  return { level, id, config: decodeJson(config), updatedAt: updated_at, updatedBy: decodeJson(updated_by) };
}

/** The tables of issues. */
import type { Issue, StoredToolConfig } from '../domain/task.js';
import type { TaskSource } from '../domain/task-source.js';
import type { TenantRow } from './tenant-row.js';

export interface IssueRow extends TenantRow {
  id: string;
  title: string;
  /** The other fields of the request, as JSON. */
  fields: string;
  /** Its searchable text, from `searchedText`. */
  searched: string;
  created_at: string;
  updated_at: string;
}

/** The text that a search for words uses: title and text, in lower case. */
export const searchedText = ({ title, body = '' }: Pick<Issue, 'title' | 'body'>): string =>
  `${title}\n${body}`.toLowerCase();

export interface IssueCommentRow extends TenantRow {
  issue_id: string;
  id: string;
  author: string;
  text: string;
  created_at: string;
}

export interface ToolConfigRow extends TenantRow {
  level: StoredToolConfig['level'];
  id: string;
  config: string;
  updated_at: string;
  updated_by: string;
}

export interface TaskSourceRow extends TenantRow {
  id: string;
  provider: TaskSource['provider'];
  scope: string;
  /** The scope in the form that is compared with deliveries. */
  scope_key: string;
  /** Its other fields, as JSON. */
  fields: string;
  created_at: string;
}

export interface RecipeRow extends TenantRow {
  name: string;
  version: string;
  /** Title, repository and steps, as JSON. */
  fields: string;
  updated_at: string;
  updated_by: string;
}

export interface IssueSchema {
  issues: IssueRow;
  issue_comments: IssueCommentRow;
  tool_configs: ToolConfigRow;
  task_sources: TaskSourceRow;
  recipes: RecipeRow;
}

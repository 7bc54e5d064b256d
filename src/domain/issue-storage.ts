/** What the store keeps of issues. Their states are in the actors: see actor-host.ts. */
import type { AuditDraft } from './audit.js';
import type { Issue, IssueComment, StoredToolConfig } from './task.js';

export interface IssueTable {
  /** False, and nothing is written, if there is an issue with this id. */
  insert(issue: Issue, events: readonly AuditDraft[]): Promise<boolean>;
  find(id: string): Promise<Issue | undefined>;
  /** Those that exist, in no order. At most 1,000 ids. */
  listById(ids: readonly string[]): Promise<readonly Issue[]>;
  /** Replaces the issue. False if there is none, or if it was changed after `updatedAt`, if that is given. */
  change(issue: Issue, events: readonly AuditDraft[], updatedAt?: string): Promise<boolean>;
  /** False if there is no such issue, or it has a comment with this id. */
  comment(issueId: string, comment: IssueComment, events: readonly AuditDraft[]): Promise<boolean>;
  findComment(issueId: string, id: string): Promise<boolean>;
  /** The newest ones, oldest first. */
  comments(issueId: string, limit: number): Promise<readonly IssueComment[]>;
  findConfig(level: StoredToolConfig['level'], id: string): Promise<StoredToolConfig | undefined>;
  /** False, and nothing is written, if there is another one than `before`; undefined: there was none. */
  putConfig(
    config: StoredToolConfig,
    before: StoredToolConfig | undefined,
    events: readonly AuditDraft[],
  ): Promise<boolean>;
}

/** Every migration, in order. One that has been released is never changed. */
import type { Kysely } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export interface Migration {
  readonly version: number;
  readonly name: string;
  /**
   * The lowest schema whose programs keep working after this migration: they read and write the same tables at the same
   * time. Set it where everything that is added is optional for such a program (a table, an index, a column with a
   * default). Without it, every process of an older Helve must have stopped before.
   */
  readonly oldestReader?: number;
  /** Loaded when it runs: the store of most starts is current, or new. */
  load(): Promise<{ up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> }>;
}

export const migrations: readonly Migration[] = [
  { version: 1, name: 'first', load: () => import('./first.js') },
  { version: 2, name: 'documents', load: () => import('./documents.js') },
  { version: 3, name: 'connections', load: () => import('./connections.js') },
  { version: 4, name: 'authorizations', load: () => import('./authorizations.js') },
  { version: 5, name: 'catalogue', load: () => import('./catalogue.js') },
  { version: 6, name: 'tool modes', load: () => import('./tool-modes.js') },
  { version: 7, name: 'credential lives', load: () => import('./credential-lives.js') },
  { version: 8, name: 'whose', load: () => import('./whose.js') },
  { version: 9, name: 'approvals', load: () => import('./approvals.js') },
  { version: 10, name: 'audit blocks', load: () => import('./audit-blocks.js') },
  { version: 11, name: 'renewal pauses', load: () => import('./renewal-pauses.js') },
  { version: 12, name: 'learned types', load: () => import('./learned-types.js') },
  { version: 13, name: 'runs', load: () => import('./runs.js') },
  { version: 14, name: 'run takeovers', load: () => import('./run-takeovers.js') },
  { version: 15, name: 'people', load: () => import('./people.js') },
  { version: 16, name: 'identities', load: () => import('./identities.js') },
  { version: 17, name: 'calls', load: () => import('./calls.js') },
  { version: 18, name: 'key roles', load: () => import('./key-roles.js') },
  { version: 21, name: 'actors', load: () => import('./actors.js') },
  { version: 22, name: 'issues', load: () => import('./issues.js') },
  { version: 23, name: 'task sources', load: () => import('./task-sources.js') },
  { version: 24, name: 'actor facts', load: () => import('./actor-facts.js') },
  { version: 25, name: 'person programs', load: () => import('./person-programs.js') },
  { version: 26, name: 'agent workers', load: () => import('./agent-workers.js') },
  { version: 27, name: 'recipes', load: () => import('./recipes.js') },
  { version: 28, name: 'record archives', load: () => import('./record-archives.js') },
  { version: 29, name: 'several processes', load: () => import('./several-processes.js') },
  { version: 30, name: 'notifications', load: () => import('./notifications.js') },
  { version: 31, name: 'mcp sessions', load: () => import('./mcp-sessions.js') },
  { version: 33, name: 'program versions', oldestReader: 31, load: () => import('./program-versions.js') },
  { version: 34, name: 'configuration changes', oldestReader: 31, load: () => import('./configuration-changes.js') },
  { version: 35, name: 'approval runs', oldestReader: 31, load: () => import('./approval-runs.js') },
  { version: 36, name: 'approval meanings', oldestReader: 31, load: () => import('./approval-meanings.js') },
];

/** The version of the schema that this Helve writes. */
export const latestVersion = migrations.at(-1)?.version ?? 0;

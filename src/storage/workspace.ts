/** One workspace's storage: its configuration, people and keys, and the tables that belong to it. */
import type { AuditDraft } from '../domain/audit.js';
import { HelveError } from '../domain/errors.js';
import type { ConfigurationTables, WorkspaceStorage } from '../domain/storage.js';
import { createActors } from './actors.js';
import { createApprovals } from './approvals.js';
import { createAuditTable } from './audit.js';
import type { AuditBlocks } from './audit-blocks.js';
import { createAuthorizations } from './authorizations.js';
import { createCallBlocks } from './call-blocks.js';
import { createConfigurationTables } from './configuration.js';
import { noteChanges } from './configuration-changes.js';
import { toAuthConfig } from './connection-rows.js';
import { createCredentials } from './credentials.js';
import { createDocuments } from './documents.js';
import type { Engine } from './engine.js';
import { createIntents } from './intents.js';
import { createIssues } from './issues.js';
import type { Journal } from './journal.js';
import { createKeyValues } from './key-values.js';
import { createLearnedTypes } from './learned-types.js';
import { withHead } from './locked.js';
import { createMcpSessions } from './mcp-sessions.js';
import { createNotifications } from './notifications.js';
import { readConfiguration } from './read-configuration.js';
import { createRecipes } from './recipes.js';
import { createRecordArchives } from './record-archives.js';
import { createResults } from './results.js';
import { toAgent, toUser } from './rows.js';
import { createRuns } from './runs.js';
import { scoped } from './scope.js';
import { createFlows, createSecrets } from './secrets.js';
import { createTaskSources } from './task-sources.js';
import { createTriggers } from './triggers.js';
import { measureWorkspace } from './workspace-sizes.js';

interface WorkspaceParts {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly blocks: AuditBlocks;
  /** Called after each committed change to the configuration. */
  readonly changed: (workspaceId: string) => void;
}

export function createWorkspace(parts: WorkspaceParts, workspaceId: string): WorkspaceStorage {
  const { engine, journal, blocks, changed } = parts;
  const scope = scoped(engine.db, workspaceId);

  return {
    workspaceId,
    configuration: (known) => readConfiguration(engine.db, workspaceId, known),
    revision: async () => (await scope.workspace()).revision,
    async change(events, work, expected) {
      const result = await change({ engine, journal, workspaceId, events, expected }, work);
      changed(workspaceId);
      return result;
    },
    async listAgents(ids) {
      if (ids?.length === 0) return [];
      const all = scope.selectFrom('agents').selectAll().orderBy('slug');
      return (await (ids ? all.where('id', 'in', ids) : all).execute()).map(toAgent);
    },
    async findAgent(idOrSlug) {
      const query = scope.selectFrom('agents').selectAll();
      const rows = await query.where((is) => is.or([is('id', '=', idOrSlug), is('slug', '=', idOrSlug)])).execute();
      const row = rows.find((candidate) => candidate.id === idOrSlug) ?? rows[0];
      return row && toAgent(row);
    },
    async listUsers() {
      return (await scope.selectFrom('users').selectAll().orderBy('created_at').orderBy('id').execute()).map(toUser);
    },
    async findUser(id) {
      const row = await scope.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toUser(row);
    },
    async findIdentity({ issuer, subject }) {
      const mine = scope.selectFrom('identities').select('user_id').where('issuer', '=', issuer);
      return (await mine.where('subject', '=', subject).executeTakeFirst())?.user_id;
    },
    ...createCredentials(scope),
    approvals: createApprovals(engine, journal, workspaceId),
    audit: createAuditTable(engine, blocks, workspaceId),
    callBlocks: createCallBlocks(engine, workspaceId),
    intents: createIntents(engine, journal, workspaceId),
    keyValues: createKeyValues(scope),
    results: createResults(scope),
    learnedTypes: createLearnedTypes(scope),
    actors: createActors(engine, workspaceId),
    issues: createIssues(engine, journal, workspaceId),
    taskSources: createTaskSources(scope),
    notifications: createNotifications(engine, journal, workspaceId),
    recipes: createRecipes(engine, journal, workspaceId),
    mcpSessions: createMcpSessions(scope),
    sizes: () => measureWorkspace(engine, workspaceId),
    recordArchives: createRecordArchives(engine, journal, workspaceId),
    runs: createRuns(engine, journal, workspaceId),
    secrets: createSecrets(scope),
    flows: createFlows(scope),
    triggers: createTriggers(scope),
    authorizations: createAuthorizations(scope),
    async listAuthConfigs() {
      return (await scope.selectFrom('auth_configs').selectAll().orderBy('provider').execute()).map(toAuthConfig);
    },
    documents: (space) => createDocuments(engine, workspaceId, space),
  };
}

interface Change {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly workspaceId: string;
  readonly events: readonly AuditDraft[];
  /** The revision on which it is based. */
  readonly expected: number | undefined;
}

function change<T>(
  { engine, journal, workspaceId, events, expected }: Change,
  work: (tables: ConfigurationTables) => Promise<T>,
): Promise<T> {
  return withHead(engine, journal, workspaceId, events, async (transaction, record, head) => {
    if (expected !== undefined && expected !== head.revision)
      throw new HelveError('conflict', 'The configuration has changed meanwhile', { details: { staleRevision: true } });
    const noted = noteChanges(scoped(transaction, workspaceId));
    const { tables, policiesReplaced } = createConfigurationTables(noted);
    const result = await work(tables);
    await noted.write(head.revision + 1);
    record({ revision: 1, policyVersion: policiesReplaced() ? 1 : 0 });
    return result;
  });
}

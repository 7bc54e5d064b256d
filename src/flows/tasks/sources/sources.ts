/** Making, listing and removing task sources. */
import { principalRef } from '../../../audit/index.js';
import { HelveError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/principal.js';
import {
  type NewTaskSource,
  type TaskSource,
  type TaskSourceActs,
  type TaskSourceView,
  taskSourceSubject,
  type WebhookProvider,
} from '../../../domain/task-source.js';
import { visibleConnections } from '../../../grants/index.js';
import { defined } from '../../../util/defined.js';
import { newId, newSecret } from '../../../util/hash.js';
import { findConnection } from '../../connecting/index.js';
import { draft } from '../../workspaces/index.js';
import { admitChecks } from '../checks.js';
import { resolveScope } from '../known-repos.js';
import type { SourceParts } from './parts.js';
import { findProblem } from './standing.js';
import { admitTrigger } from './trigger-rules.js';

const scopeForms: Readonly<Record<WebhookProvider, { readonly form: RegExp; readonly hint: string }>> = {
  github: {
    form: /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\/[A-Za-z0-9._-]{1,100})?$/,
    hint: 'Name an owner, such as acme, or one repository, such as acme/shop.',
  },
  linear: {
    form: /^(?:[A-Z][A-Z0-9]{0,19}|[a-z0-9][a-z0-9-]{0,99})$/,
    hint: 'Name the key of a team, such as ENG, or the organisation as its URLs show it, such as acme.',
  },
};

const shortestSecret = 16;

type Sources = Pick<TaskSourceActs, 'listTaskSources' | 'getTaskSource' | 'createTaskSource' | 'deleteTaskSource'>;

export function createSources(parts: SourceParts): Sources {
  const table = ({ workspaceId }: Principal) => parts.storage.workspace(workspaceId).taskSources;
  const get = async (principal: Principal, id: string): Promise<TaskSource> => {
    const source = await table(principal).find(id);
    if (source) return source;
    throw new HelveError('not_found', `There is no task source ${JSON.stringify(id.slice(0, 100))}`);
  };
  return {
    async listTaskSources(principal) {
      const sources = await table(principal).list();
      return Promise.all(sources.map((source) => viewOf(parts, principal, source)));
    },
    getTaskSource: async (principal, id) => viewOf(parts, principal, await get(principal, id)),
    createTaskSource: (principal, given) => create(parts, principal, given),
    async deleteTaskSource(principal, id) {
      const { provider, scope } = await get(principal, id);
      const row = draft('task_source.removed', principal, parts.now(), { source: id, provider, scope });
      await parts.storage.workspace(principal.workspaceId).change([row], async (tables) => {
        await tables.deleteSecret(taskSourceSubject({ id }));
        await tables.deleteTaskSource(id);
      });
    },
  };
}

async function create(parts: SourceParts, principal: Principal, given: NewTaskSource) {
  const { provider } = given;
  if (principal.kind === 'agent')
    throw new HelveError('forbidden', 'An agent cannot make a task source', {
      hint: 'Agents work for whoever makes the source: a person or an API key has to do it.',
    });
  if (provider === 'trigger') return createFromTrigger(parts, principal, given);
  return createFromService(parts, principal, { ...given, provider });
}

async function createFromTrigger(parts: SourceParts, principal: Principal, given: NewTaskSource) {
  const { notices, ...made } = await admitTrigger(parts, principal, given);
  const source = await newSource(parts, principal, { ...given, ...made });
  const row = draft('task_source.created', principal, new Date(source.createdAt), rowOf(source));
  await parts.storage.workspace(principal.workspaceId).change([row], async (tables) => tables.insertTaskSource(source));
  const notice = notices.length === 0 ? undefined : notices.join(' ');
  return { source: await viewOf(parts, principal, source), ...defined({ notice }) };
}

async function createFromService(
  parts: SourceParts,
  principal: Principal,
  given: NewTaskSource & { readonly provider: WebhookProvider },
) {
  const { provider, scope, connection: named } = given;
  if (named === undefined || given.rules !== undefined)
    throw new HelveError('invalid_input', `A source of ${provider} has an account, and no rules`, {
      hint: 'Name the account as connection. The triggers of the repository decide which issues are opened.',
    });
  const { form, hint } = scopeForms[provider];
  if (!form.test(scope))
    throw new HelveError('invalid_input', `${JSON.stringify(scope)} is not a scope of ${provider}`, { hint });
  if (given.secret !== undefined && given.secret.length < shortestSecret)
    throw new HelveError('invalid_input', `The secret of a webhook must have at least ${shortestSecret} characters`, {
      hint: 'Leave it out, and Helve makes one.',
    });
  const connection = await findConnection(parts, principal, named);
  if (connection.toolkit !== provider)
    throw new HelveError(
      'invalid_input',
      `${connection.slug} is an account of ${connection.toolkit}, not of ${provider}`,
      {
        hint: `Name an account of ${provider}.`,
      },
    );
  const { workspaceId } = principal;
  const { notice, ...found } = await resolveScope(parts, principal, { provider, scope, account: connection.id });
  const source = await newSource(parts, principal, { ...given, ...found, connectionId: connection.id });
  const secret = given.secret ?? newSecret('helve_hook');
  const subject = taskSourceSubject(source);
  const sealed = await parts.accounts.vault.seal({ workspaceId, subject }, secret);
  const row = draft('task_source.created', principal, new Date(source.createdAt), rowOf(source));
  await parts.storage.workspace(workspaceId).change([row], async (tables) => {
    await tables.insertTaskSource(source);
    await tables.putSecret(subject, sealed, source.createdAt);
  });
  return { source: await viewOf(parts, principal, source), secret, ...defined({ notice }) };
}

async function newSource(
  parts: SourceParts,
  principal: Principal,
  { provider, scope, connectionId, checks = [], rules }: NewTaskSource & Pick<TaskSource, 'connectionId' | 'rules'>,
): Promise<TaskSource> {
  return {
    id: newId(),
    provider,
    scope,
    connectionId,
    createdBy: principalRef(principal),
    createdAt: parts.now().toISOString(),
    checks: await admitChecks(parts, principal.workspaceId, checks),
    ...defined({ rules }),
  };
}

const rowOf = ({ id, provider, scope, connectionId }: TaskSource) => ({
  source: id,
  provider,
  scope,
  connection: connectionId,
});

async function viewOf(parts: SourceParts, principal: Principal, source: TaskSource): Promise<TaskSourceView> {
  const { connectionId, rules: stored, ...shown } = source;
  // Another person's private account is not named.
  const visible = visibleConnections(await parts.configurations.getFresh(principal.workspaceId), principal);
  const connection = visible.find(({ id }) => id === connectionId)?.slug;
  const webhookUrl =
    source.provider === 'trigger' ? undefined : parts.accounts.publicUrl(`/api/webhooks/${source.provider}`);
  const rules = stored?.map(({ agentId: _, ...rule }) => rule);
  const problem = await findProblem(parts, principal.workspaceId, source);
  return { ...shown, ...defined({ rules, connection, webhookUrl, problem }) };
}

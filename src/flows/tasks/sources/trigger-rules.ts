/** The rules by which events of a subscription open issues: checked when they are written, and applied to events. */
import { HelveError } from '../../../domain/errors.js';
import type { JsonObject, JsonValue } from '../../../domain/json.js';
import type { Principal } from '../../../domain/principal.js';
import type { NewTaskSource, StoredTriggerRule, TaskSource, TriggerRule } from '../../../domain/task-source.js';
import { seesAccount } from '../../../grants/index.js';
import { isPlainObject } from '../../../util/canonical.js';
import { defined } from '../../../util/defined.js';
import { resolveRepo } from '../known-repos.js';
import { unknown } from '../place-rules.js';
import type { SourceParts } from './parts.js';

/** Throws `not_found` for a subscription that the caller cannot see, and `invalid_input` for a rule that could not be followed. */
export async function admitTrigger(
  parts: SourceParts,
  principal: Principal,
  { scope, rules = [], connection, secret }: NewTaskSource,
): Promise<Pick<TaskSource, 'connectionId' | 'rules'> & { readonly notices: readonly string[] }> {
  if (rules.length === 0 || connection !== undefined || secret !== undefined)
    throw new HelveError('invalid_input', 'A source of events has rules, and neither an account nor a secret', {
      hint: 'Send rules: [{ title }]. The account is that of the subscription.',
    });
  const configuration = await parts.configurations.getFresh(principal.workspaceId);
  const subscriptions = await parts.storage.workspace(principal.workspaceId).triggers.list();
  const found = subscriptions.find(({ id }) => id === scope);
  if (!found || !seesAccount(configuration, principal, found.connectionId))
    throw new HelveError('not_found', `There is no subscription ${JSON.stringify(scope.slice(0, 100))}`, {
      hint: 'Subscribe to the trigger first: its id is the scope.',
    });
  const notices: string[] = [];
  const placed: TriggerRule[] = [];
  for (const [at, rule] of rules.entries()) {
    for (const name of ['title', 'text'] as const) requireTemplate(rule[name] ?? '', `rules/${at}/${name}`);
    const named = { at: `rules/${at}/repo`, repo: rule.repo ?? '' };
    const { repo, notice } = rule.repo === undefined ? {} : await resolveRepo(parts, principal, named);
    if (notice !== undefined) notices.push(notice);
    placed.push({ ...rule, ...defined({ repo }) });
  }
  const admitted = placed.map((rule, at): StoredTriggerRule => {
    if (rule.assign === undefined) return rule;
    const { agents } = configuration;
    const agent = agents.find(({ id, slug }) => id === rule.assign || slug === rule.assign);
    if (agent) return { ...rule, assign: agent.slug, agentId: agent.id };
    const known = agents.map(({ slug }) => slug);
    throw unknown(`rules/${at}/assign`, { what: 'agent', name: rule.assign, known });
  });
  return { connectionId: found.connectionId, rules: admitted, notices: [...new Set(notices)] };
}

const place = /\{\{\s*([\p{L}\p{N}_$-]+(?:\.[\p{L}\p{N}_$-]+)*)\s*\}\}/gu;

function requireTemplate(template: string, at: string): void {
  if (!/\{\{|\}\}/.test(template.replace(place, ''))) return;
  throw new HelveError('invalid_input', `${at}: what is between {{ and }} is not a path to a value`, {
    hint: 'Write names and numbers with dots between them, such as {{issue.title}}.',
  });
}

/** The first rule that holds for an event. */
export function findRule<Rule extends TriggerRule>(rules: readonly Rule[], payload: JsonObject): Rule | undefined {
  return rules.find(({ if: conditions = {} }) =>
    Object.entries(conditions).every(([path, wanted]) => {
      const value = readPath(payload, path) ?? null;
      return Array.isArray(wanted) ? wanted.includes(value as never) : wanted === value;
    }),
  );
}

/** Fills the values of the payload into the texts of an issue. A missing value becomes empty. */
export function fillRule(
  { title, text, repo, project }: TriggerRule,
  payload: JsonObject,
): Pick<TriggerRule, 'title' | 'repo' | 'project'> & { readonly body?: string } {
  const fill = (template: string): string => template.replace(place, (_, path: string) => say(readPath(payload, path)));
  return { title: fill(title), ...defined({ body: text === undefined ? undefined : fill(text), repo, project }) };
}

/** Own members only: a payload cannot name what every object has. */
function readPath(payload: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = payload;
  for (const name of path.split('.')) {
    const holds: boolean = isPlainObject(value) || Array.isArray(value);
    value = holds && Object.hasOwn(value as object, name) ? (value as JsonObject)[name] : undefined;
  }
  return value;
}

const say = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

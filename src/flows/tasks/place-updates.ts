/** Changes of places: everything that a change names is checked before anything is written. */
import type { ActorEvent } from '../../domain/actor-host.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { PlaceChanges, PlaceKind, ProjectView } from '../../domain/place-acts.js';
import { type Principal, requirePermission } from '../../domain/principal.js';
import type { ToolConfig } from '../../domain/task.js';
import { machines } from '../../tasks/index.js';
import { defined } from '../../util/defined.js';
import { draft } from '../workspaces/index.js';
import { readIssue, startAbove } from './issues.js';
import { resolveRepo, type WrittenRepo } from './known-repos.js';
import { makeOrder } from './orders.js';
import { ownOrg, type TaskParts } from './parts.js';
import { resolveRules, unknown } from './place-rules.js';
import type { StoredRule } from './place-views.js';
import { orgOf } from './repo-name.js';
import { sendTo } from './send.js';
import { createToolConfigs } from './tool-configs.js';

/** The result of a change. */
interface Plan {
  readonly events: readonly ActorEvent[];
  readonly tools?: ToolConfig;
  /** A project that the place belongs to from now on. */
  readonly project?: string;
}

interface Update<Kind extends PlaceKind = PlaceKind> {
  readonly kind: Kind;
  readonly id: string;
  readonly changes: PlaceChanges[Kind];
}

interface Asked {
  readonly parts: TaskParts;
  readonly principal: Principal;
  readonly id: string;
  /** The place as it is, or as it would be made. */
  readonly context: JsonObject;
}

/** Returns the id of what was changed. */
export async function updatePlace(
  parts: TaskParts,
  principal: Principal,
  update: Update,
): Promise<{ readonly id: string; readonly notice?: string }> {
  const { kind, changes } = update;
  const { workspaceId } = principal;
  const { repo: id, notice } = await resolvePlace(parts, principal, update);
  const found = await parts.actors.read({ workspaceId, kind, id });
  if (!found && kind === 'pr')
    throw new HelveError('not_found', `There is no pull request ${JSON.stringify(String(id).slice(0, 100))}`);
  const context = found?.snapshot.context ?? machines[kind].initial({ id }).context;
  const plan = (planOf[kind] as (asked: Asked, changes: PlaceChanges[PlaceKind]) => Promise<Plan>)(
    { parts, principal, id, context },
    changes,
  );
  const { events, tools, project } = await plan;
  if (!found) await startPlace(parts, { workspaceId, kind, id });
  if (project) await startAbove(parts, { workspaceId, project });
  if (tools) await createToolConfigs(parts).putToolConfig(principal, { level: kind as 'org' | 'repo', id }, tools);
  const made = { id, ...defined({ notice }) };
  if (events.length === 0) return made;
  const row = draft('task_place.changed', principal, parts.now(), { kind, id, fields: Object.keys(changes) });
  await parts.journal.append({ workspaceId, events: [row] });
  for (const event of events) await sendTo(parts, { workspaceId, kind, id }, event);
  return made;
}

/** A repository that is there may have been made before names were checked. */
async function resolvePlace(parts: TaskParts, principal: Principal, { kind, id }: Update): Promise<WrittenRepo> {
  const { workspaceId } = principal;
  if (kind !== 'repo' || (await parts.actors.read({ workspaceId, kind, id }))) return { repo: id };
  return resolveRepo(parts, principal, { at: 'id', repo: id });
}

async function startPlace(
  parts: TaskParts,
  { workspaceId, kind, id }: { readonly workspaceId: string; readonly kind: PlaceKind; readonly id: string },
): Promise<void> {
  if (kind === 'org') return startAbove(parts, { workspaceId, org: id });
  if (kind === 'repo') return startAbove(parts, { workspaceId, org: orgOf(id) ?? ownOrg, repo: id });
  return startAbove(parts, { workspaceId, project: id });
}

const planOf = { org: planOrg, repo: planRepo, project: planProject, pr: planPullRequest };

const configured = (settings: object): readonly ActorEvent[] =>
  Object.keys(settings).length === 0 ? [] : [{ type: 'CONFIGURED', ...settings } as ActorEvent];

async function planOrg(_: Asked, { limits, defaultTools }: PlaceChanges['org']): Promise<Plan> {
  return { events: configured(defined({ limits: limits && defined(limits) })), ...defined({ tools: defaultTools }) };
}

async function planRepo(
  { parts, principal, context }: Asked,
  { paused, project, toolConfig, autoAssign, triggers }: PlaceChanges['repo'],
): Promise<Plan> {
  const before = (context.autoAssign ?? []) as unknown as readonly StoredRule[];
  const rules = autoAssign && (await resolveRules(parts, principal, { name: 'autoAssign', rules: autoAssign, before }));
  const switched = paused === undefined ? [] : [{ type: paused ? 'PAUSE' : 'RESUME' }];
  const settings = defined({ project, autoAssign: rules, triggers });
  return {
    events: [...configured(settings), ...switched],
    ...defined({ tools: toolConfig, project: project ?? undefined }),
  };
}

async function planProject(
  { parts, principal, context }: Asked,
  { workflow, columns, automation, maxRunning }: PlaceChanges['project'],
): Promise<Plan> {
  const shown = (context.columns ?? []) as unknown as ProjectView['columns'];
  const flow = workflow ?? (context.workflow as Readonly<Record<string, string>>);
  const known = [...new Set([...(columns ?? shown.map(({ name }) => name)), ...Object.values(flow)])];
  for (const [at, { column }] of (automation ?? []).entries())
    if (!known.includes(column)) throw unknown(`automation/${at}/column`, { what: 'column', name: column, known });
  const before = (context.automation ?? []) as unknown as readonly StoredRule[];
  const rules = automation && (await resolveRules(parts, principal, { name: 'automation', rules: automation, before }));
  return { events: configured(defined({ workflow, columns, automation: rules, maxRunning })) };
}

async function planPullRequest(
  { parts, principal }: Asked,
  { account, issue, autoMerge, requiredApprovals, requiredChecks }: PlaceChanges['pr'],
): Promise<Plan> {
  if (issue) await readIssue(parts, principal, issue);
  if (account !== undefined && autoMerge !== true)
    throw new HelveError('invalid_input', 'account: it can be given only together with autoMerge: true');
  if (autoMerge) requirePermission(principal, 'tools:call');
  const autoMergeOrder = autoMerge
    ? await makeOrder(parts, principal, account)
    : autoMerge === false
      ? null
      : undefined;
  const settings = defined({ issue, autoMerge, autoMergeOrder, requiredApprovals, requiredChecks });
  return { events: configured(settings) };
}

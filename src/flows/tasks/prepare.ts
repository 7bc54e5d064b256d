/**
 * The work `prepare` of an issue: which tools its agent may use. The levels of tool configs are combined with the grants of the agent and the
 * accounts of the person for whom it works; an app that is required and missing blocks the issue, with a link that connects it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ActorEvent, ActorJob, ActorView } from '../../domain/actor-host.js';
import type { AgentModel } from '../../domain/agent-model.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { BlockReason } from '../../domain/issue-acts.js';
import type { JsonObject } from '../../domain/json.js';
import { toAppKey } from '../../domain/naming/index.js';
import type { Principal } from '../../domain/principal.js';
import type { ResolvedToolConfig } from '../../domain/task-scope.js';
import { type IssueContext, machines } from '../../tasks/index.js';
import { defined } from '../../util/defined.js';
import { decideCall, type NamedTool, withinReach } from '../calling/index.js';
import { freshWithin } from '../workspaces/index.js';
import { hasOtherWords, otherWords } from './agreed-words.js';
import { readIssue } from './issues.js';
import { readOrgBudget } from './org-budget.js';
import type { TaskParts } from './parts.js';
import { takeRecipe } from './recipes.js';
import { findWorker } from './worker.js';

export interface PrepareParts extends TaskParts {
  /** The page on which a person connects an app; undefined while the address of this server is unknown. */
  readonly connectUrl: (app: string) => string | undefined;
  /** The model that agents work with, if there is one. */
  readonly agentModel: Pick<AgentModel, 'id' | 'price'> | undefined;
}

const noModel =
  'No model is configured that agents could work with: set models.language in helve.yaml, start Helve again, and assign the issue again';

/** Why the model cannot be used: there is none, or money is limited and the price is unknown. */
async function describeModelProblem(
  { actors, agentModel }: PrepareParts,
  workspaceId: string,
  { org, limits }: IssueContext,
): Promise<string | undefined> {
  if (agentModel === undefined) return noModel;
  if (agentModel.price !== undefined) return undefined;
  const isOrgLimited = (await readOrgBudget({ actors }, workspaceId, org)).isMoneyLimited;
  if (limits.maxCents === null && !isOrgLimited) return undefined;
  const whose = limits.maxCents === null ? 'its organisation' : 'the issue';
  return `${agentModel.id} has no price, so the cost of work is unknown, but the money of ${whose} is limited (maxCents): set models.language.price in helve.yaml, start Helve again, and assign the issue again; or remove the limit`;
}

interface Missing {
  readonly [key: string]: string;
  readonly reason: BlockReason;
  readonly message: string;
}

export async function prepareIssue(parts: PrepareParts, { actor }: Pick<ActorJob, 'actor'>): Promise<ActorEvent> {
  const { workspaceId, id } = actor;
  const [{ snapshot }, issue] = await readIssue(parts, actor, id);
  const context = snapshot.context as unknown as IssueContext;
  const { org } = context;
  // Read before the accounts, so that a later change has a higher number.
  const seen = org ? await changesOf(parts, workspaceId, org) : null;
  const who = await findWorker(parts, issue ?? { id, workspaceId, ...defined({ org: org ?? undefined }) }, context);
  if (typeof who === 'string') return { type: 'TOOLS_MISSING', missing: [{ reason: 'worker', message: who }], seen };
  const agent = await parts.storage.workspace(workspaceId).findAgent(who.id);
  const recipe = issue && (await takeRecipe(parts, issue, agent));
  if (typeof recipe === 'string')
    return { type: 'TOOLS_MISSING', missing: [{ reason: 'worker', message: recipe }], seen };
  if (issue && hasOtherWords(issue, context))
    return { type: 'TOOLS_MISSING', missing: [{ reason: 'worker', message: otherWords }], seen };
  const config = who.task;
  const { configuration, catalogue } = await freshWithin(parts, workspaceId, [who]);
  const usable = withinReach(catalogue, configuration, who).filter(
    ({ tool, connectionId }) =>
      decideCall({ configuration, principal: who, tool, connectionId }).decision.effect !== 'deny',
  );
  const looked = { config, usable, configuration, who };
  const apps = config.requiredApps.flatMap((app) => missingApp(parts, { app, ...looked }));
  const noWork = await describeModelProblem(parts, workspaceId, context);
  const missing = noWork === undefined ? apps : [...apps, { reason: 'model' as const, message: noWork }];
  if (missing.length > 0) return { type: 'TOOLS_MISSING', missing, seen };
  const tools = { ...config, names: usable.map((entry) => entry.name) };
  return { type: 'TOOLS_READY', tools: tools as unknown as JsonObject };
}

/**
 * For the blocked issues of a workspace at one moment. The returned function says whether the work `prepare` would find something else than
 * what blocks the issue, and changes nothing. Issues that differ in nothing that it looks at are looked at once.
 */
export function createDryLook(parts: PrepareParts): (issue: BlockedIssue) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>();
  return async (view) => {
    const context = view.snapshot.context as unknown as IssueContext;
    const issue = await parts.storage.workspace(view.actor.workspaceId).issues.find(view.actor.id);
    if (!issue) return isBlockedOtherwise(parts, view);
    const { words: _, edits: __, ...assignment } = context.assignment ?? {};
    const { org, repo, project, tools, recipe } = issue;
    const given = [assignment, hasOtherWords(issue, context), { org, repo, project, tools, recipe }];
    const key = JSON.stringify([context.agent, context.org, context.limits, context.blockedBy, given]);
    const answer = answers.get(key) ?? isBlockedOtherwise(parts, view);
    answers.set(key, answer);
    return answer;
  };
}

type BlockedIssue = Pick<ActorView, 'actor' | 'snapshot'>;

async function isBlockedOtherwise(parts: PrepareParts, { actor, snapshot }: BlockedIssue): Promise<boolean> {
  const found = await prepareIssue(parts, { actor });
  const [{ value, context }] = machines.issue.transition({ ...snapshot, value: 'preparing' }, found);
  return value !== 'blocked' || !isDeepStrictEqual(context.blockedBy, snapshot.context.blockedBy);
}

interface Looked {
  readonly app: string;
  readonly config: ResolvedToolConfig;
  readonly usable: readonly NamedTool[];
  readonly configuration: WorkspaceConfiguration;
  readonly who: Principal;
}

function missingApp(parts: PrepareParts, { app, config, usable, configuration, who }: Looked): readonly Missing[] {
  const isApp = (toolkit: string) => toAppKey(toolkit) === toAppKey(app);
  const reason = config.why[app];
  if (config.impossible.includes(app))
    return [
      {
        reason: 'excluded',
        app,
        message: `${app} is required by the ${reason?.requiredBy} and excluded by the ${reason?.level}`,
      },
    ];
  if (usable.some(({ tool }) => isApp(tool.id.toolkit))) return [];
  const person = who.onBehalfOf?.name ?? who.name;
  const mine = configuration.connections.filter(
    ({ toolkit, visibility, ownerId }) =>
      isApp(toolkit) && (visibility === 'workspace' || ownerId === who.onBehalfOf?.id),
  );
  if (mine.some(({ status }) => status === 'active'))
    return [
      {
        reason: 'grant',
        app,
        message: `The agent ${who.name} has no grant for an account of ${app} that ${person} may use`,
      },
    ];
  const connectUrl = parts.connectUrl(mine[0]?.toolkit ?? app);
  return [
    {
      reason: 'account',
      app,
      message: `No account of ${app} is connected that ${person} may use`,
      ...defined({ connectUrl }),
    },
  ];
}

async function changesOf({ actors }: PrepareParts, workspaceId: string, org: string): Promise<number | null> {
  const view = await actors.read({ workspaceId, kind: 'org', id: org });
  return view ? Number(view.snapshot.context.changes) : null;
}

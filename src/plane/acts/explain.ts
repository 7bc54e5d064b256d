/** Answers about calls that are not made: why, what an agent can do, and what other policies would have done. */
import type { AuditEvent } from '../../domain/audit.js';
import { isMetaTool } from '../../domain/discovery.js';
import { HelveError } from '../../domain/errors.js';
import type {
  ExplainActs,
  ExplainQuestion,
  Explanation,
  PolicyPreview,
  PolicyPreviewQuestion,
  ReplayedCall,
  Verdict,
} from '../../domain/explain.js';
import type { Policy, WorkspaceConfiguration } from '../../domain/grant.js';
import type { JsonObject } from '../../domain/json.js';
import {
  agentPermissions,
  agentPrincipal,
  type Principal,
  requirePermission,
  type User,
} from '../../domain/principal.js';
import { rolePermissions } from '../../domain/roles.js';
import {
  type CallQuestion,
  type Catalogue,
  decideCall,
  explainUnnamed,
  type NamedTool,
  readInput,
} from '../../flows/calling/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { readTaskScope } from '../../flows/tasks/index.js';
import { freshCatalogue } from '../../flows/workspaces/index.js';
import { seesAccount } from '../../grants/index.js';
import { schemaIssues } from '../../schema/index.js';
import { canonicalJson } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { sha256 } from '../../util/hash.js';
import { nearest, orDidYouMean } from '../../util/nearest.js';
import { listEffective } from './effective.js';
import { getPerson } from './person-named.js';
import { resolvePolicies } from './policies/index.js';

export function createExplainActs(parts: PlaneParts): ExplainActs {
  return {
    explain: (principal, question) => explain(parts, principal, question),
    effectiveTools: (principal, agent) => listEffective(parts, principal, agent),
    previewPolicies: (principal, question) => previewPolicies(parts, principal, question),
  };
}

async function explain(parts: PlaneParts, asker: Principal, question: ExplainQuestion): Promise<Explanation> {
  const { workspaceId } = asker;
  const { input, intent } = question;
  const agent = agentPrincipal(await parts.directory(workspaceId).agent(question.agent), workspaceId);
  const person = question.onBehalfOf === undefined ? undefined : await findPerson(parts, asker, question.onBehalfOf);
  const acting = person === undefined ? agent : actFor(agent, person);
  const { issue } = question;
  const principal = issue === undefined ? acting : { ...acting, task: await readTaskScope(parts, agent, issue) };
  const { configuration, catalogue } = await freshCatalogue(parts, workspaceId, question.tool);
  const sees = ({ connectionId: id }: NamedTool) => id === undefined || seesAccount(configuration, asker, id);
  const named =
    question.connection === undefined ? question.tool : findName(catalogue.match(question.tool).filter(sees), question);
  const request = { principal, tool: named, input, ...defined({ intent }) };
  const { connectionId, ...found } = await parts.pipeline.explain(request);
  const explanation = person === undefined ? found : withoutProgram(found, person);
  if (explanation.rule === 'tool.ambiguous') return explainUnnamed(ambiguous(named));
  // Another person's private account looks like one that does not exist, although the agent may use it.
  const isHidden = connectionId !== undefined && !seesAccount(configuration, asker, connectionId);
  if (!isHidden && explanation.rule !== 'tool.unknown') return explanation;
  return explainUnnamed(unknownTool(named, catalogue.entries.filter(sees)));
}

/** `seen`: the tools whose accounts the asker may see. The agent may have others, so its own suggestion is not told. */
function unknownTool(name: string, seen: readonly NamedTool[]): Parameters<typeof explainUnnamed>[0] {
  const meant = orDidYouMean(
    nearest(
      name,
      seen.map((entry) => entry.name),
    ),
  );
  const error = new HelveError('tool_not_found', `There is no tool ${JSON.stringify(name.slice(0, 100))}${meant}`);
  return { refused: true, rule: 'tool.unknown', error };
}

/** Throws `forbidden`, `not_found` and `ambiguous`. */
async function findPerson({ storage }: PlaneParts, asker: Principal, named: string): Promise<User> {
  if (named !== asker.id) requirePermission(asker, 'users:read');
  return getPerson(storage.workspace(asker.workspaceId), named);
}

/** As after their sign-in: acting as an agent adds no permissions that the person lacks. */
function actFor(agent: Principal, { id, name, role }: User): Principal {
  const permissions = agent.permissions.filter((permission) => rolePermissions[role].includes(permission));
  return { ...agent, permissions, onBehalfOf: { kind: 'user', id, name } };
}

/** No program can act for such a person, but the reader also wants to know what else would refuse the call. */
function withoutProgram(explanation: Explanation, { name, role, status }: User): Explanation {
  const isDisabled = status === 'disabled';
  if (!isDisabled && rolePermissions[role].includes('agents:act')) return explanation;
  const reason = isDisabled
    ? `${name} is disabled, so that no program can act for them`
    : `${name} has the role ${role}, for which no program can act`;
  const rule = 'principal.person';
  const others = explanation.steps.filter(({ layer }) => layer !== 'grant');
  const at = others.findIndex(({ layer }) => layer === 'intent');
  const steps = others.toSpliced(at, 0, { layer: 'grant', verdict: 'deny', rule, reason });
  return { verdict: 'deny', rule, steps };
}

/** Without the number of the tools: some may be of accounts that the asker may not see. */
function ambiguous(name: string): Parameters<typeof explainUnnamed>[0] {
  const message = `${JSON.stringify(name.slice(0, 100))} can mean several tools of the agent: name the account`;
  return { refused: true, rule: 'tool.ambiguous', error: new HelveError('ambiguous', message) };
}

/** `seen`: the tools with that name, as far as the asker may see their accounts. Throws `not_found`. */
function findName(seen: readonly NamedTool[], { tool, connection }: ExplainQuestion): string {
  const found = seen.find(({ slug, connectionId }) => slug === connection || connectionId === connection);
  if (found) return found.name;
  throw new HelveError('not_found', `The connection ${connection} has no tool ${JSON.stringify(tool.slice(0, 100))}`, {
    hint: 'Look at the tools and the connections for their names.',
  });
}

const defaultReplayed = 10_000;
const maxReplayed = 100_000;
const pageRows = 500;
/** Shown of each kind. */
const maxShown = 100;

type Kind = keyof PolicyPreview;

async function previewPolicies(
  parts: PlaneParts,
  asker: Principal,
  { policies, since, limit = defaultReplayed }: PolicyPreviewQuestion,
): Promise<PolicyPreview> {
  const { workspaceId } = asker;
  const proposed = await resolvePolicies(parts, asker, policies);
  const { configuration, catalogue } = await freshCatalogue(parts, workspaceId);
  const { audit } = parts.storage.workspace(workspaceId);
  const kinds: Record<Kind, { count: number; calls: ReplayedCall[] }> = {
    same: { count: 0, calls: [] },
    newlyWaiting: { count: 0, calls: [] },
    newlyRefused: { count: 0, calls: [] },
    newlyFree: { count: 0, calls: [] },
    unknown: { count: 0, calls: [] },
  };
  let left = Math.min(limit, maxReplayed);
  let before: number | undefined;
  while (left > 0) {
    const types = ['execution.started', 'execution.refused'] as const;
    const events = await audit.search({ types, limit: Math.min(left, pageRows), ...defined({ since, before }) });
    for (const event of events) {
      const replayed = await replay(parts, event, { asker, configuration, catalogue, proposed });
      if (replayed === undefined) continue;
      const { kind, call } = replayed;
      kinds[kind].count += 1;
      if (kinds[kind].calls.length < maxShown) kinds[kind].calls.push(call);
    }
    before = events.at(-1)?.seq;
    left -= events.length;
    if (events.length < pageRows) break;
  }
  return kinds;
}

interface Replay {
  readonly asker: Principal;
  readonly configuration: WorkspaceConfiguration;
  readonly catalogue: Catalogue;
  readonly proposed: readonly Policy[];
}

/** Undefined for a call of a tool that is no longer there, or of an account that the asker may not see. */
async function replay(parts: PlaneParts, event: AuditEvent, { asker, configuration, catalogue, proposed }: Replay) {
  const { executionId, tool: name, body, actor, at } = event;
  if (executionId === undefined || name === undefined) return undefined;
  const connectionId = typeof body.connectionId === 'string' ? body.connectionId : undefined;
  const sees = (id: string | undefined) => id === undefined || seesAccount(configuration, asker, id);
  const candidates = catalogue.match(name).filter((entry) => sees(entry.connectionId));
  const target = candidates.find((entry) => entry.connectionId === connectionId);
  if (!target) return undefined;
  const { workspaceId } = asker;
  const { onBehalfOf } = event;
  const principal: Principal = { ...actor, workspaceId, permissions: agentPermissions, ...defined({ onBehalfOf }) };
  const recorded = (await isMisfit(parts, event, target)) ? 'wrong' : readRecorded(target, body);
  const question: CallQuestion = { configuration, principal, tool: target.tool, connectionId };
  const then: CallQuestion = { ...question, configuration: { ...configuration, policies: proposed } };
  const [before, after] = [judge(question, recorded), judge(then, recorded)];
  const call = { executionId, at, actor: actor.name, tool: target.name, before: before.verdict, after: after.verdict };
  const { rule, reason } = after.decision;
  // A refused call may have named no account: as soon as another one can be used, it means that one, or several.
  const isFreed = (one: NamedTool): boolean => {
    const [was, is] = [question, then].map(
      (of) => decideCall({ ...of, connectionId: one.connectionId }).decision.effect,
    );
    return was === 'deny' && is !== 'deny';
  };
  const isSure =
    event.type === 'execution.started' ||
    !(isCutIntent(body) || candidates.some((one) => one.connectionId !== connectionId && isFreed(one)));
  return {
    kind: isSure ? compare(before.verdict, after.verdict) : ('unknown' as const),
    call: { ...call, rule, reason },
  };
}

const wrongCall = {
  effect: 'deny',
  rule: 'call.wrong',
  reason: 'Its arguments or its intent do not fit the tool',
} as const;

/** Whether the tool does something else than was asked for, which is looked at only after the outright refusals. */
async function isMisfit({ discovery }: PlaneParts, { type, body }: AuditEvent, { tool }: NamedTool): Promise<boolean> {
  if (body.rule === 'intent.mismatch') return true;
  if (type === 'execution.started' || typeof body.intent !== 'string' || isMetaTool(tool.id)) return false;
  return (await discovery.forPipeline.intentMismatch(body.intent, tool)) !== undefined;
}

/** Whether the record has only a part of what was asked for. */
const isCutIntent = ({ intent }: JsonObject): boolean =>
  typeof intent === 'string' && (intent.length >= maxIntent || intent.includes('[redacted]'));

/** Characters, as the record keeps them. */
const maxIntent = 500;

/** The arguments, if the record has all of them: their hash says so. `wrong`: those of a call that is never made. */
function readRecorded({ tool }: NamedTool, { input, inputHash }: JsonObject): JsonObject | 'wrong' | undefined {
  if (sha256(canonicalJson(input ?? null)) !== inputHash) return undefined;
  try {
    const read = readInput(tool, input);
    return schemaIssues(tool.inputSchema, read).length > 0 ? 'wrong' : read;
  } catch {
    return 'wrong';
  }
}

const open: Readonly<Record<ReturnType<typeof decideCall>['approval'], Verdict>> = {
  none: 'allow',
  required: 'require_approval',
  denied: 'deny',
  depends: 'unknown',
};

function judge(question: CallQuestion, input: JsonObject | 'wrong' | undefined) {
  // Whatever the policies are, such a call is refused.
  if (input === 'wrong') return { decision: wrongCall, verdict: wrongCall.effect };
  const { decision, approval, rules } = decideCall({ ...question, ...defined({ input }) });
  if (input !== undefined) return { decision, verdict: decision.effect };
  const isLimited = rules.some(({ rule, dependsOnArguments }) => dependsOnArguments && rule.endsWith('.limits'));
  return { decision, verdict: isLimited ? ('unknown' as const) : open[approval] };
}

function compare(before: Verdict, after: Verdict): Kind {
  if (before === 'unknown' || after === 'unknown') return 'unknown';
  if (before === after) return 'same';
  if (after === 'deny') return 'newlyRefused';
  return after === 'allow' ? 'newlyFree' : 'newlyWaiting';
}

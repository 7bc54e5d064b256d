/** Calling and listing tools. */

import { isMetaTool } from '../../domain/discovery.js';
import { HelveError } from '../../domain/errors.js';
import type {
  CallRequest,
  ExecutionEvent,
  ExecutionRecord,
  ListedTool,
  ToolResult,
  ToolsQuery,
} from '../../domain/execution.js';
import type { ExplainedDecision, WorkspaceConfiguration } from '../../domain/grant.js';
import type { JsonObject } from '../../domain/json.js';
import { findAliasPreset } from '../../domain/naming/index.js';
import type { Plane } from '../../domain/plane.js';
import { agentPrincipal, type Principal } from '../../domain/principal.js';
import {
  ambiguousName,
  decideCall,
  type LiveExecution,
  meantTools,
  type NamedTool,
  readInput,
  shownApproval,
  withinReach,
} from '../../flows/calling/index.js';
import { shownTools } from '../../flows/finding/index.js';
import type { PlaneParts } from '../../flows/parts.js';
import { freshCatalogue, freshWithin } from '../../flows/workspaces/index.js';
import { knowsAccount, seesAccount } from '../../grants/index.js';
import { defined } from '../../util/defined.js';
import { executeUnderKey, type KeyedCall } from './keyed-call.js';
import { whileAllowed } from './rights-check.js';

type Calls = Pick<Plane, 'execute' | 'tools' | 'validateAccess' | 'actAs' | 'follow' | 'onConfigurationChange'>;

export function createCalls(parts: PlaneParts): Calls {
  return {
    execute: (request) => (isKeyed(request) ? executeUnderKey(parts, request) : executeLive(parts, request)),
    tools: (principal, query) => listTools(parts, principal, query),
    validateAccess: (principal, name, input) => validateAccess(parts, principal, { name, input }),
    async actAs(principal, name) {
      const agent = await parts.directory(principal.workspaceId).agent(name);
      const { kind, id, name: person, workspaceId, ofWorkspace } = principal;
      const acting = agentPrincipal(agent, workspaceId);
      // Acting as an agent uses its grants but adds no permissions that the caller lacks.
      const permissions = acting.permissions.filter((permission) => principal.permissions.includes(permission));
      return { ...acting, permissions, onBehalfOf: { kind, id, name: person }, ...defined({ ofWorkspace }) };
    },
    async *follow(principal, executionId, signal) {
      for await (const [event] of whileAllowed(parts, principal, follow(parts, principal, executionId, signal)))
        yield event;
    },
    onConfigurationChange(principal, listener) {
      const ends = [parts.configurations.onChange(principal.workspaceId, listener), parts.registry.onChange(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

/** Who may not call at all is refused by the pipeline, and gets no run. */
const isKeyed = (request: CallRequest): request is KeyedCall =>
  request.idempotencyKey !== undefined && request.principal.permissions.includes('tools:call');

/** Makes a call that others can follow while it runs. */
export async function executeLive(
  { pipeline, live, now }: Pick<PlaneParts, 'pipeline' | 'live' | 'now'>,
  request: CallRequest,
): Promise<ToolResult> {
  let execution: LiveExecution | undefined;
  const { principal, tool, onStart, onProgress, ...rest } = request;
  const result = await pipeline.run({
    principal,
    tool,
    ...rest,
    onStart(id) {
      execution = live.started(principal, id, tool, now());
      onStart?.(id);
    },
    onStopRequest: (listener) => execution?.onStopRequest(listener) ?? (() => undefined),
    onProgress(update) {
      execution?.progress(update, now());
      onProgress?.(update);
    },
  });
  execution?.finished(result, now());
  return result;
}

async function validateAccess(
  parts: PlaneParts,
  principal: Principal,
  { name, input }: { readonly name: string; readonly input: JsonObject | undefined },
): Promise<ExplainedDecision> {
  const { configuration, catalogue } = await freshCatalogue(parts, principal.workspaceId, name);
  const meaning = { matches: catalogue.match(name), configuration, principal };
  const meant = meantTools(meaning, { knowsAccount, decide: decideCall });
  const [found] = meant;
  if (!found) return refusedName('tool.unknown', `There is no tool ${JSON.stringify(name.slice(0, 100))}`);
  if (meant.length > 1) return refusedName('tool.ambiguous', ambiguousName(name, meant).message);
  const { tool, connectionId } = found;
  // The arguments as in a call: a rule on arguments must give the same result here.
  const read = input && readInput(tool, { ...input, ...findAliasPreset(name) });
  const question = { configuration, principal, tool, connectionId, input: read, needsAllRules: true };
  const { decision, approval, rules } = decideCall(question);
  return { ...decision, approval, rules };
}

function refusedName(rule: string, reason: string): ExplainedDecision {
  const refused = { effect: 'deny', rule, reason } as const;
  return { ...refused, approval: 'denied', rules: [refused] };
}

type ListParts = Pick<PlaneParts, 'configurations' | 'catalogue' | 'directTools' | 'registry'>;

/** The tools that the principal may call; without `all`, as its tool mode shows them. */
export async function listTools(parts: ListParts, principal: Principal, query: ToolsQuery = {}): Promise<ListedTool[]> {
  const { categories } = query;
  if (principal.kind !== 'agent' && isPart(query) && categories === undefined) return listPart(parts, principal, query);
  const { configuration, catalogue } = await freshWithin(parts, principal.workspaceId, [principal]);
  const list = lister(configuration, principal);
  const reached = withinReach(catalogue, configuration, principal);
  const entries = categories === undefined ? reached : await ofCategories(parts, reached, categories);
  const allowed = entries.flatMap((entry) => list(entry) ?? []);
  const shown =
    query.all || categories ? allowed : [...shownTools(allowed, principal, configuration, parts.directTools)];
  return isPart(query) ? cutList(shown, query) : shown;
}

async function ofCategories(
  { registry }: Pick<ListParts, 'registry'>,
  entries: readonly NamedTool[],
  categories: readonly string[],
): Promise<NamedTool[]> {
  const toolkits = (await registry.toolkits()).filter(({ category }) => categories.includes(category));
  const wanted = new Set(toolkits.map(({ slug }) => slug));
  return entries.filter(({ tool }) => wanted.has(tool.id.toolkit));
}

function isPart({ name, after, limit }: ToolsQuery): boolean {
  return name !== undefined || after !== undefined || limit !== undefined;
}

function cutList(shown: readonly ListedTool[], { name, after = '', limit }: ToolsQuery): ListedTool[] {
  const named = name === undefined ? shown : shown.filter((tool) => tool.name === name);
  const sorted = named.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return sorted.filter((tool) => tool.name > after).slice(0, limit);
}

/** What others than agents see depends on one tool at a time, so that only those of the page are looked at. */
async function listPart(parts: ListParts, principal: Principal, query: ToolsQuery): Promise<ListedTool[]> {
  const { all = false, name, after = '', limit = Number.POSITIVE_INFINITY } = query;
  const { configuration, catalogue } = await freshCatalogue(parts, principal.workspaceId, name);
  const list = lister(configuration, principal);
  const sorted = catalogue.sorted();
  const found: ListedTool[] = [];
  const start = name ?? after;
  for (let at = firstFrom(sorted, start); at < sorted.length && found.length < limit; at += 1) {
    const entry = sorted[at];
    if (entry === undefined || (name !== undefined && entry.name !== name)) break;
    if (entry.name <= after || (!all && isMetaTool(entry.tool.id))) continue;
    const listed = list(entry);
    if (listed) found.push(listed);
  }
  return found;
}

/** The position of the first entry whose name does not come before this one. */
function firstFrom(sorted: readonly NamedTool[], name: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.name ?? '') < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the listed form of a tool; undefined if the principal may not call it. */
function lister(configuration: WorkspaceConfiguration, principal: Principal) {
  return ({ name, tool, connectionId }: NamedTool): ListedTool | undefined => {
    const { decision, approval } = decideCall({ configuration, principal, tool, connectionId });
    if (decision.effect === 'deny') return undefined;
    return { name, tool, ...defined({ connectionId }), ...shownApproval(approval) };
  };
}

/**
 * Follows the caller's own call live. Other callers see that it started and, once it has ended, its audit record:
 * redacted and cut, and nothing about another person's private account.
 */
async function* follow(
  parts: PlaneParts,
  principal: Principal,
  executionId: string,
  signal: AbortSignal,
): AsyncIterable<ExecutionEvent> {
  const live = parts.live.follow(principal, executionId, signal);
  if (live?.own) return yield* live.events;
  if (live) {
    const [meant, ...others] = (await parts.catalogue(principal.workspaceId, live.tool)).match(live.tool);
    await requireVisible(parts, principal, others.length === 0 ? meant?.connectionId : undefined);
    // If the name does not identify the account, nothing is sent until the audit record does.
    for await (const event of live.events) if (event.type === 'started' && others.length === 0) yield event;
  }
  const record = await parts.records.execution(principal, executionId);
  // A call through `call_tool` names its tool in the arguments: only the audit record knows the account.
  await requireVisible(parts, principal, record.outcome?.connectionId ?? record.started?.connectionId, record);
  yield { type: 'recorded', executionId, record, at: record.finishedAt ?? record.startedAt };
}

/** Throws `not_found`, as for an execution that does not exist. */
async function requireVisible(
  { configurations }: PlaneParts,
  principal: Principal,
  connectionId: unknown,
  record?: ExecutionRecord,
): Promise<void> {
  if (typeof connectionId !== 'string') return;
  const own = record?.actor.id === principal.id && record.onBehalfOf?.id === principal.onBehalfOf?.id;
  if (own || seesAccount(await configurations.getFresh(principal.workspaceId), principal, connectionId)) return;
  throw new HelveError('not_found', 'There is no such execution');
}

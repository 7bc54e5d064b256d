/** Lists, counts and figures of calls, as far as the caller may see them. */
import {
  type CallColumns,
  type CallCondition,
  createCallSums,
  createFacetCounts,
  createFigureGroups,
  endTypes,
  type FacetCounts,
  type Field,
  readCall,
  selectCalls,
  toColumns,
} from '../../audit/index.js';
import type { AuditEvent } from '../../domain/audit.js';
import type {
  CallActs,
  CallDetail,
  CallFacets,
  CallMetrics,
  CallMetricsQuery,
  CallPage,
  CallRow,
  CallsFilter,
  CallsQuery,
  Facet,
} from '../../domain/calls.js';
import type { Connection } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { toAuditName } from '../../domain/naming/index.js';
import type { Principal, PrincipalRef } from '../../domain/principal.js';
import { readStages } from '../../domain/stages.js';
import type { PlaneParts } from '../../flows/parts.js';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { createLookup } from '../../util/lookup.js';
import { createSlices } from '../../util/slices.js';
import { listOwned } from './record.js';
import { withRecordName } from './record-name.js';

const defaultListed = 50;
const maxListed = 500;
const turnMs = 5;
/** Rows with a text that one request looks at, newest first. */
const maxTexts = 10_000;
const pageRows = 500;
/** Values of one field that are returned. */
const maxFacets = 200;
const maxGroups = 1_500;
const dayMs = 24 * 3_600_000;

const counted = ['status', 'actor', 'tool', 'toolkit', 'connection', 'rule', 'error', 'risk', 'door'] as const;

export function createCallLists(parts: PlaneParts): Omit<CallActs, 'connectionUsage'> {
  const readFacets = createCallSums(parts.callIndex, (condition) => createFacetCounts(counted, condition));
  return {
    listCalls: (principal, query) => listCalls(parts, principal, query),
    async callFacets(principal, filter) {
      const condition = await readCondition(parts, principal, filter);
      const { columns } = await findRunning(parts, principal, condition);
      const counts = await readFacets(principal.workspaceId, condition);
      counts.add(columns);
      return describeFacets(parts, principal, counts);
    },
    getCall: (principal, executionId, filter) => getCall(parts, principal, { executionId, filter }),
    callMetrics: (principal, query) => measureCalls(parts, principal, query),
  };
}

async function listCalls(parts: PlaneParts, principal: Principal, query: CallsQuery): Promise<CallPage> {
  const { before, after } = query;
  if (before !== undefined && after !== undefined)
    throw new HelveError('invalid_input', 'A page comes either before a call or after one, not both', {
      hint: 'Send only one of them: before or after.',
    });
  const limit = Math.min(query.limit ?? defaultListed, maxListed);
  const condition = await readCondition(parts, principal, query);
  const isFirst = before === undefined && after === undefined;
  const found = await findSeqs(parts, principal, { condition, before, after, limit: limit + 1 });
  const seqs = after === undefined ? found.slice(0, limit) : found.slice(-limit);
  const calls = [
    ...(isFirst ? (await findRunning(parts, principal, condition)).rows : []),
    ...(await readRows(parts, principal, seqs)),
  ];
  const hasMore = found.length > limit;
  // The reader can go back to the page that they came from.
  const hasOlder = after === undefined ? hasMore : true;
  const hasNewer = after === undefined ? before !== undefined : hasMore;
  return {
    calls,
    ...defined({
      next: hasOlder ? (seqs.at(-1) ?? after) : undefined,
      previous: hasNewer ? (seqs[0] ?? before) : undefined,
    }),
  };
}

interface SeqQuestion {
  readonly condition: CallCondition;
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly limit: number;
}

/** Newest first: those next to `before` or `after`. */
export async function findSeqs(
  parts: PlaneParts,
  { workspaceId }: Principal,
  question: SeqQuestion,
): Promise<number[]> {
  const { condition, before = Number.MAX_SAFE_INTEGER, after = 0, limit } = question;
  const fromNewest = question.after === undefined;
  const found: number[] = [];
  const slices = createSlices(turnMs);
  for await (const block of parts.callIndex.blocks(workspaceId, { before, after })) {
    const seqs = selectCalls(block, condition).map((at) => block.seq[at] ?? 0);
    found.push(...seqs.filter((seq) => seq < before && seq > after).reverse());
    if (fromNewest && found.length >= limit) break;
    await slices.rest();
  }
  return fromNewest ? found.slice(0, limit) : found.slice(-limit);
}

const connectionsById = createLookup(({ id }: Connection) => id);

async function describeFacets(parts: PlaneParts, principal: Principal, counts: FacetCounts): Promise<CallFacets> {
  const { connections } = await parts.configurations.getFresh(principal.workspaceId);
  const findName = (id: string) => connectionsById(connections, id)[0]?.name ?? counts.findName(id);
  const facets = counted.map((field) => [field, toFacets(counts.counts(field), findName)] as const);
  return { total: counts.total(), ...(Object.fromEntries(facets) as Record<(typeof counted)[number], Facet[]>) };
}

function toFacets(counts: ReadonlyMap<string, number>, findName: (id: string) => string | undefined): Facet[] {
  return mostFrequent([...counts])
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, maxFacets)
    .map(([value, count]) => ({ value, count, ...defined({ name: findName(value) }) }));
}

/**
 * Preselects values that include the first `maxFacets`, because sorting all of them would take longer than counting.
 */
function mostFrequent(counts: readonly (readonly [string, number])[]): (readonly [string, number])[] {
  const least = Float64Array.from(counts, ([, count]) => count)
    .sort()
    .at(-maxFacets);
  return counts.filter(([, count]) => count >= (least ?? 0));
}

/** Newest first; those in which all calls ended before `since` are left out. */
async function* endedBlocks(
  { callIndex }: PlaneParts,
  { workspaceId }: Principal,
  { since = 0 }: CallCondition,
): AsyncIterable<CallColumns> {
  const slices = createSlices(turnMs);
  for await (const block of callIndex.blocks(workspaceId)) {
    if (block.lastEndedAt >= since) yield block;
    await slices.rest();
  }
}

async function measureCalls(parts: PlaneParts, principal: Principal, query: CallMetricsQuery): Promise<CallMetrics> {
  const until = query.until ?? parts.now().toISOString();
  const since = query.since ?? new Date(Date.parse(until) - dayMs).toISOString();
  const condition = await readCondition(parts, principal, { ...query, since, until });
  const minutes = Math.max(query.minutes ?? 1, Math.ceil((Date.parse(until) - Date.parse(since)) / 60_000 / maxGroups));
  const figures = createFigureGroups<string | number>();
  const names = new Set<ReadonlyMap<string, string>>();
  for await (const block of endedBlocks(parts, principal, condition)) {
    const places = selectCalls(block, condition);
    figures.add(block, places, groupBy(block, query.by, minutes * 60_000));
    if (query.by === 'agent') names.add(block.names);
  }
  const findName = (id: string) => [...names].find((some) => some.has(id))?.get(id);
  const all = figures.groups();
  const sorted =
    query.by === 'minute'
      ? all.toSorted((a, b) => Number(a.key) - Number(b.key))
      : all.toSorted((a, b) => b.calls - a.calls).slice(0, maxFacets);
  const groups = sorted.map(({ key, ...group }) => ({
    key: typeof key === 'number' ? new Date(key).toISOString() : key,
    ...group,
    ...defined({ name: findName(String(key)) }),
  }));
  return {
    since,
    until,
    ...(query.by === 'minute' ? { seconds: minutes * 60 } : {}),
    total: figures.total(),
    groups,
  };
}

/** Milliseconds since 1970, or a text. */
function groupBy(block: CallColumns, by: CallMetricsQuery['by'], lengthMs: number): (at: number) => string | number {
  if (by === 'minute') return (at) => Math.floor((block.endedAt[at] ?? 0) / lengthMs) * lengthMs;
  const { values, codes } = by === 'tool' ? block.tool : block.actor;
  return (at) => values[codes[at] ?? -1] ?? '';
}

async function getCall(
  parts: PlaneParts,
  principal: Principal,
  { executionId, filter }: { readonly executionId: string; readonly filter: CallsFilter },
): Promise<CallDetail> {
  const record = await parts.records.execution(principal, executionId);
  const condition = await readCondition(parts, principal, filter);
  const { seq } = record;
  const [newer, older] = await Promise.all([
    findSeqs(parts, principal, { condition, before: undefined, after: seq, limit: 1 }),
    findSeqs(parts, principal, { condition, before: seq, after: undefined, limit: 1 }),
  ]);
  const rows = await parts.storage.workspace(principal.workspaceId).audit.rows([...newer, ...older]);
  const idOf = (wanted: number | undefined) => rows.find((row) => row.seq === wanted)?.executionId;
  const { approvalId, connectionId } = { ...record.started, ...record.outcome };
  const tools = (await parts.catalogue(principal.workspaceId, record.tool)).match(record.tool);
  const stages = readStages(record.outcome?.stages);
  return {
    ...record,
    ...defined({
      modelName: tools.find((one) => one.connectionId === connectionId)?.name,
      durationMs: typeof record.outcome?.durationMs === 'number' ? record.outcome.durationMs : undefined,
      stages: stages.length === 0 ? undefined : stages,
      approval: typeof approvalId === 'string' ? await findApproval(parts, principal, approvalId) : undefined,
      previous: idOf(newer[0]),
      next: idOf(older[0]),
    }),
  };
}

async function findApproval({ storage }: PlaneParts, { workspaceId }: Principal, id: string) {
  const approval = await storage.workspace(workspaceId).approvals.find(id);
  // It is deleted some time after it has expired.
  if (approval === undefined) return undefined;
  const { requestedAt, decidedAt, status } = approval;
  return { id, requestedAt, status, ...defined({ decidedAt }) };
}

/** Returns the query for the index. An unknown name is not an error: it has no calls. */
export async function readCondition(
  parts: PlaneParts,
  principal: Principal,
  filter: CallsFilter,
): Promise<CallCondition> {
  const { status, actor, onBehalfOf, connection, rule, error, risk, door, since, until, minDurationMs } = filter;
  const { tool } = await withRecordName(parts, principal, defined({ tool: filter.tool }));
  const seesAll = principal.permissions.includes('audit:read');
  const toolkit = filter.toolkit === undefined ? undefined : await findToolkitName(parts, filter.toolkit);
  return {
    fields: defined({ status, actor, onBehalfOf, tool, toolkit, connection, rule, error, risk, door }),
    ...(seesAll
      ? {}
      : {
          visible: {
            actor: principal.id,
            onBehalfOf: principal.onBehalfOf?.id ?? '',
            connections: await listOwned(parts, principal),
          },
        }),
    ...defined({
      since: since === undefined ? undefined : Date.parse(since),
      until: until === undefined ? undefined : Date.parse(until),
      minDurationMs,
      seqs: filter.text === undefined ? undefined : await findTexts(parts, principal, filter.text),
    }),
  };
}

/** The record names a toolkit by its title: GitHub for github. */
async function findToolkitName({ registry }: PlaneParts, slug: string): Promise<string> {
  const found = await registry.findToolkit(slug);
  return found === undefined ? slug : (toAuditName({ toolkit: slug, name: 'any' }, found.title).split('.')[0] ?? slug);
}

async function findTexts({ storage }: PlaneParts, { workspaceId }: Principal, text: string): Promise<Set<number>> {
  const { audit } = storage.workspace(workspaceId);
  const seqs = new Set<number>();
  for (let before: number | undefined; seqs.size < maxTexts; ) {
    const rows = await audit.search({ types: endTypes, text, limit: pageRows, ...defined({ before }) });
    for (const { seq } of rows) seqs.add(seq);
    before = rows.at(-1)?.seq;
    if (rows.length < pageRows) break;
  }
  return seqs;
}

/** Calls whose start is recorded and whose end is not, in any process; newest first. As columns, they end now. */
export async function findRunning(
  { storage, now }: PlaneParts,
  { workspaceId }: Principal,
  condition: CallCondition,
): Promise<{ readonly columns: CallColumns; readonly rows: CallRow[] }> {
  const workspace = storage.workspace(workspaceId);
  const intents = condition.seqs === undefined ? await workspace.intents.list() : [];
  const ids = intents.map(({ executionId }) => executionId).slice(-maxListed);
  const starts = await workspace.audit.ofExecutions(ids, ['execution.started']);
  const columns = toColumns(starts.map((start) => readCall(start, undefined, now().getTime())));
  const rows = selectCalls(columns, condition).flatMap((at) => {
    const start = starts[at];
    return start === undefined ? [] : [toRow(start, undefined, now().getTime())];
  });
  return { columns, rows: rows.reverse() };
}

async function readRows(
  { storage }: PlaneParts,
  { workspaceId }: Principal,
  seqs: readonly number[],
): Promise<CallRow[]> {
  const { audit } = storage.workspace(workspaceId);
  const ends = await audit.rows(seqs);
  const ids = ends.flatMap(({ executionId }) => executionId ?? []);
  const starts = new Map(
    (await audit.ofExecutions(ids, ['execution.started'])).map((start) => [start.executionId, start]),
  );
  return ends.map((end) => toRow(starts.get(end.executionId), end, 0)).reverse();
}

function toRow(start: AuditEvent | undefined, end: AuditEvent | undefined, now: number): CallRow {
  const facts = readCall(start, end, now);
  const last = (end ?? start) as AuditEvent;
  const body: JsonObject = { ...start?.body, ...end?.body };
  const text = (field: Field): string | undefined => facts[field] || undefined;
  return {
    executionId: last.executionId ?? '',
    status: facts.status as CallRow['status'],
    tool: facts.tool,
    actor: last.actor,
    seq: facts.seq,
    startedAt: readText(end?.body.startedAt) ?? start?.at ?? last.at,
    ...defined({
      onBehalfOf: last.onBehalfOf as PrincipalRef | undefined,
      finishedAt: end?.at,
      durationMs: facts.durationMs < 0 ? undefined : facts.durationMs,
      connectionId: text('connection'),
      rule: text('rule'),
      error: readError(body),
      risk: text('risk') as CallRow['risk'],
      door: text('door') as CallRow['door'],
      through: readText(body.through),
      runId: readText(body.runId),
      approvalId: readText(body.approvalId),
      intent: readText(body.intent),
      summary: summarise(body.input),
    }),
  };
}

const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function readError({ error }: JsonObject): CallRow['error'] {
  if (!isPlainObject(error)) return undefined;
  return { code: readText(error.code) ?? '', message: (readText(error.message) ?? '').slice(0, 200) };
}

const maxSummary = 120;

/** `query: invoice · max_results: 5` */
function summarise(input: unknown): string | undefined {
  if (!isPlainObject(input)) return undefined;
  const parts: string[] = [];
  let length = 0;
  for (const [key, value] of Object.entries(input)) {
    const part = `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
    parts.push(part);
    length += part.length;
    if (length > maxSummary) break;
  }
  return parts.length === 0 ? undefined : parts.join(' · ').slice(0, maxSummary);
}

/** Programs of code mode and the ledger of their steps. The journal writes the steps themselves. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AuditDraft } from '../domain/audit.js';
import { isHeld } from '../domain/run.js';
import type { PlanChange, RunChange, RunStep, RunTable, StoredRun } from '../domain/storage.js';
import { defined } from '../util/defined.js';
import { decodeJson, encodeJson, encodeOptionalJson, encodeTime } from './codec.js';
import type { Engine } from './engine.js';
import type { Journal } from './journal.js';
import { withHead } from './locked.js';
import { toApproval } from './rows.js';
import type { RunRow, RunStepRow, Schema } from './schema.js';
import { type Scope, scoped } from './scope.js';

const parked = ['waiting', 'in_doubt'] as const;
const ended = ['succeeded', 'failed', 'refused', 'diverged', 'cancelled'] as const;

export function createRuns(engine: Engine, journal: Journal, workspaceId: string): RunTable {
  const scope = scoped(engine.db, workspaceId);
  const locked = <T>(
    events: Parameters<RunTable['insert']>[1],
    work: (inside: Scope, record: (more?: readonly AuditDraft[]) => void, transaction: Kysely<Schema>) => Promise<T>,
  ): Promise<T> =>
    withHead(engine, journal, workspaceId, events, (transaction, record) =>
      work(scoped(transaction, workspaceId), (more) => record(undefined, more), transaction),
    );
  return {
    insert: (run, events, plan) =>
      locked(events, async (inside, record) => {
        const earlier = await findByKey(inside, run);
        if (earlier) return { run: earlier, created: false };
        if (plan && run.plan !== undefined && !(await replacePlan(inside, run.plan, plan))) return undefined;
        await inside.insertInto('runs', fromRun(run)).execute();
        record();
        return { run, created: true };
      }),
    find: (id) => findRun(scope, id),
    findByKey: (run) => findByKey(scope, run),
    async list({ status, principalId, approval, plan, before, limit }) {
      let query = scope.selectFrom('runs').selectAll();
      if (approval !== undefined) query = query.where('status', 'in', parked).where(waitsFor(engine, approval));
      if (plan !== undefined)
        query = query
          .where('mode', '=', 'plan')
          .where('status', '=', 'succeeded')
          .where(hasText(engine, 'planned', '"status":"pending"'));
      if (status !== undefined) query = query.where('status', '=', status);
      if (principalId !== undefined) query = query.where('principal_id', '=', principalId);
      if (before !== undefined) query = query.where('id', '<', before);
      return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toRun);
    },
    async steps(runId) {
      const query = scope.selectFrom('run_steps').selectAll().where('run_id', '=', runId);
      return (await query.orderBy('kind').orderBy('number').execute()).map(toStep);
    },
    async outline(runId) {
      const query = scope
        .selectFrom('run_steps')
        .select([...outlined, outlinedAnswer])
        .where('run_id', '=', runId);
      return (await query.orderBy('kind').orderBy('number').execute()).map(toStep);
    },
    claim: ({ id, lease, status }, { owner, takeovers }, events) =>
      locked(events, async (inside, record) => {
        const update = inside
          .updateTable('runs')
          .set({
            owner,
            lease: lease + 1,
            status: 'running',
            waits: '[]',
            wake_at: null,
            ...defined({ takeovers: takeovers && encodeJson(takeovers) }),
          })
          .where('id', '=', id)
          .where('lease', '=', lease)
          .where('status', '=', status)
          .where('status', 'not in', ended);
        if ((await update.executeTakeFirst()).numUpdatedRows !== 1n) return undefined;
        record();
        return findRun(inside, id);
      }),
    change: ({ id, lease }, change, events) =>
      locked(events, async (inside, record) => {
        const update = inside.updateTable('runs').set(fromChange(change)).where('id', '=', id);
        const result = await update.where('lease', '=', lease).where('status', 'not in', ended).executeTakeFirst();
        if (result.numUpdatedRows !== 1n) return false;
        record(change.finishedAt === undefined ? [] : await withdrawApprovals(engine, inside, { id, events }));
        return true;
      }),
    cancel: (id, end, events) =>
      locked(events, async (inside, record) => {
        const change = fromChange({ ...end, status: 'cancelled', waits: [] });
        const update = inside.updateTable('runs').set(change).where('id', '=', id).where('status', 'not in', ended);
        if ((await update.executeTakeFirst()).numUpdatedRows !== 1n) return undefined;
        record(await withdrawApprovals(engine, inside, { id, events }));
        return findRun(inside, id);
      }),
    changePlan: (id, plan, events) =>
      locked(events, async (inside, record) => {
        const isChanged = await replacePlan(inside, id, plan);
        if (isChanged) record();
        return isChanged;
      }),
    decide: (id, { number, executionId, at, answer }, events) =>
      locked(events, async (inside, record) => {
        const run = await findRun(inside, id);
        if (run?.status !== 'in_doubt' && run?.status !== 'waiting') return false;
        const steps = inside.selectFrom('run_steps').select('position').where('run_id', '=', id);
        const last = await steps.orderBy('position', 'desc').where('position', 'is not', null).executeTakeFirst();
        const known =
          answer === undefined
            ? { cleared: 1 }
            : { answer, position: Number(last?.position ?? 0) + 1, answered_at: encodeTime(at) };
        const update = inside.updateTable('run_steps').set(known).where('run_id', '=', id).where('kind', '=', 'call');
        const open = update.where('number', '=', number).where('execution_id', '=', executionId);
        const result = await open.where('answer', 'is', null).where('cleared', '=', 0).executeTakeFirst();
        if (result.numUpdatedRows !== 1n) return false;
        record();
        return true;
      }),
  };
}

const outlined = [
  'kind',
  'number',
  'tool',
  'input_hash',
  'execution_id',
  'attempts',
  'started_at',
  'position',
  'answered_at',
  'planned',
  'cleared',
] as const;
/** What no execution has answered can be an effect that a plan noted, and says so. */
const outlinedAnswer = sql<string | null>`case
  when execution_id <> '' and substr(answer, 1, 11) = '{"ok":true,' then '{"ok":true,"output":null}'
  else answer end`.as('answer');

/** Whether the column, which holds JSON, has this text in it. */
function hasText({ kind }: Engine, column: 'waits' | 'planned', text: string): RawBuilder<boolean> {
  const position = kind === 'postgres' ? sql.raw('strpos') : sql.raw('instr');
  return sql<boolean>`${position}(${sql.ref(column)}, ${text}) > 0`;
}

const waitsFor = (engine: Engine, approval: string) =>
  hasText(engine, 'waits', `"approvalId":${JSON.stringify(approval)}`);

/**
 * Of a run that has ended. What another run waits for too is now asked for that one. Returns the rows about the others: `events` are those
 * about the end of the run.
 */
async function withdrawApprovals(
  engine: Engine,
  inside: Scope,
  { id: runId, events: [end] }: { readonly id: string; readonly events: readonly AuditDraft[] },
): Promise<readonly AuditDraft[]> {
  const rows: AuditDraft[] = [];
  const mine = inside.selectFrom('approvals').selectAll().where('run_id', '=', runId).where('status', '=', 'pending');
  for (const row of await mine.execute()) {
    const { id, binding, connectionId } = toApproval(row);
    const waiting = inside.selectFrom('runs').selectAll().where('status', 'in', parked).where(waitsFor(engine, id));
    const other = (await waiting.execute())
      .map(toRun)
      // The loop of an agent waits with its program, not for itself.
      .find(({ waits }) => waits.some((wait) => wait.for === 'approval' && wait.approvalId === id && !wait.within));
    const update = inside.updateTable('approvals').set(other ? { run_id: other.id } : { status: 'withdrawn' });
    await update.where('id', '=', id).execute();
    const body = { approvalId: id, runId, binding, ...defined({ connectionId }) };
    if (end && !other) rows.push({ ...end, type: 'approval.withdrawn', body });
  }
  return rows;
}

async function replacePlan(scope: Scope, id: string, { from, to }: PlanChange): Promise<boolean> {
  const update = scope
    .updateTable('runs')
    .set({ planned: encodeJson(to) })
    .where('id', '=', id);
  const result = await update.where('planned', '=', encodeJson(from)).executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

async function findRun(scope: Scope, id: string): Promise<StoredRun | undefined> {
  const row = await scope.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toRun(row);
}

async function findByKey(
  scope: Scope,
  { principal, idempotencyKey }: Pick<StoredRun, 'principal' | 'idempotencyKey'>,
): Promise<StoredRun | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const mine = scope.selectFrom('runs').selectAll().where('principal_id', '=', principal.id);
  const row = await mine.where('idempotency_key', '=', idempotencyKey).executeTakeFirst();
  return row && toRun(row);
}

function fromChange(change: RunChange): Partial<Omit<RunRow, 'workspace_id'>> {
  const { status, waits, wakeAt, value, logs, error, planned, finishedAt, expiresAt } = change;
  return {
    ...defined({
      status,
      wake_at: wakeAt === undefined ? undefined : encodeTime(wakeAt),
      finished_at: finishedAt === undefined ? undefined : encodeTime(finishedAt),
      expires_at: expiresAt === undefined ? undefined : encodeTime(expiresAt),
      waits: waits && encodeJson(waits),
      value: value === undefined ? undefined : encodeJson(value),
      logs: logs && encodeJson(logs),
      error: error && encodeJson(error),
      planned: planned && encodeJson(planned),
    }),
    ...(status === undefined || isHeld(status) ? {} : { owner: null }),
    ...(status === undefined || wakeAt !== undefined ? {} : { wake_at: null }),
  };
}

function fromRun(run: StoredRun): Omit<RunRow, 'workspace_id'> {
  return {
    id: run.id,
    principal_id: run.principal.id,
    principal: encodeJson(run.principal),
    mode: run.mode,
    status: run.status,
    code: run.code,
    tools: encodeJson(run.tools),
    declarations: run.declarations,
    replay_version: run.replayVersion,
    policy_version: run.policyVersion,
    seed: run.seed,
    limits: encodeJson(run.limits),
    intent: run.intent ?? null,
    idempotency_key: run.idempotencyKey ?? null,
    plan: run.plan ?? null,
    planned: encodeOptionalJson(run.planned),
    owner: run.owner ?? null,
    lease: run.lease,
    takeovers: encodeJson(run.takeovers),
    waits: encodeJson(run.waits),
    wake_at: run.wakeAt === undefined ? null : encodeTime(run.wakeAt),
    value: encodeOptionalJson(run.value),
    logs: encodeJson(run.logs),
    error: encodeOptionalJson(run.error),
    issues: encodeOptionalJson(run.issues),
    started_at: encodeTime(run.startedAt),
    finished_at: run.finishedAt === undefined ? null : encodeTime(run.finishedAt),
    expires_at: run.expiresAt === undefined ? null : encodeTime(run.expiresAt),
  };
}

const optionalJson = <T>(text: string | null): T | undefined => (text === null ? undefined : decodeJson<T>(text));

function toRun(row: RunRow): StoredRun {
  return {
    id: row.id,
    principal: decodeJson(row.principal),
    mode: row.mode,
    status: row.status,
    code: row.code,
    tools: decodeJson(row.tools),
    declarations: row.declarations,
    replayVersion: Number(row.replay_version),
    policyVersion: Number(row.policy_version),
    seed: Number(row.seed),
    limits: decodeJson(row.limits),
    lease: Number(row.lease),
    takeovers: decodeJson(row.takeovers),
    waits: decodeJson(row.waits),
    logs: decodeJson(row.logs),
    startedAt: row.started_at,
    ...defined({
      intent: row.intent ?? undefined,
      idempotencyKey: row.idempotency_key ?? undefined,
      plan: row.plan ?? undefined,
      planned: optionalJson<NonNullable<StoredRun['planned']>>(row.planned),
      owner: row.owner ?? undefined,
      wakeAt: row.wake_at ?? undefined,
      value: optionalJson<NonNullable<StoredRun['value']>>(row.value),
      error: optionalJson<NonNullable<StoredRun['error']>>(row.error),
      issues: optionalJson<NonNullable<StoredRun['issues']>>(row.issues),
      finishedAt: row.finished_at ?? undefined,
      expiresAt: row.expires_at ?? undefined,
    }),
  };
}

function toStep(row: Omit<RunStepRow, 'workspace_id' | 'run_id'>): RunStep {
  return {
    kind: row.kind,
    number: Number(row.number),
    tool: row.tool,
    inputHash: row.input_hash,
    executionId: row.execution_id,
    attempts: Number(row.attempts),
    startedAt: row.started_at,
    ...defined({
      answer: row.answer ?? undefined,
      position: row.position === null ? undefined : Number(row.position),
      answeredAt: row.answered_at ?? undefined,
      planned: row.planned === null ? undefined : Number(row.planned),
    }),
    ...(Number(row.cleared) === 0 ? {} : { cleared: true }),
  };
}

/**
 * Writes the audit record; no other file does. It assigns positions in the chain and hashes, and checks the conditions
 * of the same commit. This is the hot path, so statements are plain texts created once; the steps run without awaits on
 * SQLite and with them on PostgreSQL (see `engine.ts`).
 *
 * A workspace's head row is its lock: every writer to a chain, or user of an approval or an intent, takes it. Heads are
 * locked in the order of their ids, so two batches can never deadlock.
 */
import type { AuditDraft, JournalEntry, JournalOutcome, Seal, StepWrite } from '../domain/audit.js';
import { heldStatuses } from '../domain/run.js';
import { onlyAdds } from './append-at-once.js';
import { insertStatements } from './audit-insert.js';
import { encodePrincipal, encodeTime } from './codec.js';
import type { DatabaseKind, Statement, Steps } from './engine.js';
import { fromDraft } from './event-rows.js';
import type { AuditEventRow } from './schema.js';

export interface Head {
  readonly workspaceId: string;
  readonly revision: number;
  readonly policyVersion: number;
  seq: number;
  hash: string;
}

/** How a change updates the workspace's counters. */
export interface Raise {
  readonly revision: number;
  readonly policyVersion: number;
}

export interface Journal {
  /** Locks the workspace and reads the end of its chain; undefined if there is no such workspace. */
  lock(workspaceId: string): Steps<Head | undefined>;
  /** Adds rows after the head and writes the head back. */
  append(head: Head, drafts: readonly AuditDraft[], raise?: Raise): Steps<void>;
  commit(entries: readonly JournalEntry[]): Steps<JournalOutcome[]>;
}

const held = heldStatuses.map((status) => `'${status}'`).join(', ');
const unchanged: Raise = { revision: 0, policyVersion: 0 };

function createTexts(kind: DatabaseKind) {
  // Parameters are written `?1`, `?2`, … as in SQLite; PostgreSQL uses `$1`.
  const made = new Map<string, string>();
  const text = (sql: string): string => (kind === 'sqlite' ? sql : sql.replaceAll('?', '$'));
  return {
    head: text(`select revision, policy_version, audit_seq, audit_hash from workspaces where id = ?1
      ${kind === 'postgres' ? 'for update' : ''}`),
    advanceFrom: text(`update workspaces set audit_seq = ?1, audit_hash = ?2
      where id = ?3 and audit_seq = ?4 and audit_hash = ?5 and revision = ?6`),
    advance: text('update workspaces set audit_seq = ?1, audit_hash = ?2 where id = ?3'),
    raise: text(`update workspaces set audit_seq = ?1, audit_hash = ?2, revision = revision + ?3,
      policy_version = policy_version + ?4 where id = ?5`),
    useApproval: text(`update approvals set status = 'used', execution_id = ?1
      where workspace_id = ?2 and id = ?3 and status = 'approved'`),
    closeIntent: text('delete from intents where workspace_id = ?1 and execution_id = ?2'),
    openIntent: text(`insert into intents (workspace_id, execution_id, tool, actor, started_at, instance_id)
      values (?1, ?2, ?3, ?4, ?5, ?6) on conflict do nothing`),
    startStep:
      text(`insert into run_steps (workspace_id, run_id, kind, number, tool, input_hash, execution_id, attempts,
        started_at, cleared, planned)
      select workspace_id, id, cast(?4 as text), cast(?5 as bigint), cast(?6 as text), cast(?7 as text), cast(?8 as text), 1,
        cast(?9 as text), 0, cast(?11 as bigint)
      from runs where workspace_id = ?1 and id = ?2 and lease = ?3 and status in (${held})
        and (cast(?10 as text) is null or exists (select 1 from run_steps
          where workspace_id = ?1 and run_id = ?2 and kind = ?4 and number = ?5 and execution_id = ?10))
      on conflict (workspace_id, run_id, kind, number) do update set execution_id = excluded.execution_id,
        attempts = run_steps.attempts + 1, cleared = 0
      where run_steps.answer is null and run_steps.execution_id = cast(?10 as text)`),
    answerStep: text(`update run_steps set answer = ?4, position = ?5, answered_at = ?6
      where workspace_id = ?1 and run_id = ?2 and kind = 'call' and number = ?7 and execution_id = ?8 and answer is null
      and exists (select 1 from runs where workspace_id = ?1 and id = ?2 and lease = ?3)`),
    wholeStep:
      text(`insert into run_steps (workspace_id, run_id, kind, number, tool, input_hash, execution_id, attempts,
        started_at, answer, position, answered_at, cleared)
      select workspace_id, id, cast(?4 as text), cast(?5 as bigint), cast(?6 as text), cast(?7 as text), cast(?8 as text), 1,
        cast(?9 as text), cast(?10 as text), cast(?11 as bigint), cast(?12 as text), 0
      from runs where workspace_id = ?1 and id = ?2 and lease = ?3 and status in (${held})
      on conflict (workspace_id, run_id, kind, number) do update set answer = excluded.answer,
        position = excluded.position, answered_at = excluded.answered_at, execution_id = excluded.execution_id
      where run_steps.answer is null`),
    usePlan: text(`insert into plan_uses (workspace_id, run_id, number, execution_id) values (?1, ?2, ?3, ?4)
      on conflict do nothing`),
    statement(sql: string): string {
      const known = made.get(sql) ?? text(sql);
      made.set(sql, known);
      return known;
    },
  };
}

type Texts = ReturnType<typeof createTexts>;

interface JournalParts {
  readonly texts: Texts;
  readonly seal: Seal;
  /** Only a guess: if a rolled-back transaction or another process made it stale, the next update detects that. */
  readonly knownHeads: Map<string, Head>;
}

export function createJournal(kind: DatabaseKind, seal: Seal): Journal {
  const parts: JournalParts = { texts: createTexts(kind), seal, knownHeads: new Map() };
  return {
    lock: (workspaceId) => lock(parts, workspaceId),
    append: (head, drafts, raise) => append(parts, head, drafts, raise),
    commit: (entries) => commit(parts, entries),
  };
}

function* lock({ texts }: JournalParts, workspaceId: string): Steps<Head | undefined> {
  const { rows } = yield { sql: texts.head, parameters: [workspaceId] };
  const row = rows[0];
  if (row === undefined) return undefined;
  return {
    workspaceId,
    revision: Number(row.revision),
    policyVersion: Number(row.policy_version),
    seq: Number(row.audit_seq),
    hash: String(row.audit_hash),
  };
}

function* append(
  { texts, seal }: JournalParts,
  head: Head,
  drafts: readonly AuditDraft[],
  raise: Raise = unchanged,
): Steps<void> {
  const addition = startAddition(head);
  chain(seal, addition, drafts);
  yield* insertRows(texts, addition);
  const { seq, hash, workspaceId } = head;
  yield { sql: texts.raise, parameters: [seq, hash, raise.revision, raise.policyVersion, workspaceId] };
}

function* commit(parts: JournalParts, entries: readonly JournalEntry[]): Steps<JournalOutcome[]> {
  const quick = yield* commitFromKnownHead(parts, entries);
  if (quick !== undefined) return quick;
  const { texts, seal, knownHeads } = parts;
  const additions = new Map<string, Addition>();
  for (const id of new Set(entries.map((entry) => entry.workspaceId).sort())) {
    const head = yield* lock(parts, id);
    if (head !== undefined) additions.set(id, startAddition(head));
  }
  const outcomes: JournalOutcome[] = [];
  for (const entry of entries) {
    const addition = additions.get(entry.workspaceId);
    const outcome = yield* guard(texts, entry, addition?.head);
    outcomes.push(outcome);
    if (outcome === 'committed' && addition !== undefined) chain(seal, addition, entry.events);
  }
  for (const addition of additions.values()) {
    if (addition.rows.length === 0) continue;
    const { head } = addition;
    yield* insertRows(texts, addition);
    yield { sql: texts.advance, parameters: [head.seq, head.hash, head.workspaceId] };
    knownHeads.set(head.workspaceId, head);
  }
  return outcomes;
}

/**
 * Entries of one workspace that only add rows need not read the head first: the head of the last commit is most likely
 * still current, and the update checks that. Undefined if it is not, or the entries are not that simple.
 */
function* commitFromKnownHead(
  { texts, seal, knownHeads }: JournalParts,
  entries: readonly JournalEntry[],
): Steps<JournalOutcome[] | undefined> {
  const known = knownHeads.get(entries[0]?.workspaceId ?? '');
  if (known === undefined || !entries.every((entry) => onlyAddsTo(known, entry))) return undefined;
  const addition = startAddition({ ...known });
  for (const entry of entries) chain(seal, addition, entry.events);
  const { head } = addition;
  const parameters = [head.seq, head.hash, known.workspaceId, known.seq, known.hash, known.revision];
  const { changes } = yield { sql: texts.advanceFrom, parameters };
  if (changes !== 1) return undefined;
  yield* insertRows(texts, addition);
  knownHeads.set(head.workspaceId, head);
  return entries.map(() => 'committed' as const);
}

/** Gives each draft its position and hash. */
function chain(seal: Seal, { head, rows }: Addition, drafts: readonly AuditDraft[]): void {
  for (const draft of drafts) {
    const row = fromDraft(head.workspaceId, head.seq + 1, draft);
    // The body as it will be read back; it is JSON, so it is the same before and after.
    head.hash = seal(head.hash, { seq: row.seq, ...draft, workspaceId: head.workspaceId, at: row.at }, row.body);
    head.seq = row.seq;
    row.hash = head.hash;
    rows.push(row);
  }
}

function onlyAddsTo(head: Head, entry: JournalEntry): boolean {
  return (
    entry.workspaceId === head.workspaceId &&
    (entry.revision === undefined || entry.revision === head.revision) &&
    onlyAdds(entry)
  );
}

/** Checks and applies everything an entry requires besides its events. A refused entry leaves nothing behind. */
function* guard(texts: Texts, entry: JournalEntry, head: Head | undefined): Steps<JournalOutcome> {
  // A missing workspace has no revision that could be the expected one.
  if (head === undefined) return 'stale_revision';
  if (entry.revision !== undefined && entry.revision !== head.revision) return 'stale_revision';
  const writes = guardedWrites(texts, entry);
  if (writes.length > 1) yield { sql: 'savepoint entry', parameters: [] };
  for (const { statement, refusal } of writes) {
    const { changes } = yield statement;
    if (changes === 1 || refusal === undefined) continue;
    if (writes.length > 1) yield { sql: 'rollback to savepoint entry', parameters: [] };
    return refusal;
  }
  if (writes.length > 1) yield { sql: 'release savepoint entry', parameters: [] };
  return 'committed';
}

interface GuardedWrite {
  readonly statement: Statement;
  /** The outcome of the entry if the statement changes no row. Undefined: the entry is written without it. */
  readonly refusal: JournalOutcome | undefined;
}

function guardedWrites(texts: Texts, entry: JournalEntry): GuardedWrite[] {
  const { workspaceId, useApproval, openIntent, closeIntent, step } = entry;
  const writes: GuardedWrite[] = step === undefined ? [] : stepWrites(texts, workspaceId, step);
  if (useApproval !== undefined) {
    const parameters = [useApproval.executionId, workspaceId, useApproval.approvalId];
    writes.push({ statement: { sql: texts.useApproval, parameters }, refusal: 'approval_unusable' });
  }
  if (closeIntent !== undefined) {
    const parameters = [workspaceId, closeIntent];
    writes.push({ statement: { sql: texts.closeIntent, parameters }, refusal: 'intent_missing' });
  }
  if (openIntent !== undefined) {
    const { executionId, tool, actor, startedAt, instanceId } = openIntent;
    const parameters = [workspaceId, executionId, tool, encodePrincipal(actor), encodeTime(startedAt), instanceId];
    // An execution that is already open cannot be opened again: the entry then fails for want of an intent of its own.
    writes.push({ statement: { sql: texts.openIntent, parameters }, refusal: 'intent_missing' });
  }
  return writes;
}

function stepWrites(texts: Texts, workspaceId: string, step: StepWrite): GuardedWrite[] {
  const { runId, lease, kind, number, executionId } = step;
  const at = encodeTime(step.at);
  const run = [workspaceId, runId, lease];
  if (step.write === 'answer') {
    const parameters = [...run, step.answer, step.position, at, number, executionId];
    return [{ statement: { sql: texts.answerStep, parameters }, refusal: undefined }];
  }
  const call = [...run, kind, number, step.tool, step.inputHash, executionId];
  if (step.write === 'whole') {
    const parameters = [...call, encodeTime(step.startedAt), step.answer, step.position, at];
    return [{ statement: { sql: texts.wholeStep, parameters }, refusal: 'run_lost' }];
  }
  const parameters = [...call, at, step.replaces ?? null, step.planned?.number ?? null];
  const start: GuardedWrite = { statement: { sql: texts.startStep, parameters }, refusal: 'run_lost' };
  if (step.planned === undefined) return [start];
  const use = [workspaceId, step.planned.runId, step.planned.number, executionId];
  return [start, { statement: { sql: texts.usePlan, parameters: use }, refusal: 'run_lost' }];
}

/** The rows that one transaction adds to one chain. */
interface Addition {
  readonly head: Head;
  readonly rows: AuditEventRow[];
}

function startAddition(head: Head): Addition {
  return { head, rows: [] };
}

function* insertRows(texts: Texts, { rows }: Addition): Steps<void> {
  for (const { sql, parameters } of insertStatements(rows)) yield { sql: texts.statement(sql), parameters };
}

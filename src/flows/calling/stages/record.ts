/**
 * The audit record of a call. A tool that has effects or leaves this machine has its start on disk before it runs,
 * together with the open intent and the used approval; for any other tool both rows are in one commit before the caller
 * gets the answer. Either commit fails if the configuration changed since the call was authorised.
 */
import type { AuditedCall, JournalEntry, StepWrite } from '../../../domain/audit.js';
import { HelveError, toHelveError } from '../../../domain/errors.js';
import type { CallInRun } from '../../../domain/execution.js';
import type { StageEnds } from '../../../domain/stages.js';
import { accountFacts } from '../../../util/acting-account.js';
import { defined } from '../../../util/defined.js';
import { outputJson } from '../../../util/json-text.js';
import { type MeantCall, type Outcome, type Refusal, refusal } from '../calls.js';
import { recordName } from '../meant-tool.js';
import type { PipelineParts } from '../parts.js';
import { interrupted } from '../settle.js';
import { readMeaning } from './approve.js';
import { type AuthorisedCall, type AuthorisedFacts, factsOf } from './authorise.js';
import { findBudget, tooLong } from './format.js';

/** `stale`: the configuration changed meanwhile, and the call must be authorised again. Nothing was written. */
export type Recorded = 'recorded' | 'stale' | Refusal;

interface CallRecord {
  readonly call: AuthorisedCall;
  readonly approvalId: string | undefined;
  readonly startedAt: Date;
  /** How often the tool has run. */
  readonly runs: number;
  /** When the stages ended until now. */
  readonly stages: StageEnds;
}

export async function recordStart(record: CallRecord, parts: PipelineParts): Promise<Recorded> {
  const facts = factsOf(record.call);
  const { target, executionId, request } = facts;
  const at = record.startedAt.toISOString();
  // If its answer is lost, a later attempt must find the same.
  const mayRepeat = request.run !== undefined && target.tool.hasEffects;
  const meaning = mayRepeat ? ((await readMeaning(facts, parts)) ?? null) : undefined;
  return commit(record, parts, {
    events: [parts.events.started({ meaning, ...audited(record.call) }, facts.rule, at, record.approvalId)],
    openIntent: {
      executionId,
      instanceId: parts.instanceId,
      tool: recordName(facts.target),
      actor: { kind: request.principal.kind, id: request.principal.id, name: request.principal.name },
      startedAt: at,
    },
    label: target.name,
    step: startStep(facts, at),
  });
}

/** A call with effects is finished regardless of later changes. */
export async function recordFinish(record: CallRecord, outcome: Outcome, parts: PipelineParts): Promise<void> {
  await close(record, outcome, parts);
}

/** The finish of a read: `stale` if its caller may no longer have the right to the answer; then nothing is written. */
export function recordAnswer(
  record: CallRecord,
  outcome: Outcome,
  parts: PipelineParts,
): Promise<'recorded' | 'stale'> {
  return close(record, outcome, parts, factsOf(record.call).configuration.revision);
}

async function close(
  record: CallRecord,
  outcome: Outcome,
  parts: PipelineParts,
  revision?: number,
): Promise<'recorded' | 'stale'> {
  const { call } = record;
  const { request, executionId } = factsOf(call);
  const step = answerStep(factsOf(call), outcome, parts.now().toISOString());
  const end = {
    workspaceId: request.principal.workspaceId,
    events: [finished(audited(call), { record, outcome }, parts)],
    closeIntent: executionId,
  };
  try {
    const answer = await parts.journal.append({ revision, step, ...end });
    if (answer === 'committed') {
      if (step) request.run?.onRecorded(step);
      return 'recorded';
    }
    if (answer === 'stale_revision') return 'stale';
  } catch (cause) {
    parts.keepEntry(end);
    throw unknownOutcome(executionId, cause);
  }
  // Another process considered this one dead and settled the call as interrupted: that row remains in the record.
  throw unknownOutcome(executionId);
}

/** Not retryable: the effect may have happened, and only its record is missing. */
function unknownOutcome(executionId: string, cause?: unknown): HelveError {
  return new HelveError(
    'outcome_unknown',
    `The tool ran, but the outcome of execution ${executionId} could not be recorded`,
    {
      hint: 'Do not repeat the call; check whether its effect happened.',
      cause,
    },
  );
}

/** Records start and finish of a call without effects that stays on this machine, in one commit. */
export async function recordWhole(record: CallRecord, outcome: Outcome, parts: PipelineParts): Promise<Recorded> {
  const facts = factsOf(record.call);
  const call = audited(record.call);
  const start = parts.events.started(call, facts.rule, record.startedAt.toISOString(), record.approvalId);
  const events = [start, finished(call, { record, outcome }, parts)];
  const step = wholeStep(facts, outcome, { startedAt: record.startedAt, now: parts.now() });
  const recorded = await commit(record, parts, { events, label: facts.target.name, step });
  if (step && recorded === 'recorded') facts.request.run?.onRecorded(step);
  return recorded;
}

function startStep(facts: AuthorisedFacts, at: string): StepWrite | undefined {
  const { run } = facts.request;
  if (run === undefined) return undefined;
  return {
    ...place(facts, run),
    write: 'start',
    at,
    tool: facts.target.name,
    inputHash: run.argumentsHash,
    ...defined({ replaces: run.replaces, planned: run.replaces === undefined ? run.planned : undefined }),
  };
}

/** An answer that leaves the effect in doubt is not delivered to the program. */
function answerStep(facts: AuthorisedFacts, outcome: Outcome, at: string) {
  const { run } = facts.request;
  if (run === undefined || (!outcome.ok && outcome.error.code === 'outcome_unknown')) return undefined;
  const position = run.nextPosition();
  return { ...place(facts, run), write: 'answer', at, position, answer: writeAnswer(facts, run, outcome) } as const;
}

function wholeStep(facts: AuthorisedFacts, outcome: Outcome, { startedAt, now }: { startedAt: Date; now: Date }) {
  const { run } = facts.request;
  if (run === undefined) return undefined;
  return {
    ...place(facts, run),
    write: 'whole',
    at: now.toISOString(),
    startedAt: startedAt.toISOString(),
    tool: facts.target.name,
    inputHash: run.argumentsHash,
    position: run.nextPosition(),
    answer: writeAnswer(facts, run, outcome),
  } as const;
}

const place = ({ executionId }: AuthorisedFacts, { runId, lease, number }: CallInRun) =>
  ({ runId, lease, number, executionId, kind: 'call' }) as const;

function writeAnswer({ target, executionId }: AuthorisedFacts, run: CallInRun, outcome: Outcome): string {
  if (!outcome.ok) return JSON.stringify({ ok: false, error: outcome.error });
  const json = outputJson(outcome.output, outcome.text);
  if (json.length <= run.maxAnswerChars || target.tool.intrinsic) return `{"ok":true,"output":${json}}`;
  const long = { characters: json.length, isLoop: run.isLoop };
  return JSON.stringify({ ok: false, error: tooLong(target.name, executionId, long).toJSON() });
}

/** Throws only if the record cannot be written: then the caller must not get any other answer. */
export async function recordRefusal(call: AuditedCall, no: Refusal, parts: PipelineParts): Promise<void> {
  await parts.journal.append({
    workspaceId: call.principal.workspaceId,
    events: [parts.events.refused(call, no, parts.now().toISOString())],
  });
}

async function commit(
  record: CallRecord,
  parts: PipelineParts,
  entry: Pick<JournalEntry, 'events' | 'openIntent' | 'step'> & { label: string },
): Promise<Recorded> {
  const { request, executionId, configuration } = factsOf(record.call);
  const { label, events, openIntent, step } = entry;
  const { approvalId } = record;
  try {
    const outcome = await parts.journal.append({
      workspaceId: request.principal.workspaceId,
      events,
      openIntent,
      step,
      revision: configuration.revision,
      useApproval: approvalId === undefined ? undefined : { approvalId, executionId },
    });
    if (outcome === 'committed') return 'recorded';
    if (outcome === 'stale_revision') return 'stale';
    if (outcome === 'run_lost') return runLost();
    return refusal(
      'approval.used',
      new HelveError('approval_required', `${label}: the approval has already been used`, {
        hint: 'Each approval is valid for one call. Make the call again to request another.',
      }),
    );
  } catch (error) {
    // The store may have written it although its answer was lost.
    const { workspaceId } = request.principal;
    if (openIntent !== undefined) parts.keepEntry(interrupted({ ...openIntent, workspaceId }, parts.now(), neverRan));
    return refusal('record.failed', toHelveError(error, 'storage_failed'));
  }
}

const neverRan = 'The store did not say whether it had recorded the start of this call, so the tool did not run.';

const runLost = (): Refusal =>
  refusal('run.lost', new HelveError('conflict', 'Another process has taken the run over, or it was cancelled'));

function finished(
  call: AuditedCall,
  { record, outcome }: { readonly record: CallRecord; readonly outcome: Outcome },
  parts: PipelineParts,
) {
  const now = parts.now();
  const { runs, stages, startedAt } = record;
  const { request, target } = factsOf(record.call);
  const { requests } = outcome;
  const durationMs = now.getTime() - startedAt.getTime();
  if (!outcome.ok)
    return parts.events.finished(call, { durationMs, runs, stages, requests, error: outcome.error }, now.toISOString());
  const { output, text } = outcome;
  const characters = text.length;
  // How much of the result is kept behind a handle.
  const kept = !target.tool.intrinsic && characters > findBudget(request, parts) ? characters : undefined;
  const { outputSchema } = target.tool;
  return parts.events.finished(
    call,
    { durationMs, runs, stages, requests, characters, kept, output, outputSchema },
    now.toISOString(),
  );
}

/** How a call came, and its intent. */
export function provenance({
  through,
  door,
  intent,
  run,
}: MeantCall): Pick<AuditedCall, 'through' | 'door' | 'intent' | 'run'> {
  return { through, door, intent, run: run && { runId: run.runId, number: run.number } };
}

/** Most tools act with no account, and there can be very many. */
function getAccount({ connections }: AuthorisedFacts['configuration'], connectionId: string | undefined) {
  return connectionId === undefined ? {} : accountFacts(connections.find(({ id }) => id === connectionId));
}

function audited(call: AuthorisedCall): AuditedCall {
  const { executionId, request, target, input, inputHash, configuration } = factsOf(call);
  const { through, door, intent, run } = provenance(request);
  return {
    executionId,
    principal: request.principal,
    tool: recordName(target),
    input,
    inputHash,
    inputSchema: target.tool.inputSchema,
    risk: target.tool.risk,
    through,
    door,
    intent,
    run,
    connectionId: target.connectionId,
    account: getAccount(configuration, target.connectionId),
  };
}

/**
 * The audit record of a call. A tool that has effects or leaves this machine has its start on disk before it runs,
 * together with the open intent and the used approval; for any other tool both rows are in one commit before the caller
 * gets the answer. Either commit fails if the configuration changed since the call was authorised.
 */
import type { AuditedCall } from '../../../domain/audit.js';
import { HelveError, toHelveError } from '../../../domain/errors.js';
import { accountFacts } from '../../../util/acting-account.js';
import { defined } from '../../../util/defined.js';
import { type MeantCall, type Outcome, type Refusal, refusal } from '../calls.js';
import { recordName } from '../meant-tool.js';
import type { PipelineParts } from '../parts.js';
import { type AuthorisedCall, factsOf } from './authorise.js';

/** `stale`: the configuration changed meanwhile, and the call must be authorised again. Nothing was written. */
export type Recorded = 'recorded' | 'stale' | Refusal;

interface CallRecord {
  readonly call: AuthorisedCall;
  readonly approvalId: string | undefined;
  readonly startedAt: Date;
  /** How often the tool has run. */
  readonly runs: number;
}

export function recordStart(record: CallRecord, parts: PipelineParts): Promise<Recorded> {
  const facts = factsOf(record.call);
  const { target, executionId, request } = facts;
  const at = record.startedAt.toISOString();
  return commit(record, parts, {
    events: [parts.events.started(audited(record.call), facts.rule, at, record.approvalId)],
    openIntent: {
      executionId,
      instanceId: parts.instanceId,
      tool: recordName(facts.target),
      actor: { kind: request.principal.kind, id: request.principal.id, name: request.principal.name },
      startedAt: at,
    },
    label: target.name,
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
  const entry = {
    workspaceId: request.principal.workspaceId,
    events: [finished(audited(call), record, outcome, parts)],
    closeIntent: executionId,
    ...defined({ revision }),
  };
  try {
    const answer = await parts.journal.append(entry);
    if (answer === 'committed') return 'recorded';
    if (answer === 'stale_revision') return 'stale';
  } catch (cause) {
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
export function recordWhole(record: CallRecord, outcome: Outcome, parts: PipelineParts): Promise<Recorded> {
  const facts = factsOf(record.call);
  const call = audited(record.call);
  const start = parts.events.started(call, facts.rule, record.startedAt.toISOString(), record.approvalId);
  const events = [start, finished(call, record, outcome, parts)];
  return commit(record, parts, { events, label: facts.target.name });
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
  entry: Pick<Parameters<PipelineParts['journal']['append']>[0], 'events' | 'openIntent'> & { label: string },
): Promise<Recorded> {
  const { request, executionId, configuration } = factsOf(record.call);
  const { label, ...rows } = entry;
  try {
    const outcome = await parts.journal.append({
      workspaceId: request.principal.workspaceId,
      ...rows,
      revision: configuration.revision,
      ...(record.approvalId === undefined ? {} : { useApproval: { approvalId: record.approvalId, executionId } }),
    });
    if (outcome === 'committed') return 'recorded';
    if (outcome === 'stale_revision') return 'stale';
    return refusal(
      'approval.used',
      new HelveError('approval_required', `${label}: the approval has already been used`, {
        hint: 'Each approval is valid for one call. Make the call again to request another.',
      }),
    );
  } catch (error) {
    return refusal('record.failed', toHelveError(error, 'storage_failed'));
  }
}

function finished(call: AuditedCall, record: CallRecord, outcome: Outcome, parts: PipelineParts) {
  const now = parts.now();
  const schema = factsOf(record.call).target.tool.outputSchema;
  const durationMs = now.getTime() - record.startedAt.getTime();
  const facts = {
    durationMs,
    runs: record.runs,
    ...defined({ requests: outcome.requests }),
  };
  return parts.events.finished(
    call,
    outcome.ok
      ? { ...facts, output: outcome.output, ...defined({ outputSchema: schema }) }
      : { ...facts, error: outcome.error },
    now.toISOString(),
  );
}

/** How a call came, and its intent. */
export function provenance({ through, intent }: MeantCall): Pick<AuditedCall, 'through' | 'intent'> {
  return { ...defined({ through, intent }) };
}

function audited(call: AuthorisedCall): AuditedCall {
  const { executionId, request, target, input, inputHash, configuration } = factsOf(call);
  return {
    executionId,
    principal: request.principal,
    tool: recordName(target),
    input,
    inputHash,
    inputSchema: target.tool.inputSchema,
    ...provenance(request),
    ...defined({ connectionId: target.connectionId }),
    account: accountFacts(configuration.connections.find(({ id }) => id === target.connectionId)),
  };
}

/** The audit rows of a call: built here so that calls from every surface have the same rows. */
import type { AuditDraft, AuditedCall } from '../domain/audit.js';
import type { ErrorBody, HelveError } from '../domain/errors.js';
import type { JsonObject, JsonSchema, JsonValue } from '../domain/json.js';
import type { PrincipalRef } from '../domain/principal.js';
import type { StageEnds } from '../domain/stages.js';
import { redact, redactText } from './redact.js';

export interface OutcomeFacts {
  readonly durationMs: number;
  /** How often the tool ran. */
  readonly runs: number;
  readonly stages?: StageEnds;
  /** How many requests were sent to the account's service, including retries. */
  readonly requests?: number | undefined;
  /** Characters of the result, and how many of them were kept behind a handle instead of being sent. */
  readonly characters?: number | undefined;
  readonly kept?: number | undefined;
  /** Set when the call succeeded. */
  readonly output?: JsonValue;
  readonly outputSchema?: JsonSchema | undefined;
  readonly error?: ErrorBody;
}

/** What a row says, while it is made. */
type Body = Record<string, JsonValue>;

/** Why a call was refused. `rule` names what refused it; `runs`: how often the tool had run (default 0). */
export interface RefusedFacts extends Pick<OutcomeFacts, 'stages'> {
  readonly rule: string;
  readonly error: HelveError;
  readonly runs?: number;
}

/** Creates the row for the start of a call, with redacted input. `at`: ISO 8601, UTC. */
export function startedEvent(call: AuditedCall, rule: string, at: string, approvalId?: string): AuditDraft {
  const body: Body = { rule, input: redact(call.input, call.inputSchema), inputHash: call.inputHash };
  addProvenance(body, call);
  addAccount(body, call);
  if (approvalId !== undefined) body.approvalId = approvalId;
  if (call.meaning !== undefined) body.meaning = call.meaning;
  return draftOf('execution.started', call, { at, body });
}

/** Creates the row for the end of a call that ran, with redacted output or error. `at`: ISO 8601, UTC. */
export function finishedEvent(call: AuditedCall, outcome: OutcomeFacts, at: string): AuditDraft {
  const { durationMs, runs, stages, requests, characters, kept, error, output = null, outputSchema } = outcome;
  const body: Body = { status: error ? 'failed' : 'ok', durationMs, runs };
  if (stages !== undefined) body.stages = stages;
  if (requests !== undefined) body.requests = requests;
  if (characters !== undefined) body.characters = characters;
  if (kept !== undefined) body.kept = kept;
  if (error) body.error = redactError(error);
  else body.output = redact(output, outputSchema);
  addAccount(body, call);
  return draftOf('execution.finished', call, { at, body });
}

/** Creates the row for a refused call. */
export function refusedEvent(
  call: AuditedCall,
  { rule, error, runs = 0, stages }: RefusedFacts,
  at: string,
): AuditDraft {
  const body: Body = { rule };
  if (runs !== 0) body.runs = runs;
  if (stages !== undefined) body.stages = stages;
  body.error = redactError(error.toJSON());
  body.input = redact(call.input, call.inputSchema);
  body.inputHash = call.inputHash;
  const { approvalId } = error.details ?? {};
  if (typeof approvalId === 'string') body.approvalId = approvalId;
  addProvenance(body, call);
  addAccount(body, call);
  return draftOf('execution.refused', call, { at, body });
}

function addAccount(body: Body, { connectionId, account }: AuditedCall): void {
  if (connectionId === undefined) return;
  body.connectionId = connectionId;
  Object.assign(body, account);
}

const maxIntent = 500;

// Each call has these rows: members that are set one after the other cost a small part of what spread literals do.
function addProvenance(body: Body, { through, door, risk, intent, run }: AuditedCall): void {
  if (through !== undefined) body.through = through;
  if (door !== undefined) body.door = door;
  if (risk !== undefined) body.risk = risk;
  if (run !== undefined) {
    body.runId = run.runId;
    body.number = run.number;
  }
  if (intent !== undefined) body.intent = redactText(intent.slice(0, maxIntent));
}

function draftOf(
  type: AuditDraft['type'],
  { principal, executionId, tool }: AuditedCall,
  { at, body }: Pick<AuditDraft, 'at'> & { readonly body: JsonObject },
): AuditDraft {
  const actor = principalRef(principal);
  const { onBehalfOf } = principal;
  return onBehalfOf === undefined
    ? { type, at, actor, executionId, tool, body }
    : { type, at, actor, onBehalfOf, executionId, tool, body };
}

/** Returns only the kind, id and name of a principal. */
export function principalRef(principal: PrincipalRef): PrincipalRef {
  return { kind: principal.kind, id: principal.id, name: principal.name };
}

function redactError(error: ErrorBody): JsonObject {
  return { code: error.code, message: redactText(error.message) };
}

/** The audit rows of a call: built here so that calls from every surface have the same rows. */
import type { AuditDraft, AuditedCall } from '../domain/audit.js';
import type { ErrorBody, HelveError } from '../domain/errors.js';
import type { JsonObject, JsonSchema, JsonValue } from '../domain/json.js';
import type { PrincipalRef } from '../domain/principal.js';
import type { StageEnds } from '../domain/stages.js';
import { defined } from '../util/defined.js';
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

/** Why a call was refused. `rule` names what refused it; `runs`: how often the tool had run (default 0). */
export interface RefusedFacts extends Pick<OutcomeFacts, 'stages'> {
  readonly rule: string;
  readonly error: HelveError;
  readonly runs?: number;
}

/** Creates the row for the start of a call, with redacted input. `at`: ISO 8601, UTC. */
export function startedEvent(call: AuditedCall, rule: string, at: string, approvalId?: string): AuditDraft {
  return {
    type: 'execution.started',
    ...common(call, at),
    body: {
      rule,
      input: redact(call.input, call.inputSchema),
      inputHash: call.inputHash,
      ...provenance(call),
      ...getAccount(call),
      ...defined({ approvalId }),
    },
  };
}

/** Creates the row for the end of a call that ran, with redacted output or error. `at`: ISO 8601, UTC. */
export function finishedEvent(call: AuditedCall, outcome: OutcomeFacts, at: string): AuditDraft {
  const { durationMs, runs, stages, requests, characters, kept, error, output = null, outputSchema } = outcome;
  const facts = defined({ stages, requests, characters, kept });
  const body: JsonObject = error
    ? { status: 'failed', durationMs, runs, ...facts, error: redactError(error), ...getAccount(call) }
    : { status: 'ok', durationMs, runs, ...facts, output: redact(output, outputSchema), ...getAccount(call) };
  return { type: 'execution.finished', ...common(call, at), body };
}

/** Creates the row for a refused call. */
export function refusedEvent(
  call: AuditedCall,
  { rule, error, runs = 0, stages }: RefusedFacts,
  at: string,
): AuditDraft {
  return {
    type: 'execution.refused',
    ...common(call, at),
    body: {
      rule,
      ...(runs === 0 ? {} : { runs }),
      ...defined({ stages }),
      error: redactError(error.toJSON()),
      input: redact(call.input, call.inputSchema),
      inputHash: call.inputHash,
      ...provenance(call),
      ...getAccount(call),
    },
  };
}

function getAccount({ connectionId, account }: AuditedCall): JsonObject {
  return connectionId === undefined ? {} : { connectionId, ...account };
}

const maxIntent = 500;

function provenance({ through, door, risk, intent, run }: AuditedCall): JsonObject {
  return {
    ...defined({ through, door, risk }),
    ...(run === undefined ? {} : { runId: run.runId, number: run.number }),
    ...(intent === undefined ? {} : { intent: redactText(intent.slice(0, maxIntent)) }),
  };
}

function common(
  call: AuditedCall,
  at: string,
): Pick<AuditDraft, 'at' | 'actor' | 'onBehalfOf' | 'executionId' | 'tool'> {
  const { principal } = call;
  return {
    at,
    actor: principalRef(principal),
    ...defined({ onBehalfOf: principal.onBehalfOf }),
    executionId: call.executionId,
    tool: call.tool,
  };
}

/** Returns only the kind, id and name of a principal. */
export function principalRef(principal: PrincipalRef): PrincipalRef {
  return { kind: principal.kind, id: principal.id, name: principal.name };
}

function redactError(error: ErrorBody): JsonObject {
  return { code: error.code, message: redactText(error.message) };
}

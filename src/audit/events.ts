/** The rows that a call leaves: built here so that every door's calls read alike. */
import type { AuditDraft, AuditedCall } from '../spec/audit.js';
import type { ErrorBody } from '../spec/errors.js';
import type { JsonObject, JsonSchema, JsonValue } from '../spec/json.js';
import type { PrincipalRef } from '../spec/principal.js';
import { redact, redactText } from './redact.js';

export interface OutcomeFacts {
  readonly durationMs: number;
  /** Set when the call succeeded. */
  readonly output?: JsonValue;
  readonly outputSchema?: JsonSchema;
  readonly error?: ErrorBody;
}

export function startedEvent(call: AuditedCall, rule: string, at: string, approvalId?: string): AuditDraft {
  return {
    type: 'execution.started',
    ...common(call, at),
    body: {
      rule,
      input: redact(call.input, call.inputSchema),
      inputHash: call.inputHash,
      ...provenance(call),
      ...accountOf(call),
      ...(approvalId === undefined ? {} : { approvalId }),
    },
  };
}

export function finishedEvent(call: AuditedCall, outcome: OutcomeFacts, at: string): AuditDraft {
  const body: JsonObject = outcome.error
    ? { status: 'failed', durationMs: outcome.durationMs, error: redactError(outcome.error) }
    : {
        status: 'ok',
        durationMs: outcome.durationMs,
        output: redact(outcome.output ?? null, outcome.outputSchema),
      };
  return { type: 'execution.finished', ...common(call, at), body: { ...body, ...accountOf(call) } };
}

export function refusedEvent(call: AuditedCall, rule: string, error: ErrorBody, at: string): AuditDraft {
  return {
    type: 'execution.refused',
    ...common(call, at),
    body: {
      ...{ rule, error: redactError(error), input: redact(call.input, call.inputSchema), inputHash: call.inputHash },
      ...provenance(call),
      ...accountOf(call),
    },
  };
}

function accountOf({ connectionId, account }: AuditedCall): JsonObject {
  return connectionId === undefined ? {} : { connectionId, ...account };
}

const mostIntent = 500;

function provenance({ through, intent }: AuditedCall): JsonObject {
  return {
    ...(through === undefined ? {} : { through }),
    ...(intent === undefined ? {} : { intent: redactText(intent.slice(0, mostIntent)) }),
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
    ...(principal.onBehalfOf === undefined ? {} : { onBehalfOf: principal.onBehalfOf }),
    executionId: call.executionId,
    tool: call.tool,
  };
}

export function principalRef(principal: PrincipalRef): PrincipalRef {
  return { kind: principal.kind, id: principal.id, name: principal.name };
}

function redactError(error: ErrorBody): JsonObject {
  return { code: error.code, message: redactText(error.message) };
}

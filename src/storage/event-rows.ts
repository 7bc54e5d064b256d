/**
 * Audit events as rows. The seal is computed from the row that will be stored, by the same function that reads it back,
 * so that verification recomputes the hash from exactly what was sealed.
 */
import type { AuditDraft, AuditEvent } from '../domain/audit.js';
import type { PrincipalRef } from '../domain/principal.js';
import { decodeJson, encodeJson, encodePrincipal, encodeTime } from './codec.js';
import type { AuditEventRow } from './schema.js';

type UnsealedRow = Omit<AuditEventRow, 'hash'>;

/** All columns except the hash, which is computed from these. */
export function fromDraft(workspaceId: string, seq: number, draft: AuditDraft): AuditEventRow {
  return {
    workspace_id: workspaceId,
    seq,
    at: encodeTime(draft.at),
    type: draft.type,
    execution_id: draft.executionId ?? null,
    tool: draft.tool ?? null,
    actor_kind: draft.actor.kind,
    actor_id: draft.actor.id,
    actor_name: draft.actor.name,
    on_behalf_of: draft.onBehalfOf === undefined ? null : encodePrincipal(draft.onBehalfOf),
    body: encodeJson(draft.body),
    hash: '',
  };
}

function toSealable(row: UnsealedRow): Omit<AuditEvent, 'hash'> {
  return {
    workspaceId: row.workspace_id,
    seq: row.seq,
    at: row.at,
    type: row.type,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    ...(row.on_behalf_of === null ? {} : { onBehalfOf: decodeJson<PrincipalRef>(row.on_behalf_of) }),
    ...(row.execution_id === null ? {} : { executionId: row.execution_id }),
    ...(row.tool === null ? {} : { tool: row.tool }),
    body: decodeJson<AuditEvent['body']>(row.body),
  };
}

export function toEvent(row: AuditEventRow): AuditEvent {
  return { ...toSealable(row), hash: row.hash };
}

/**
 * Audit events as rows. The seal is computed from the row that will be stored, by the same function that reads it back,
 * so that verification recomputes the hash from exactly what was sealed.
 */
import type { AuditDraft, AuditEvent } from '../domain/audit.js';
import type { JsonObject } from '../domain/json.js';
import type { PrincipalRef } from '../domain/principal.js';
import { isPlainObject } from '../util/canonical.js';
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
    ...(row.on_behalf_of === null ? {} : { onBehalfOf: readPrincipal(row.on_behalf_of) }),
    ...(row.execution_id === null ? {} : { executionId: row.execution_id }),
    ...(row.tool === null ? {} : { tool: row.tool }),
    body: readObject(row.body) ?? { unreadable: String(row.body) },
  };
}

/**
 * Undefined for what Helve has not written. A row that somebody changed in the store must not keep people from reading the
 * others, and the check of the chain names it.
 */
function readObject(text: string): JsonObject | undefined {
  try {
    const value = decodeJson<unknown>(text);
    return isPlainObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function readPrincipal(text: string): PrincipalRef {
  const { kind, id, name } = readObject(text) ?? {};
  if (typeof id === 'string' && typeof name === 'string') return { kind: kind as PrincipalRef['kind'], id, name };
  return { kind: 'user', id: '', name: String(text) };
}

export function toEvent(row: AuditEventRow): AuditEvent {
  return { ...toSealable(row), hash: row.hash };
}

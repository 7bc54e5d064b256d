/** A row of the record for an act of the plane: by whom, for whom, when. */
import { principalRef } from '../audit/index.js';
import type { AuditDraft, AuditEventType } from '../spec/audit.js';
import type { JsonObject } from '../spec/json.js';
import type { Principal } from '../spec/principal.js';

export function draft(type: AuditEventType, by: Principal, at: Date, body: JsonObject): AuditDraft {
  return {
    type,
    at: at.toISOString(),
    actor: principalRef(by),
    ...(by.onBehalfOf === undefined ? {} : { onBehalfOf: by.onBehalfOf }),
    body,
  };
}

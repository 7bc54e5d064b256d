/** Creates an audit row for an operation of the plane: by whom, for whom, when. */
import { principalRef } from '../../audit/index.js';
import type { AuditDraft, AuditEventType } from '../../domain/audit.js';
import type { JsonObject } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import { defined } from '../../util/defined.js';

export function draft(type: AuditEventType, by: Principal, at: Date, body: JsonObject): AuditDraft {
  return {
    type,
    at: at.toISOString(),
    actor: principalRef(by),
    ...defined({ onBehalfOf: by.onBehalfOf }),
    body,
  };
}

/** A row of the record about a run. What programs and people wrote is redacted, as in the rows of calls. */
import { redact } from '../../audit/index.js';
import type { AuditDraft, AuditEventType } from '../../domain/audit.js';
import type { JsonObject } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import { draft } from '../workspaces/index.js';

type RunEventType = Extract<AuditEventType, `run.${string}`>;

interface Doing {
  readonly by: Principal;
  readonly at: Date;
}

export function draftRow(type: RunEventType, { by, at }: Doing, body: JsonObject): AuditDraft {
  return draft(type, by, at, redact(body) as JsonObject);
}

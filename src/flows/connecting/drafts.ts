/** Audit rows about accounts: which, whose, in what state; never their credentials. */
import type { AuditDraft, AuditEventType } from '../../domain/audit.js';
import type { Connection } from '../../domain/connection.js';
import type { JsonObject } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import { draft } from '../workspaces/index.js';

export function connectionDraft(
  type: AuditEventType,
  by: Principal,
  connection: Connection,
  at: Date,
  more: JsonObject = {},
): AuditDraft {
  const { id, toolkit, name, slug, status, visibility, account } = connection;
  return draft(type, by, at, {
    connectionId: id,
    toolkit,
    name,
    slug,
    status,
    visibility,
    ...(account === undefined ? {} : { account: { ...account } }),
    ...more,
  });
}

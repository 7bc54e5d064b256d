/** What the record says of accounts: which, whose, in what state; never what they sign in with. */
import { principalRef } from '../../audit/index.js';
import type { AuditDraft, AuditEventType } from '../../spec/audit.js';
import type { Connection } from '../../spec/connection.js';
import type { JsonObject } from '../../spec/json.js';
import type { Principal } from '../../spec/principal.js';

export function connectionDraft(
  type: AuditEventType,
  by: Principal,
  connection: Connection,
  at: Date,
  more: JsonObject = {},
): AuditDraft {
  const { id, toolkit, name, slug, status, visibility, account } = connection;
  return {
    type,
    at: at.toISOString(),
    actor: principalRef(by),
    ...(by.onBehalfOf === undefined ? {} : { onBehalfOf: by.onBehalfOf }),
    body: {
      ...{ connectionId: id, toolkit, name, slug, status, visibility },
      ...(account === undefined ? {} : { account: { ...account } }),
      ...more,
    },
  };
}

/**
 * Adds rows to the record of one workspace by one statement of PostgreSQL. All processes on the store wait for the same
 * head: a transaction of several statements would hold it while this process is busy with other calls.
 */
import type { AuditDraft, JournalEntry, JournalOutcome } from '../domain/audit.js';
import { sealedSubject } from '../domain/chain.js';
import { encodeJson, encodePrincipal, encodeTime, escapeText } from './codec.js';
import { type Engine, readNow } from './engine.js';

const text = 'select append_to_record($1, $2, $3) as revision';

/** Whether the entries only add rows, to one record, on a store that can do it at once. */
export function canAppendAtOnce(engine: Engine, entries: readonly JournalEntry[]): boolean {
  if (engine.kind !== 'postgres') return false;
  const workspaceId = entries[0]?.workspaceId;
  return entries.every((entry) => entry.workspaceId === workspaceId && onlyAdds(entry));
}

/** Whether an entry changes nothing but the record. */
export function onlyAdds({ useApproval, closeIntent, openIntent, step }: JournalEntry): boolean {
  return useApproval === undefined && closeIntent === undefined && openIntent === undefined && step === undefined;
}

/** Returns one outcome per entry, in order. Throws `storage_failed`; then no entry was written. */
export async function appendAtOnce(engine: Engine, entries: readonly JournalEntry[]): Promise<JournalOutcome[]> {
  const workspaceId = entries[0]?.workspaceId ?? '';
  const rows = entries.flatMap(({ revision, events }) => events.map((event) => toRow(event, revision)));
  const parameters = [workspaceId, JSON.stringify(workspaceId), JSON.stringify(rows)];
  const [answer] = await readNow(engine.db, { sql: text, parameters });
  const current = answer?.revision;
  return entries.map(({ revision }) =>
    typeof current === 'number' && (revision === undefined || revision === current) ? 'committed' : 'stale_revision',
  );
}

function toRow(draft: AuditDraft, expected: number | undefined) {
  const at = encodeTime(draft.at);
  return {
    expected,
    at,
    type: draft.type,
    execution_id: column(draft.executionId),
    tool: column(draft.tool),
    actor_kind: draft.actor.kind,
    actor_id: escapeText(draft.actor.id),
    actor_name: escapeText(draft.actor.name),
    on_behalf_of: draft.onBehalfOf && encodePrincipal(draft.onBehalfOf),
    subject: sealedSubject({ ...draft, at }),
    body: encodeJson(draft.body),
  };
}

/** The rows are JSON, whose strings the driver does not see. */
function column(value: string | undefined): string | undefined {
  return value === undefined ? undefined : escapeText(value);
}

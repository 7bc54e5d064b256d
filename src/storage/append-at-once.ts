/**
 * Adds rows to the record of one workspace by one statement of PostgreSQL, and opens and closes the intents of calls in it. All
 * processes on the store wait for the same head: a transaction of several statements would hold it while this process is busy with
 * other calls, and each statement is a round trip that the caller waits for.
 */
import type { AuditDraft, JournalEntry, JournalOutcome } from '../domain/audit.js';
import { sealedSubject } from '../domain/chain.js';
import { encodeJson, encodePrincipal, encodeTime, escapeText } from './codec.js';
import { type Engine, readNow } from './engine.js';

const appendText = 'select append_to_record($1, $2, $3) as revision';

/**
 * The head is locked first, as in a transaction of several statements: an intent is opened or closed by what follows from the head's
 * revision. `taken` are the entries whose rows are added: those of this revision whose intent was opened or closed.
 */
const appendWithIntentsText = `with entry as materialized (
    select * from json_to_recordset($3::json) as entry_of_journal (place bigint, expected bigint, opens text, closes text,
      tool text, actor text, started_at text, instance_id text, rows json)
  ), head as materialized (
    select revision from workspaces where id = $1 for update
  ), present as materialized (
    select entry.* from head, entry where expected is null or expected = revision
  ), opened as (
    insert into intents (workspace_id, execution_id, tool, actor, started_at, instance_id)
    select $1, opens, tool, actor, started_at, instance_id from present where opens is not null
    on conflict do nothing returning execution_id
  ), closed as (
    delete from intents using present where intents.workspace_id = $1 and intents.execution_id = present.closes
    returning intents.execution_id
  ), taken as materialized (
    select place, rows from present
    where (opens is null or opens in (select execution_id from opened))
      and (closes is null or closes in (select execution_id from closed))
  )
  select (select json_agg(place) from taken) as taken,
    append_to_record($1, $2, (select json_agg(item order by place, number)
      from taken, json_array_elements(rows) with ordinality as item_of_entry (item, number))) as revision`;

/**
 * The names under which a session of PostgreSQL keeps these two statements: every call needs one, and reading and planning the second
 * takes the server longer than running it.
 */
export const preparedStatements: ReadonlyMap<string, string> = new Map([
  [appendText, 'append'],
  [appendWithIntentsText, 'append_with_intents'],
]);

/** Whether one statement can write all the entries: they are of one record, on PostgreSQL, and use no approval and no step of a run. */
export function canAppendAtOnce(engine: Engine, entries: readonly JournalEntry[]): boolean {
  if (engine.kind !== 'postgres') return false;
  const workspaceId = entries[0]?.workspaceId;
  const intents = new Set<string>();
  for (const entry of entries) {
    const { openIntent, closeIntent, useApproval, step } = entry;
    if (entry.workspaceId !== workspaceId || useApproval !== undefined || step !== undefined) return false;
    if (openIntent !== undefined && closeIntent !== undefined) return false;
    const intent = openIntent?.executionId ?? closeIntent;
    // Of two entries about one intent, the second depends on the first.
    if (intent !== undefined && intents.has(intent)) return false;
    if (intent !== undefined) intents.add(intent);
  }
  return true;
}

/** Whether an entry changes only the record. */
export function onlyAdds({ useApproval, closeIntent, openIntent, step }: JournalEntry): boolean {
  return useApproval === undefined && closeIntent === undefined && openIntent === undefined && step === undefined;
}

/** Returns one outcome per entry, in order. Throws `storage_failed`; then no entry was written. */
export async function appendAtOnce(engine: Engine, entries: readonly JournalEntry[]): Promise<JournalOutcome[]> {
  const workspaceId = entries[0]?.workspaceId ?? '';
  const withIntents = !entries.every(onlyAdds);
  const given = withIntents ? entries.map(toEntry) : entries.flatMap(toRows);
  const parameters = [workspaceId, JSON.stringify(workspaceId), JSON.stringify(given)];
  const [answer] = await readNow(engine.db, { sql: withIntents ? appendWithIntentsText : appendText, parameters });
  const current = answer?.revision;
  const taken = withIntents ? new Set(answer?.taken as number[] | null) : undefined;
  return entries.map(({ revision }, place) => {
    if (typeof current !== 'number' || (revision !== undefined && revision !== current)) return 'stale_revision';
    return taken === undefined || taken.has(place) ? 'committed' : 'intent_missing';
  });
}

function toEntry(entry: JournalEntry, place: number) {
  const { openIntent, closeIntent, revision } = entry;
  const rows = toRows(entry);
  if (openIntent === undefined) return { place, expected: revision, closes: column(closeIntent), rows };
  const { executionId, tool, actor, startedAt, instanceId } = openIntent;
  return {
    place,
    expected: revision,
    opens: escapeText(executionId),
    tool: escapeText(tool),
    actor: encodePrincipal(actor),
    started_at: encodeTime(startedAt),
    instance_id: escapeText(instanceId),
    rows,
  };
}

const toRows = ({ revision, events }: JournalEntry) => events.map((event) => toRow(event, revision));

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

/** The rows are JSON, so the driver does not escape the strings in them. */
function column(value: string | undefined): string | undefined {
  return value === undefined ? undefined : escapeText(value);
}

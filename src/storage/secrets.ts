/**
 * What the vault has sealed, and the lock under which it is renewed. Every step is one statement, so that of many
 * processes exactly one renews a token, and one that was too slow cannot overwrite its successor.
 */
import { type Kysely, sql } from 'kysely';
import type { FlowTable, RenewalPause, SecretContent, SecretTable, SystemStorage } from '../domain/storage.js';
import { encodeOptionalTime, encodeTime } from './codec.js';
import { fromFlow, toFlow, toSecret } from './connection-rows.js';
import type { Schema } from './schema.js';
import type { Scope } from './scope.js';

/** Subjects under which the vault seals data that is stored in other tables. */
const approvalPrefix = 'approval:';
const flowPrefix = 'flow:';

function idAfter(prefix: string, subject: string): string | undefined {
  return subject.startsWith(prefix) ? subject.slice(prefix.length) : undefined;
}

export function createSecrets(scope: Scope): SecretTable {
  const held = (subject: string, holder: string) => (of: ReturnType<typeof getRows>) =>
    of.where('subject', '=', subject).where('lock_holder', '=', holder);
  const getRows = () => scope.updateTable('secrets');

  return {
    async find(subject) {
      const row = await scope.selectFrom('secrets').selectAll().where('subject', '=', subject).executeTakeFirst();
      return row && toSecret(row);
    },
    async lock(subject, { holder, now, until, dead }) {
      const taken = await getRows()
        .set({ lock_holder: holder, lock_until: encodeTime(until) })
        .where('subject', '=', subject)
        .where((is) =>
          is.or([
            is('lock_holder', 'is', null),
            is('lock_until', '<=', encodeTime(now)),
            ...(dead.length === 0 ? [] : [is('lock_holder', 'in', [...dead])]),
          ]),
        )
        .returningAll()
        .executeTakeFirst();
      return taken && toSecret(taken);
    },
    async renew(subject, holder, content, at) {
      const { lock_holder, lock_until, ...row } = contentRow(content, at);
      const result = await held(
        subject,
        holder,
      )(getRows())
        .set((is) => ({ ...row, lock_holder, lock_until, version: is('version', '+', 1) }))
        .executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },
    async unlock(subject, holder, pause) {
      const free = { lock_holder: null, lock_until: null, ...pauseColumns(pause) };
      await held(subject, holder)(getRows()).set(free).execute();
    },
    async reseal(subject, from, { sealed, keyId }) {
      const approval = idAfter(approvalPrefix, subject);
      const flow = idAfter(flowPrefix, subject);
      const update =
        approval !== undefined
          ? scope.updateTable('approvals').set({ sealed }).where('id', '=', approval).where('sealed', '=', from)
          : flow !== undefined
            ? scope
                .updateTable('oauth_flows')
                .set({ sealed, key_id: keyId })
                .where('id', '=', flow)
                .where('sealed', '=', from)
            : getRows().set({ sealed, key_id: keyId }).where('subject', '=', subject).where('sealed', '=', from);
      return (await update.executeTakeFirst()).numUpdatedRows === 1n;
    },
  };
}

/** Columns of new content: it ends any lock or pause. */
function contentRow({ sealed, keyId, expiresAt }: SecretContent, at: string) {
  return {
    sealed,
    key_id: keyId,
    expires_at: encodeOptionalTime(expiresAt),
    updated_at: encodeTime(at),
    lock_holder: null,
    lock_until: null,
    ...pauseColumns(undefined),
  };
}

function pauseColumns(pause: RenewalPause | undefined) {
  return {
    retry_since: encodeOptionalTime(pause?.since),
    retry_at: encodeOptionalTime(pause?.until),
    retry_failures: pause?.failures ?? 0,
  };
}

/** For use inside a configuration change. */
export async function putSecret(scope: Scope, subject: string, content: SecretContent, at: string): Promise<void> {
  const row = contentRow(content, at);
  await scope
    .insertInto('secrets', { subject, version: 1, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'subject'])
        .doUpdateSet((is) => ({ ...row, version: is('secrets.version', '+', 1) })),
    )
    .execute();
}

export function createFlows(scope: Scope): FlowTable {
  return {
    async insert(flow) {
      await scope.insertInto('oauth_flows', fromFlow(flow)).execute();
    },
    async claim(id, browserHash, now) {
      const result = await scope
        .updateTable('oauth_flows')
        .set({ browser_hash: browserHash })
        .where('id', '=', id)
        .where('browser_hash', 'is', null)
        .where('expires_at', '>', encodeTime(now))
        .executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },
    async take(id, now) {
      const live = scope.deleteFrom('oauth_flows').where('id', '=', id).where('expires_at', '>', encodeTime(now));
      return (await live.executeTakeFirst()).numDeletedRows === 1n;
    },
  };
}

export function systemSecrets(db: Kysely<Schema>): Pick<SystemStorage, 'findFlow' | 'listSecrets'> {
  return {
    async findFlow(by) {
      const flows = db.selectFrom('oauth_flows').selectAll();
      const one =
        'ticketHash' in by
          ? flows.where('ticket_hash', '=', by.ticketHash)
          : flows.where('state_hash', '=', by.stateHash);
      const row = await one.executeTakeFirst();
      return row && toFlow(row);
    },
    async listSecrets({ keyIdNot, after, limit }) {
      let query = db
        .selectFrom(everythingSealed(db, keyIdNot).as('everything'))
        .selectAll()
        .orderBy('workspace_id')
        .orderBy('subject')
        .limit(limit);
      if (after !== undefined) {
        const { workspaceId, subject } = after;
        query = query.where((is) =>
          is.or([
            is('workspace_id', '>', workspaceId),
            is.and([is('workspace_id', '=', workspaceId), is('subject', '>', subject)]),
          ]),
        );
      }
      return (await query.execute()).map(({ workspace_id, subject, sealed, key_id }) => ({
        workspaceId: workspace_id,
        subject,
        sealed,
        keyId: key_id ?? keyIdIn(sealed),
      }));
    },
  };
}

/**
 * Accounts and clients, the arguments of approvals, and sign-ins in progress: everything that must be sealed again
 * after a change of keys.
 */
function everythingSealed(db: Kysely<Schema>, keyIdNot: string) {
  const prefix = `v1.${keyIdNot}.`;
  return db
    .selectFrom('secrets')
    .select(['workspace_id', 'subject', 'sealed', sql<string | null>`key_id`.as('key_id')])
    .where('key_id', '<>', keyIdNot)
    .unionAll(
      db
        .selectFrom('oauth_flows')
        .select([
          'workspace_id',
          sql<string>`${sql.lit(flowPrefix)} || id`.as('subject'),
          'sealed',
          sql<string | null>`key_id`.as('key_id'),
        ])
        .where('key_id', '<>', keyIdNot),
    )
    .unionAll(
      db
        .selectFrom('approvals')
        .select([
          'workspace_id',
          sql<string>`${sql.lit(approvalPrefix)} || id`.as('subject'),
          sql<string>`sealed`.as('sealed'),
          sql<string | null>`null`.as('key_id'),
        ])
        .where('sealed', 'is not', null)
        .where(sql<string>`substr(sealed, 1, ${sql.lit(prefix.length)})`, '<>', prefix),
    );
}

/** An approval's row has no column for the key: the sealed text names it. */
function keyIdIn(sealed: string): string {
  return sealed.split('.')[1] ?? '';
}

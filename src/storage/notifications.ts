/** Channels, the choices of people, and the waiting messages, as rows. */
import type {
  NewNotice,
  NotificationChanges,
  NotificationChannel,
  NotificationChoice,
  NotificationMessage,
  NotificationTable,
} from '../domain/notifications.js';
import { idAt } from '../util/hash.js';
import { decodeJson, encodeJson, encodeTime } from './codec.js';
import type { Engine } from './engine.js';
import type { Journal } from './journal.js';
import { withHead } from './locked.js';
import type { NotificationMessageRow } from './notification-schema.js';
import { type Scope, scoped } from './scope.js';

/** Messages that were sent or given up are kept for thirty days. */
const keptMs = 30 * 86_400_000;

export function createNotifications(engine: Engine, journal: Journal, workspaceId: string): NotificationTable {
  const scope = scoped(engine.db, workspaceId);
  return {
    async listChannels() {
      const rows = scope.selectFrom('notification_channels').selectAll().orderBy('created_at').orderBy('id');
      return (await rows.execute()).map(({ id, fields, created_at }) => ({
        ...decodeJson<Omit<NotificationChannel, 'id' | 'createdAt'>>(fields),
        id,
        createdAt: created_at,
      }));
    },
    async listChoices() {
      const rows = scope.selectFrom('notification_choices').selectAll().orderBy('user_id').orderBy('channel_id');
      return (await rows.execute()).map(({ user_id, channel_id, fields }) => ({
        ...decodeJson<Omit<NotificationChoice, 'userId' | 'channelId'>>(fields),
        userId: user_id,
        channelId: channel_id,
      }));
    },
    async readTold() {
      const row = await scope.selectFrom('notification_told').selectAll().executeTakeFirst();
      return row ? { version: Number(row.version), told: decodeJson(row.told) } : { version: 0, told: {} };
    },
    tell: ({ version, told }, notices, { now, dueAt }) =>
      withHead(engine, journal, workspaceId, [], async (transaction) => {
        const inside = scoped(transaction, workspaceId);
        const row = await inside.selectFrom('notification_told').select('version').executeTakeFirst();
        if (Number(row?.version ?? 0) !== version) return false;
        await inside.upsert('notification_told', [], { version: version + 1, told: encodeJson(told) });
        for (const notice of notices) await gather(inside, notice, { now, dueAt });
        const before = new Date(Date.parse(now) - keptMs).toISOString();
        const old = inside.deleteFrom('notification_messages').where('created_at', '<', before);
        await old.where('state', 'in', ['sent', 'given_up']).execute();
        return true;
      }),
    async claim(now, until) {
      // Usually nothing is due, and then nothing is locked.
      if (!(await findDue(scope, now))) return undefined;
      return withHead(engine, journal, workspaceId, [], async (transaction) => {
        const inside = scoped(transaction, workspaceId);
        const message = await findDue(inside, now);
        if (!message) return undefined;
        const { attempts, doubtfulSince = now } = message;
        const claimed = { ...message, state: 'sending', attempts: attempts + 1, dueAt: until } as const;
        // Stays so if this process dies before it records the result of the attempt.
        await write(inside, { ...claimed, doubtfulSince });
        return claimed;
      });
    },
    settle: (message, events) =>
      withHead(engine, journal, workspaceId, events, async (transaction, record) => {
        const inside = scoped(transaction, workspaceId);
        const mine = inside.selectFrom('notification_messages').select('attempts').where('id', '=', message.id);
        const row = await mine.where('state', '=', 'sending').executeTakeFirst();
        if (row?.attempts !== message.attempts) return false;
        await write(inside, message);
        if (events.length > 0) record();
        return true;
      }),
    async findMessage(id) {
      const row = await scope.selectFrom('notification_messages').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toMessage(row);
    },
    addShown: (id, hash) =>
      withHead(engine, journal, workspaceId, [], async (transaction) => {
        const inside = scoped(transaction, workspaceId);
        const row = await inside
          .selectFrom('notification_messages')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst();
        const message = row && toMessage(row);
        if (!message?.shown) return;
        const forms = [...new Set([...message.shown.forms, hash])];
        await write(inside, { ...message, shown: { ...message.shown, forms } });
      }),
    async listMessages({ userId, state, limit }) {
      let query = scope.selectFrom('notification_messages').selectAll();
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      if (state !== undefined) query = query.where('state', '=', state);
      const newest = query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit);
      return (await newest.execute()).map(toMessage);
    },
  };
}

async function findDue(scope: Scope, now: string): Promise<NotificationMessage | undefined> {
  const due = scope.selectFrom('notification_messages').selectAll().where('due_at', '<=', now);
  const open = due.where('state', 'in', ['gathering', 'sending']).orderBy('due_at').orderBy('id');
  const row = await open.limit(1).executeTakeFirst();
  return row && toMessage(row);
}

interface Times {
  readonly now: string;
  readonly dueAt: string;
}

/** Adds the notice to the message that collects notices for this person and channel, or begins one. */
async function gather(inside: Scope, { userId, channelId, ...notice }: NewNotice, { now, dueAt }: Times) {
  const mine = inside.selectFrom('notification_messages').selectAll().where('user_id', '=', userId);
  const open = mine.where('channel_id', '=', channelId).where('state', '=', 'gathering');
  const row = await open.executeTakeFirst();
  if (row) {
    const message = toMessage(row);
    return write(inside, { ...message, notices: [...message.notices, notice] });
  }
  const first = { userId, channelId, state: 'gathering', dueAt, attempts: 0, createdAt: now } as const;
  return write(inside, { ...first, id: idAt(now, `${userId}/${channelId}/${notice.key}/${now}`), notices: [notice] });
}

function write(inside: Scope, message: NotificationMessage): Promise<void> {
  const { id, userId, channelId, state, dueAt, attempts, createdAt, ...fields } = message;
  return inside.upsert('notification_messages', ['id'], {
    id,
    user_id: userId,
    channel_id: channelId,
    state,
    due_at: encodeTime(dueAt),
    attempts,
    fields: encodeJson(fields),
    created_at: encodeTime(createdAt),
  });
}

type Fields = Omit<NotificationMessage, 'id' | 'userId' | 'channelId' | 'state' | 'dueAt' | 'attempts' | 'createdAt'>;

function toMessage(row: Omit<NotificationMessageRow, 'workspace_id'>): NotificationMessage {
  const { id, user_id: userId, channel_id: channelId, state, attempts } = row;
  const known = { id, userId, channelId, state, attempts, dueAt: row.due_at, createdAt: row.created_at };
  return { ...decodeJson<Fields>(row.fields), ...known };
}

export function createNotificationChanges(scope: Scope): NotificationChanges {
  return {
    async insertNotificationChannel({ id, createdAt, ...fields }) {
      const row = { id, fields: encodeJson(fields), created_at: encodeTime(createdAt) };
      await scope.insertInto('notification_channels', row).execute();
    },
    async deleteNotificationChannel(id) {
      await scope.deleteFrom('notification_choices').where('channel_id', '=', id).execute();
      await scope.deleteFrom('notification_messages').where('channel_id', '=', id).execute();
      const result = await scope.deleteFrom('notification_channels').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows === 1n;
    },
    async putNotificationChoice({ userId, channelId, ...fields }) {
      const row = { user_id: userId, channel_id: channelId, fields: encodeJson(fields) };
      await scope.upsert('notification_choices', ['user_id', 'channel_id'], row);
    },
  };
}

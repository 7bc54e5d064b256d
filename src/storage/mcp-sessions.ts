/** The sessions of MCP clients, and the messages about them that processes leave for each other. */
import type { Kysely } from 'kysely';
import type {
  McpMessage,
  McpSessionTable,
  McpWishes,
  StoredMcpSession,
  SystemMcpSessions,
} from '../domain/mcp-session.js';
import { defined } from '../util/defined.js';
import { decodeJson, encodeJson, encodeTime } from './codec.js';
import type { McpMessageRow, McpSessionRow, Schema } from './schema.js';
import type { Scope } from './scope.js';

export function createMcpSessions(scope: Scope): McpSessionTable {
  return {
    async insert(session) {
      await scope.insertInto('mcp_sessions', toRow(session)).execute();
    },
    async find(id) {
      const row = await scope.selectFrom('mcp_sessions').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toSession(row);
    },
    async listOf(owner) {
      const own = scope.selectFrom('mcp_sessions').select('id').where('owner', '=', owner);
      return (await own.orderBy('used_at', 'desc').orderBy('id').execute()).map(({ id }) => id);
    },
    async wish(id, from, to) {
      const update = scope
        .updateTable('mcp_sessions')
        .set({ wishes: encodeJson(to) })
        .where('id', '=', id);
      const updated = await update.where('wishes', '=', encodeJson(from)).executeTakeFirst();
      return updated.numUpdatedRows === 1n;
    },
    async use(id, usedAt, expiresAt) {
      const times = { used_at: encodeTime(usedAt), expires_at: encodeTime(expiresAt) };
      await scope.updateTable('mcp_sessions').set(times).where('id', '=', id).execute();
    },
    async remove(ids) {
      if (ids.length === 0) return;
      await scope.deleteFrom('mcp_sessions').where('id', 'in', ids).execute();
      await scope.deleteFrom('mcp_messages').where('session_id', 'in', ids).execute();
    },
    async addMessage({ id, sessionId, body }, expiresAt) {
      const row = { id, session_id: sessionId, body: encodeJson(body), expires_at: encodeTime(expiresAt) };
      await scope.insertInto('mcp_messages', row as Omit<McpMessageRow, 'workspace_id'>).execute();
    },
  };
}

export function systemMcpSessions(db: Kysely<Schema>): SystemMcpSessions {
  return {
    async look(ids, now) {
      if (ids.length === 0) return { live: new Map(), messages: [] };
      const present = db.selectFrom('mcp_sessions').select(['id', 'wishes']).where('id', 'in', ids);
      const live = await present.where('expires_at', '>', encodeTime(now)).execute();
      const rows = db.selectFrom('mcp_messages').selectAll().where('session_id', 'in', ids).orderBy('number');
      return {
        live: new Map(live.map(({ id, wishes }) => [id, decodeJson<McpWishes>(wishes)])),
        messages: (await rows.execute()).map(toMessage),
      };
    },
    async take(ids) {
      if (ids.length === 0) return [];
      // Usually there is none, and even a deletion that removes nothing takes SQLite's lock for writing.
      const some = db.selectFrom('mcp_messages').select('id').where('session_id', 'in', ids).limit(1);
      if ((await some.executeTakeFirst()) === undefined) return [];
      const taken = await db.deleteFrom('mcp_messages').where('session_id', 'in', ids).returningAll().execute();
      return taken.sort((left, right) => Number(left.number) - Number(right.number)).map(toMessage);
    },
    async use(ids, usedAt, expiresAt) {
      if (ids.length === 0) return;
      const times = { used_at: encodeTime(usedAt), expires_at: encodeTime(expiresAt) };
      await db.updateTable('mcp_sessions').set(times).where('id', 'in', ids).execute();
    },
  };
}

function toRow(session: StoredMcpSession): Omit<McpSessionRow, 'workspace_id'> {
  return {
    id: session.id,
    owner: session.owner,
    credential_id: session.openedWith ?? null,
    hello: encodeJson(session.hello),
    wishes: encodeJson(session.wishes),
    used_at: encodeTime(session.usedAt),
    expires_at: encodeTime(session.expiresAt),
  };
}

function toSession(row: McpSessionRow): StoredMcpSession {
  return {
    id: row.id,
    owner: row.owner,
    hello: decodeJson(row.hello),
    wishes: decodeJson(row.wishes),
    usedAt: row.used_at,
    expiresAt: row.expires_at,
    ...defined({ openedWith: row.credential_id ?? undefined }),
  };
}

function toMessage({ id, session_id, body }: McpMessageRow): McpMessage {
  return { id, sessionId: session_id, body: decodeJson(body) };
}

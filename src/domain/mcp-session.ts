/**
 * What processes must share to serve each other's MCP clients. A session of MCP up to 2025-11-25 consists of what its client
 * said when it began, and of what the client has asked for since. Its streams, and the calls that run, stay in the process
 * that has them. A client of 2026-07-28 has no session, but carries a sealed state from one request to the next.
 */
import type { JsonObject } from './json.js';
import type { Principal } from './principal.js';

export interface McpSession {
  readonly id: string;
  /** The `initialize` request of the client. */
  readonly hello: JsonObject;
  readonly wishes: McpWishes;
}

export interface McpWishes {
  /** The lowest level of log lines that the client wants. */
  readonly level?: string;
  /** The resources that it watches. */
  readonly watched: readonly string[];
}

/** A message for whichever process it concerns: what a client posted, or what the client of a cut stream has not received. */
export interface McpMessage {
  readonly id: string;
  readonly sessionId: string;
  readonly body: JsonObject;
}

export interface McpLook {
  /** The wishes of the sessions that have not ended, by id. */
  readonly live: ReadonlyMap<string, McpWishes>;
  /** All messages for these sessions, in the order in which they were left. */
  readonly messages: readonly McpMessage[];
}

/** A caller at a door: a session answers to exactly one. */
export interface McpCaller {
  readonly principal: Principal;
  /** The door that the session was opened at. */
  readonly door: string;
}

/** The sessions of all processes on one store. */
export interface McpSessions {
  /**
   * Keeps a new session, and ends those of the same caller that were used the longest ago if it has more than `max`. Returns
   * the ids of those. It ends when it has not been used for `idleMs`.
   */
  open(caller: McpCaller, session: McpSession, limits: { max: number; idleMs: number }): Promise<readonly string[]>;
  /**
   * Undefined for a session that has ended, that another caller or another door has, or that was opened with a credential or
   * an authorization which has ended, or with another authorization. Counts as a use.
   */
  find(caller: McpCaller, id: string, idleMs: number): Promise<McpSession | undefined>;
  /** Changes the wishes, after all changes before. Returns the new ones; undefined if the session has ended. */
  wish(caller: McpCaller, id: string, change: (before: McpWishes) => McpWishes): Promise<McpWishes | undefined>;
  end(caller: McpCaller, id: string): Promise<void>;
  /** Leaves a message for the process that it concerns, for ten minutes at the longest. */
  post(caller: McpCaller, message: Omit<McpMessage, 'id'>): Promise<void>;
  /** Returns what the store has about these sessions. */
  look(ids: readonly string[]): Promise<McpLook>;
  /** Marks these sessions as used, because they have open streams. */
  keep(ids: readonly string[], idleMs: number): Promise<void>;
  /** Seals a text that a client is to bring back, to any process. */
  seal(caller: McpCaller, text: string): Promise<string>;
  /** Throws `connection_inaccessible` for anything but a text that was sealed for the same caller at the same door. */
  unseal(caller: McpCaller, sealed: string): Promise<string>;
  readonly boxes: McpBoxes;
}

/** What a door shares with the same door of other processes. */
export interface McpDoorStore {
  readonly kept: McpSessions;
  /** The name of the door: its sessions are not those of other doors. */
  readonly door: string;
}

/** Messages about the calls of clients that have no session, in boxes that the processes agree on. */
export interface McpBoxes {
  /** Leaves a message, for ten minutes at the longest. */
  leave(workspaceId: string, box: string, body: JsonObject): Promise<void>;
  /** Removes all messages from these boxes and returns them, oldest first. No other process gets them. */
  take(boxes: readonly string[]): Promise<readonly { readonly box: string; readonly body: JsonObject }[]>;
}

export interface StoredMcpSession extends McpSession {
  /** A hash of the caller and the door. */
  readonly owner: string;
  /** The credential that it was opened with, or the authorization of a program. Undefined for a caller that has neither. */
  readonly openedWith?: string;
  readonly usedAt: string;
  readonly expiresAt: string;
}

export interface McpSessionTable {
  insert(session: StoredMcpSession): Promise<void>;
  find(id: string): Promise<StoredMcpSession | undefined>;
  /** The ids of an owner's sessions, the one that was used last first. */
  listOf(owner: string): Promise<readonly string[]>;
  /** False, and nothing is written, unless the present ones are `from`. */
  wish(id: string, from: McpWishes, to: McpWishes): Promise<boolean>;
  use(id: string, usedAt: string, expiresAt: string): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  addMessage(message: McpMessage, expiresAt: string): Promise<void>;
}

/** For a process, which serves the sessions of all workspaces. */
export interface SystemMcpSessions {
  /** Those of `ids` that are there and have not expired, and the messages for them. */
  look(ids: readonly string[], now: string): Promise<McpLook>;
  /** Removes the messages for these, and returns them in the order in which they were left. */
  take(ids: readonly string[]): Promise<readonly McpMessage[]>;
  use(ids: readonly string[], usedAt: string, expiresAt: string): Promise<void>;
}

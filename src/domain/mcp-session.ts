/**
 * What a session of MCP up to 2025-11-25 consists of, so that every process can serve it: what its client said when it began,
 * and what the client has asked for since. Its streams, and the calls that run, stay in the process that has them.
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
  /** The wishes of those that have not ended, by id. */
  readonly live: ReadonlyMap<string, McpWishes>;
  /** All that was left for them, in the order in which it was left. */
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
  /** What is in the store about these sessions. */
  look(ids: readonly string[]): Promise<McpLook>;
  /** Says that these are used, because they have open streams. */
  keep(ids: readonly string[], idleMs: number): Promise<void>;
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
  use(ids: readonly string[], usedAt: string, expiresAt: string): Promise<void>;
}

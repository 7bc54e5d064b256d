/** The provider port: a source of toolkits. Every provider passes `testing/provider-contract.ts`. */

import type { CodeMode } from './code-mode.js';
import type { Account, BoundConnection, Connection } from './connection.js';
import type { CallerFacts, ClientChannel, ProgressUpdate } from './context.js';
import type { ToolFinder } from './discovery.js';
import type { JsonObject, JsonValue } from './json.js';
import type { Platform } from './platform.js';
import type { ProviderKind } from './provider-kind.js';
import type { ContentBlock, Tool, Toolkit } from './tool.js';
import type { TraceContext } from './trace-context.js';

export interface ProviderCall {
  readonly tool: Tool;
  /** Validated against the tool's schema, with defaults filled in. The provider owns this object. */
  readonly input: JsonObject;
  readonly config: JsonObject;
  readonly executionId: string;
  /** Names the intended effect (32 hexadecimal digits): the same when the call is repeated because its answer was lost. */
  readonly effectKey: string;
  readonly caller: CallerFacts;
  /** The account, for tools of a toolkit that needs one. */
  readonly connection?: BoundConnection;
  readonly signal: AbortSignal;
  /** Finds tools among those of the caller. */
  readonly finder?: ToolFinder;
  /** Runs programs over the tools of the caller. */
  readonly codeMode?: CodeMode;
  /** Helve itself, for the person that the caller acts for. */
  readonly platform?: Platform;
  readonly client?: ClientChannel;
  /** The trace of the call, for services that take part in it; absent if there are no traces. */
  readonly trace?: TraceContext | undefined;
  readonly progress: (update: ProgressUpdate) => void;
}

export interface ProviderAnswer {
  readonly output: JsonValue;
  /** What `outputText` makes of the output, if the provider has it: then it is not made again. */
  readonly text?: string;
  readonly content?: readonly ContentBlock[];
}

/** A tool that its source has but that is not offered. */
export interface UnofferedTool {
  /** The source's name for it; `*` if none of the toolkit's tools can be read. */
  readonly name: string;
  readonly reason: string;
}

export interface Provider {
  readonly kind: ProviderKind;
  /** Cheap: loads no toolkit. */
  toolkits(): Promise<readonly Toolkit[]>;
  /**
   * Loads the toolkit on first use. An unknown slug gives an empty list. `workspaceId`: the workspace whose accounts
   * may be used to ask a server that lists its tools only for accounts; undefined: no account is used.
   */
  tools(toolkit: string, workspaceId?: string): Promise<readonly Tool[]>;
  /**
   * The tools that the toolkit does not offer and why, as of the last read; of a server that lists its tools only for accounts, of
   * the last read for this workspace. Reads no document and sends no request.
   */
  unoffered?(toolkit: string, workspaceId: string): Promise<readonly UnofferedTool[]>;
  /** Throws `HelveError`; any other error counts as the tool's own failure. */
  execute(call: ProviderCall): Promise<ProviderAnswer>;
  /**
   * For tools with `idempotency.by: 'probe'`: looks whether the effect named `call.effectKey` happened at or after
   * `startedAt` (ISO 8601). Returns its answer; undefined if it certainly did not happen, or if the call can be made again
   * without a second effect. Throws if that cannot be told.
   */
  probe?(call: ProviderCall, startedAt: string): Promise<ProviderAnswer | undefined>;
  /**
   * Called before a grant is stored. Throws `invalid_config` for a `tool_config` that would reach something that no
   * agent may reach.
   */
  checkConfig?(tool: Tool, config: JsonObject): Promise<void>;
  /**
   * Called before anyone is asked to approve. Throws for a call that could not run even if approved. Changes nothing.
   */
  checkCall?(call: Pick<ProviderCall, 'tool' | 'input' | 'config' | 'platform'>): Promise<void>;
  /** Present if the provider itself stores accounts, and we only store references. */
  readonly accounts?: HostedAccounts;
  /** Calls `listener` when toolkits or tools have changed. Returns a function that unsubscribes. */
  onChange?(listener: () => void): () => void;
  close(): Promise<void>;
}

/** What is known about an account that a provider stores. */
export interface HostedAccount {
  readonly status: 'pending' | 'active' | 'expired' | 'revoked' | 'error';
  /** Why it is not active. */
  readonly reason?: string;
  readonly account?: Account;
  readonly scopes?: readonly string[];
}

/**
 * Accounts that a provider stores, tokens included: we store a reference to each in its connection's settings. Every
 * method throws `HelveError`: `invalid_input` for fields that the provider does not accept, otherwise the codes of a
 * service client.
 */
export interface HostedAccounts {
  /**
   * Starts a connection. If the result has a `redirectUrl`, the person finishes there and returns to `callbackUrl`.
   */
  connect(request: HostedConnect): Promise<{ readonly reference: JsonObject; readonly redirectUrl?: string }>;
  /** Asks the provider. An unknown reference is `revoked`. */
  look(connection: Pick<Connection, 'settings'>): Promise<HostedAccount>;
  /** Deletes the account at the provider too. An account that no longer exists is not an error. */
  disconnect(connection: Pick<Connection, 'settings'>): Promise<void>;
}

export interface HostedConnect {
  readonly workspaceId: string;
  readonly toolkit: string;
  /** Where the browser returns to; identifies the connection. */
  readonly callbackUrl: string;
  /** One of the app's sign-in methods, e.g. `API_KEY`. Default: the best available. */
  readonly scheme?: string;
  /** The fields of that method, if it is not a sign-in. Sent to the provider and not stored. */
  readonly credentials?: Readonly<Record<string, string>>;
}

/** The provider port: a source of toolkits. Every provider passes `testing/provider-contract.ts`. */
import type { Account, BoundConnection, Connection } from './connection.js';
import type { CallerFacts, ClientChannel, ProgressUpdate } from './context.js';
import type { ToolFinder } from './discovery.js';
import type { JsonObject, JsonValue } from './json.js';
import type { ProviderKind } from './provider-kind.js';
import type { ContentBlock, Tool, Toolkit } from './tool.js';

export interface ProviderCall {
  readonly tool: Tool;
  /** Validated against the tool's schema, defaults filled in; the provider's own to keep. */
  readonly input: JsonObject;
  readonly config: JsonObject;
  readonly executionId: string;
  readonly caller: CallerFacts;
  /** The account, for tools of a toolkit that needs one. */
  readonly connection?: BoundConnection;
  readonly signal: AbortSignal;
  /** Looks for tools among those of the caller. */
  readonly finder?: ToolFinder;
  readonly client?: ClientChannel;
  readonly progress: (update: ProgressUpdate) => void;
}

export interface ProviderAnswer {
  readonly output: JsonValue;
  readonly content?: readonly ContentBlock[];
}

/** A tool that its source has and that is not offered. */
export interface UnofferedTool {
  /** As the source calls it; `*`: none of the toolkit's tools can be read. */
  readonly name: string;
  readonly reason: string;
}

export interface Provider {
  readonly kind: ProviderKind;
  /** Cheap: no toolkit is loaded for it. */
  toolkits(): Promise<readonly Toolkit[]>;
  /**
   * Loads the toolkit on first use. An unknown slug gives an empty list. `workspaceId`: whose accounts may be asked with,
   * of a server that tells its tools only to accounts; undefined: nobody's.
   */
  tools(toolkit: string, workspaceId?: string): Promise<readonly Tool[]>;
  /** What the toolkit has beside its tools and why it is not offered, as it was last read. Reads no document and asks no server. */
  unoffered?(toolkit: string): Promise<readonly UnofferedTool[]>;
  /** Throws `HelveError`; anything else that is thrown is the tool's own failure. */
  execute(call: ProviderCall): Promise<ProviderAnswer>;
  /** Throws `invalid_config` for a `tool_config` that would reach what no agent may: asked before it is granted. */
  checkConfig?(tool: Tool, config: JsonObject): Promise<void>;
  /** Throws for a call that could not run whatever a person says: asked before anybody is. Reaches nothing. */
  checkCall?(call: Pick<ProviderCall, 'tool' | 'input' | 'config'>): Promise<void>;
  /** Where accounts are kept by the provider itself, which we only refer to. */
  readonly accounts?: HostedAccounts;
  /** Told when toolkits or tools are no longer what they were. Returns the way to stop. */
  onChange?(listener: () => void): () => void;
  close(): Promise<void>;
}

/** What is known of an account that a provider keeps. */
export interface HostedAccount {
  readonly status: 'pending' | 'active' | 'expired' | 'revoked' | 'error';
  /** Why it is not active. */
  readonly reason?: string;
  readonly account?: Account;
  readonly scopes?: readonly string[];
}

/**
 * Accounts that a provider keeps, tokens and all: we have a reference to each, in its connection's settings. Every method
 * throws `HelveError`: `invalid_input` for fields that the provider does not take, else as a service client throws.
 */
export interface HostedAccounts {
  /** Begins a connection. With `redirectUrl` the person finishes there, and comes back to `callbackUrl`. */
  connect(request: HostedConnect): Promise<{ readonly reference: JsonObject; readonly redirectUrl?: string }>;
  /** Asks the provider. A reference that it does not know is `revoked`. */
  look(connection: Pick<Connection, 'settings'>): Promise<HostedAccount>;
  /** What the provider knows is taken away there too. One that is gone already is fine. */
  disconnect(connection: Pick<Connection, 'settings'>): Promise<void>;
}

export interface HostedConnect {
  readonly workspaceId: string;
  readonly toolkit: string;
  /** Where the browser comes back to, with what is needed to know which connection it is about. */
  readonly callbackUrl: string;
  /** One of the app's own ways to sign in, `API_KEY`; default: the best that there is. */
  readonly scheme?: string;
  /** What that way asks for, where it is not a sign-in. Goes to the provider and is not kept. */
  readonly credentials?: Readonly<Record<string, string>>;
}

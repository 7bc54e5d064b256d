/**
 * Everything that a native tool can reach while it runs. Each part is bound to the call: the workspace, the caller,
 * the tool's configuration and, later, its connection's secrets.
 */

import type { CodeMode } from './code-mode.js';
import type { Connection } from './connection.js';
import type { ToolFinder } from './discovery.js';
import { HelveError } from './errors.js';
import type { JsonSchema, JsonValue } from './json.js';
import type { Platform } from './platform.js';
import type { PrincipalRef } from './principal.js';
import type { Browser, CommandRunner, Connector, DocumentStore, FileAccess, Models } from './reach.js';
import type { ProgramRunner } from './sandbox.js';
import type { ServiceClient } from './service.js';
import type { Workers } from './workers.js';

export interface HttpRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly body: Uint8Array;
  /** The body was cut at the size limit. */
  readonly truncated: boolean;
  text(): string;
}

/** Sends every outgoing request of a tool, through the egress wall. */
export interface HttpClient {
  /** Throws `egress_blocked`, `timeout`, `too_large`, `upstream_failed` or `cancelled`. */
  fetch(request: HttpRequest): Promise<HttpResponse>;
}

/** Values that outlive a call, in this workspace. Without a named namespace, the agent's own is used. */
export interface KeyValueStore {
  get(namespace: string, key: string): Promise<JsonValue | undefined>;
  /** `ttlSeconds` undefined: stored until deleted. */
  set(namespace: string, key: string, value: JsonValue, ttlSeconds?: number): Promise<void>;
  delete(namespace: string, key: string): Promise<boolean>;
}

/** A stored result that was too long to show, read under the grants of the call that made it. */
export interface ResultReader {
  /** Throws `not_found` or `expired`. */
  read(handle: string): Promise<JsonValue>;
}

export interface CallerFacts {
  readonly kind: 'user' | 'agent' | 'api_key';
  readonly id: string;
  readonly name: string;
  readonly workspaceId: string;
  /** The person or key that the agent is acting for, if any. */
  readonly onBehalfOf?: PrincipalRef;
  /** The issue that it works on, whose folder its files and commands use. It never comes from the input of a call. */
  readonly issueId?: string;
}

export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface ElicitAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: JsonValue;
}

export interface ClientRoot {
  readonly uri: string;
  readonly name?: string;
}

/** What an MCP client may be able to do for a running tool. */
export type ClientAbility = 'elicitation' | 'sampling' | 'roots';

/** Creates the error for a tool that needs an ability that the client lacks. */
export function clientCannot(ability: ClientAbility): HelveError {
  return new HelveError('tool_failed', `This tool needs a client with the capability "${ability}"`, {
    hint: 'Call it through an MCP client that declares the capability.',
    details: { requiredCapabilities: { [ability]: {} } },
  });
}

/** The client program, if the surface has a way to reach it. */
export interface ClientChannel {
  log(level: 'debug' | 'info' | 'notice' | 'warning' | 'error', data: JsonValue): Promise<void>;
  /**
   * Asks the person there. Absent if the client cannot. A client may answer a question with a `key` in advance, and
   * then it is not asked; a tool whose user must see the question omits the key. An accepted answer fits the schema.
   * Rejects if the client does not answer in time.
   */
  elicit?(message: string, schema: JsonSchema, key?: string): Promise<ElicitAnswer>;
  /** Asks the client's model. Absent if the client cannot. */
  sample?(prompt: string, maxTokens: number, key?: string): Promise<string>;
  /** Asks for the folders that the client works in. Absent if the client does not provide them. */
  roots?(key?: string): Promise<readonly ClientRoot[]>;
  /** Ends the reply stream so that the client must reconnect for the rest. Absent if there is no stream. */
  disconnect?(): void;
}

export interface ToolConnection extends Pick<Connection, 'name' | 'slug' | 'settings' | 'account'> {
  /** What was filled in when connecting, secrets included: only if the scheme is `exposed`. */
  fields(): Promise<Readonly<Record<string, string>>>;
}

export interface ToolContext<Config = unknown, Settings = unknown> {
  readonly executionId: string;
  /** Names the intended effect (32 hexadecimal digits): the same when the call is repeated because its answer was lost. */
  readonly effectKey: string;
  readonly caller: CallerFacts;
  readonly config: Config;
  /** The operator's settings of the toolkit: `toolkits.<slug>` in `helve.yaml`. */
  readonly settings: Settings;
  /** Aborted when the caller cancels, the time limit is reached or Helve stops. */
  readonly signal: AbortSignal;
  readonly http: HttpClient;
  readonly keyValues: KeyValueStore;
  readonly results: ResultReader;
  readonly files: FileAccess;
  readonly commands: CommandRunner;
  readonly connector: Connector;
  readonly browser: Browser;
  /** The toolkit's own documents, in this workspace. */
  readonly documents: DocumentStore;
  readonly models: Models;
  /** Processes for work on bytes that nobody vouches for. They can reach less than the tool itself, so no tool declares them. */
  readonly workers: Workers;
  /** Runs untrusted programs. They reach only what the tool gives them, so no tool declares this. */
  readonly programs: ProgramRunner;
  /** The account that the call acts with. Throws `connection_inaccessible` in a toolkit without `auth`. */
  readonly connection: ToolConnection;
  /** The service behind it, with the account's credentials. */
  readonly service: ServiceClient;
  /** Finds tools among those of the caller. */
  readonly finder: ToolFinder;
  /** Runs programs over the tools of the caller. */
  readonly codeMode: CodeMode;
  /** Helve itself, as far as the person may change it that the caller acts for. */
  readonly platform: Platform;
  readonly client: ClientChannel | undefined;
  progress(update: ProgressUpdate): void;
}

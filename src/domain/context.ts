/**
 * What a native tool can reach while it runs, and nothing else. Each part is bound to the call:
 * the workspace, the caller, the tool's configuration and, later, its connection's secrets.
 */
import type { Connection } from './connection.js';
import type { ToolFinder } from './discovery.js';
import { HelveError } from './errors.js';
import type { JsonSchema, JsonValue } from './json.js';
import type { PrincipalRef } from './principal.js';
import type { Browser, CommandRunner, Connector, DocumentStore, FileAccess, Models } from './reach.js';
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

/** Every outgoing request of a tool, behind the egress wall. */
export interface HttpClient {
  /** Throws `egress_blocked`, `timeout`, `too_large`, `upstream_failed` or `cancelled`. */
  fetch(request: HttpRequest): Promise<HttpResponse>;
}

/** Values that outlive a call, in this workspace. A namespace is the agent's own unless it is named. */
export interface KeyValueStore {
  get(namespace: string, key: string): Promise<JsonValue | undefined>;
  /** `ttlSeconds` undefined: kept until deleted. */
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
  /** The person or key for whom an agent is acting, when one asked it to. */
  readonly onBehalfOf?: PrincipalRef;
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

/** What a client of MCP may be able to do for a tool that runs. */
export type ClientAbility = 'elicitation' | 'sampling' | 'roots';

/** The error of a tool that cannot work unless its client can do that. */
export function clientCannot(ability: ClientAbility): HelveError {
  return new HelveError('tool_failed', `This tool needs a client with the capability "${ability}"`, {
    hint: 'Call it through an MCP client that declares the capability.',
    details: { requiredCapabilities: { [ability]: {} } },
  });
}

/** The program at the other end, where the door has a way to reach it. */
export interface ClientChannel {
  log(level: 'debug' | 'info' | 'notice' | 'warning' | 'error', data: JsonValue): Promise<void>;
  /**
   * Asks the person there. Absent where the client cannot. A question with a `key` may be answered by the client
   * before it is asked, and is then not asked; a tool whose user must see the question leaves the key out. An answer
   * that was accepted fits the schema. Rejects when the client does not answer in time.
   */
  elicit?(message: string, schema: JsonSchema, key?: string): Promise<ElicitAnswer>;
  /** Asks the client's model. Absent where the client cannot. */
  sample?(prompt: string, maxTokens: number, key?: string): Promise<string>;
  /** Asks for the folders that the client works in. Absent where the client does not tell. */
  roots?(key?: string): Promise<readonly ClientRoot[]>;
  /** Cuts the reply stream so that the client must come back for the rest. Absent where there is none. */
  disconnect?(): void;
}

export interface ToolConnection extends Pick<Connection, 'name' | 'slug' | 'settings' | 'account'> {
  /** What was filled in when connecting, secrets included: only where the scheme says `exposed`. */
  fields(): Promise<Readonly<Record<string, string>>>;
}

export interface ToolContext<Config = unknown, Settings = unknown> {
  readonly executionId: string;
  readonly caller: CallerFacts;
  readonly config: Config;
  /** The operator's settings of the toolkit: `toolkits.<slug>` in `helve.yaml`. */
  readonly settings: Settings;
  /** Aborted when the caller cancels, the time is up or Helve stops. */
  readonly signal: AbortSignal;
  readonly http: HttpClient;
  readonly keyValues: KeyValueStore;
  readonly results: ResultReader;
  readonly files: FileAccess;
  readonly commands: CommandRunner;
  readonly connector: Connector;
  readonly browser: Browser;
  /** The toolkit's own, in this workspace. */
  readonly documents: DocumentStore;
  readonly models: Models;
  /** Processes for work on bytes that nobody vouches for. They can reach less than the tool itself, so no tool declares them. */
  readonly workers: Workers;
  /** The account that the call acts with. Throws `connection_inaccessible` in a toolkit without `auth`. */
  readonly connection: ToolConnection;
  /** The service behind it, with the account's credentials. */
  readonly service: ServiceClient;
  /** Among the tools of the caller. */
  readonly finder: ToolFinder;
  readonly client: ClientChannel | undefined;
  progress(update: ProgressUpdate): void;
}

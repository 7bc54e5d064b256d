/**
 * The service behind a connection, as a tool reaches it. Credentials are attached, errors translated and
 * refused requests sent again in one place (`connections/service-client.ts`): a tool only says what it wants.
 */
import type { ErrorCode } from './errors.js';
import type { JsonObject } from './json.js';

type QueryValue = string | number | boolean | undefined | readonly (string | number | boolean)[];

export interface ServiceRequest {
  /** Default GET. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Joined to the server's base URL; variable parts must be percent-encoded (`encodeURIComponent`). An absolute URL must lie below one of the servers. */
  readonly path: string;
  /** The path may hold empty parts, since the service's own description writes them. Default: they are refused, like `.` and `..`. */
  readonly emptySegments?: boolean;
  /** Name of one of the service's servers. Default: `default`. */
  readonly server?: string;
  /** A list is written as the name repeated; undefined is left out. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most one of the three. */
  readonly json?: unknown;
  /** `application/x-www-form-urlencoded`. */
  readonly form?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
  /**
   * Sending it twice does no more than sending it once, though its method does not say so: a POST that only reads,
   * one that carries an id of the caller's making. Requests with an idempotency header are repeatable by themselves.
   */
  readonly repeatable?: boolean;
  /** Error statuses that are an answer here: `[404]`, `[304]`. */
  readonly accept?: readonly number[];
}

export interface ServiceResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The address that answered. */
  readonly url: string;
  readonly body: Uint8Array;
  text(): string;
  /** Undefined for an empty body. Throws `upstream_failed` for anything that is not JSON. */
  json<T = unknown>(): T;
}

export interface ServiceClient {
  /**
   * Sends until answered: at most five times, never before the service said, never twice what might have happened.
   * Throws what `explain` made of a refusal; `rate_limited` with `retryAfterSeconds`; `outcome_unknown` for an effect
   * whose answer was lost; `connection_inaccessible` when the account cannot be used any more; else `upstream_failed`,
   * `timeout`, `too_large`, `egress_blocked` or `cancelled`.
   */
  request(request: ServiceRequest): Promise<ServiceResponse>;
  /** The body of `request`. */
  json<T = unknown>(request: ServiceRequest): Promise<T>;
}

/** A refusal in the service's own words, as ours. */
export interface Explained {
  /** Default: by status (400, 422 `invalid_input`; 401, 403 `forbidden`; 404, 410 `not_found`; 409, 412 `conflict`; 429 `rate_limited`; else `upstream_failed`). */
  readonly code?: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** With `rate_limited`: the service does not want to be asked before. */
  readonly retryAfterSeconds?: number;
  /** The access token itself was refused: it is renewed once and the request sent again. A 401 always means that. */
  readonly tokenRefused?: boolean;
}

export interface ServerAddress {
  /** Base URL, with or without a path. */
  readonly url: string;
  /** The operator named it (settings in `helve.yaml`): reachable whatever network it is in. */
  readonly named?: boolean;
}

/** Where a toolkit's requests go and how its service speaks: data and pure functions. */
export interface ServiceDefinition {
  /** From `toolkits.<slug>` in `helve.yaml` and the connection's own settings. Credentials travel to these and nowhere else. */
  servers(settings: JsonObject, connection: JsonObject): Readonly<Record<string, ServerAddress>>;
  /** Sent with each request: `accept`, an API version. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The header in which the service takes a key that makes writes repeatable. It is filled in for every POST, PUT, PATCH and DELETE. */
  readonly idempotencyHeader?: string;
  /** Looks at every answer, for services that refuse with status 200 or in a shape of their own. Undefined: judged by status. */
  explain?(response: ServiceResponse): Explained | undefined;
  /** Seconds until the service may be asked again, when this answer used up what it allows (`x-ratelimit-remaining: 0`). */
  pause?(response: ServiceResponse, now: Date): number | undefined;
  /** Default 30,000. */
  readonly timeoutMs?: number;
  /** Default 10 MB. */
  readonly maxBytes?: number;
}

/**
 * The service behind a connection, as a tool reaches it. Credentials, error translation and retries are handled in
 * one place (`connections/service-client.ts`): a tool only describes its request.
 */
import type { ErrorCode } from './errors.js';
import type { JsonObject } from './json.js';

type QueryValue = string | number | boolean | undefined | readonly (string | number | boolean)[];

export interface ServiceRequest {
  /** Default GET. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /**
   * Joined to the server's base URL; variable parts must be percent-encoded (`encodeURIComponent`). An absolute URL
   * must lie below one of the servers.
   */
  readonly path: string;
  /**
   * Whether the path may have empty segments, because the service's own description has them. Default: they are
   * refused, like `.` and `..`.
   */
  readonly emptySegments?: boolean;
  /** Name of one of the service's servers. Default: `default`. */
  readonly server?: string;
  /** A list repeats the name; undefined is omitted. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most one of the three. */
  readonly json?: unknown;
  /** `application/x-www-form-urlencoded`. */
  readonly form?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
  /**
   * Sending it twice has the same effect as once, although its method does not imply that: a POST that only reads, or
   * one that sets a value. `within_call`: this holds only for the attempts of one call, because each call chooses another
   * id for what it creates; so it does for requests with an idempotency header.
   */
  readonly repeatable?: boolean | 'within_call';
  /** Error statuses that count as an answer here: `[404]`, `[304]`. */
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
  /**
   * Undefined for an empty body. An integer that a number cannot hold exactly is text. Throws `upstream_failed` if the body is not JSON.
   */
  json<T = unknown>(): T;
}

export interface ServiceClient {
  /**
   * Retries until answered: at most five times, never earlier than the service allows, and never a request that may
   * have had an effect. Throws what `explain` made of a refusal; `rate_limited` with `retryAfterSeconds`;
   * `outcome_unknown` for an effect whose answer was lost; `connection_inaccessible` if the account can no longer be
   * used; else `upstream_failed`, `timeout`, `too_large`, `egress_blocked` or `cancelled`.
   */
  request(request: ServiceRequest): Promise<ServiceResponse>;
  /** Like `request`, but returns the parsed body. */
  json<T = unknown>(request: ServiceRequest): Promise<T>;
}

/** A refusal by the service, translated. */
export interface Explained {
  /**
   * Default: by status (400, 422 `invalid_input`; 401, 403 `forbidden`; 404, 410 `not_found`; 409, 412 `conflict`; 429
   * `rate_limited`; else `upstream_failed`).
   */
  readonly code?: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** With `rate_limited`: seconds to wait before the next request. */
  readonly retryAfterSeconds?: number;
  /** The access token itself was refused: it is renewed once and the request sent again. A 401 always means that. */
  readonly tokenRefused?: boolean;
}

export interface ServerAddress {
  /** Base URL, with or without a path. */
  readonly url: string;
  /** Whether the operator named it (settings in `helve.yaml`): then it may be in any network. */
  readonly named?: boolean;
}

/** Where a toolkit's requests go and how its service behaves: data and pure functions. */
export interface ServiceDefinition {
  /**
   * Takes `toolkits.<slug>` of `helve.yaml` and the connection's own settings. Credentials are sent to these servers
   * and nowhere else.
   */
  servers(settings: JsonObject, connection: JsonObject): Readonly<Record<string, ServerAddress>>;
  /** Sent with each request: `accept`, an API version. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The header in which the service takes an idempotency key. It is filled in for every POST, PUT, PATCH and DELETE.
   */
  readonly idempotencyHeader?: string;
  /**
   * Inspects every answer, for services that refuse with status 200 or in a format of their own. Undefined: decided
   * by status.
   */
  explain?(response: ServiceResponse): Explained | undefined;
  /** Seconds to wait if this answer used up the quota (`x-ratelimit-remaining: 0`). */
  pause?(response: ServiceResponse, now: Date): number | undefined;
  /** Default 30,000. */
  readonly timeoutMs?: number;
  /** Default 10 MB. */
  readonly maxBytes?: number;
}

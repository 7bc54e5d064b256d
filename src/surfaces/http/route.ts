/**
 * A route as data. The one array of routes (routes/index.ts) drives authentication, validation, the OpenAPI document and
 * the client's types. `permission` and `audit` are required, and "none" needs a reason.
 */
import type { z } from 'zod';
import type { AuditEventType } from '../../domain/audit.js';
import type { Plane } from '../../domain/plane.js';
import type { Permission, Principal } from '../../domain/principal.js';

/** Why something that is usually required is not. */
export interface None {
  readonly none: string;
}

/** A person's session, whatever else it may do: why that is enough. */
export interface SessionOnly {
  readonly session: string;
}

export type Access = Permission | SessionOnly | None;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The plane's answers are deeply read-only. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** One request, authenticated and validated. A route that needs no permission has no principal. */
export interface Call<Asks, Params, Query, Body> {
  readonly plane: Plane;
  readonly principal: Asks extends None ? undefined : Principal;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
  /** From `If-Match`: versions that the caller has read. */
  readonly ifMatch: readonly string[] | undefined;
}

/** A reply that is sent item by item instead of as one JSON document. */
export interface StreamReply {
  readonly mediaType: 'text/event-stream' | 'application/x-ndjson';
  readonly item: z.ZodType;
}

type OutputOf<Schema> = Schema extends z.ZodType<infer Value> ? Value : undefined;
type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type MaybeSchema = z.ZodType | undefined;

export interface RouteDefinition<
  Verb extends Method = Method,
  Path extends string = string,
  Asks extends Access = Access,
  Params extends MaybeSchema = MaybeSchema,
  Query extends MaybeSchema = MaybeSchema,
  Body extends MaybeSchema = MaybeSchema,
  Reply extends MaybeSchema = MaybeSchema,
> {
  readonly method: Verb;
  /** With `:name` for variable segments. */
  readonly path: Path;
  readonly summary: string;
  /** The permission that the principal needs; `none` also means that no credential is needed. */
  readonly permission: Asks;
  /** The audit events that the plane records. */
  readonly audit: readonly AuditEventType[] | None;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly reply?: Reply;
  /** Default 200, or 204 without a reply. */
  readonly status?: number;
  readonly stream?: StreamReply;
  /** The reply has a `version`, which is also its ETag; a PUT with a stale If-Match is refused with 412. */
  readonly versioned?: boolean;
  /** Refusals have the shape of the reply, besides problem details. */
  readonly refusesInReply?: boolean;
  handle(
    call: Call<Asks, OutputOf<Params>, OutputOf<Query>, OutputOf<Body>>,
  ): Promise<DeepReadonly<InputOf<Reply>> | Response>;
}

export type Route = RouteDefinition;

/** Returns its argument: gives `handle` its types from the schemas. */
export function defineRoute<
  const Verb extends Method,
  const Path extends string,
  const Asks extends Access,
  Params extends MaybeSchema = undefined,
  Query extends MaybeSchema = undefined,
  Body extends MaybeSchema = undefined,
  Reply extends MaybeSchema = undefined,
>(
  definition: RouteDefinition<Verb, Path, Asks, Params, Query, Body, Reply>,
): RouteDefinition<Verb, Path, Asks, Params, Query, Body, Reply> {
  return definition;
}

type Present<Key extends string, Schema> = Schema extends z.ZodType ? { [Name in Key]: z.input<Schema> } : unknown;
type Replied<Schema> = { reply: Schema extends z.ZodType ? z.output<Schema> : undefined };
type Flat<T> = { [Key in keyof T]: T[Key] };

/** The table that types the client, derived from the routes. */
export type ApiOf<Routes extends readonly unknown[]> = {
  [Entry in Routes[number] as Entry extends RouteDefinition<infer Verb, infer Path>
    ? `${Verb} ${Path}`
    : never]: Entry extends RouteDefinition<Method, string, Access, infer Params, infer Query, infer Body, infer Reply>
    ? Flat<Present<'params', Params> & Present<'query', Query> & Present<'body', Body> & Replied<Reply>>
    : never;
};

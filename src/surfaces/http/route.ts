/**
 * What a route is: data. The one array of routes (routes/index.ts) feeds authentication, validation, the OpenAPI
 * document and the client's types; `permission` and `audit` cannot be left out, and "none" needs its reason.
 */
import type { z } from 'zod';
import type { AuditEventType } from '../../domain/audit.js';
import type { Plane } from '../../domain/plane.js';
import type { Permission, Principal } from '../../domain/principal.js';

/** Why something that is usually required is not. */
export interface None {
  readonly none: string;
}

/** A person's session, whatever it may do besides: why that is enough. */
export interface SessionOnly {
  readonly session: string;
}

export type Access = Permission | SessionOnly | None;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What the plane answers is read-only through and through. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** One request, authenticated and validated. A route that asks for no permission has no principal. */
export interface Call<Asks, Params, Query, Body> {
  readonly plane: Plane;
  readonly principal: Asks extends None ? undefined : Principal;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
  /** Of `If-Match`: versions that the caller has read. */
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
  /** With `:name` for what varies. */
  readonly path: Path;
  readonly summary: string;
  /** What the plane asks of the principal; `none` also means that no credential is needed. */
  readonly permission: Asks;
  /** What the plane puts on record. */
  readonly audit: readonly AuditEventType[] | None;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly reply?: Reply;
  /** Default 200, or 204 where there is no reply. */
  readonly status?: number;
  readonly stream?: StreamReply;
  /** The reply has a `version`, which is also its ETag; a PUT that sends it back as If-Match is refused (412) when it is no longer so. */
  readonly versioned?: boolean;
  /** Refusals are answered in the shape of the reply, beside problem details. */
  readonly refusesInReply?: boolean;
  handle(
    call: Call<Asks, OutputOf<Params>, OutputOf<Query>, OutputOf<Body>>,
  ): Promise<DeepReadonly<InputOf<Reply>> | Response>;
}

export type Route = RouteDefinition;

/** Identity: gives `handle` its types from the schemas. */
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

/** The table that the client is typed by, as the routes say it. */
export type ApiOf<Routes extends readonly unknown[]> = {
  [Entry in Routes[number] as Entry extends RouteDefinition<infer Verb, infer Path>
    ? `${Verb} ${Path}`
    : never]: Entry extends RouteDefinition<Method, string, Access, infer Params, infer Query, infer Body, infer Reply>
    ? Flat<Present<'params', Params> & Present<'query', Query> & Present<'body', Body> & Replied<Reply>>
    : never;
};

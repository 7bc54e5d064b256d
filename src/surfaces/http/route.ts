/**
 * A route as data. The one array of routes (routes/index.ts) drives authentication, validation, the OpenAPI document and
 * the client's types. Permissions and audit events are those of its acts (domain/acts.ts).
 */
import type { z } from 'zod';
import { type Access, type Act, acts, type None } from '../../domain/acts.js';
import type { AuditEventType } from '../../domain/audit.js';
import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';

/**
 * The acts that a route runs, the main one first: its permissions are checked before the request is read, those of the
 * others when they run. `none`: why the route runs no act, and so needs no credential.
 */
export type Acts = readonly [Act, ...Act[]] | None;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The plane's answers are deeply read-only. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

type NameOf<Runs extends Acts> = Runs extends readonly Act[] ? Runs[number] : never;
type IsOpen<Runs extends Acts> = Runs extends readonly [infer Main extends Act, ...Act[]]
  ? (typeof acts)[Main]['permissions'] extends None
    ? true
    : false
  : true;

/** One request, authenticated and validated. A route that needs no permission has no principal. */
export interface Call<Runs extends Acts, Params, Query, Body> {
  /** The declared acts. */
  readonly plane: Pick<Plane, NameOf<Runs>>;
  readonly principal: IsOpen<Runs> extends true ? undefined : Principal;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
  /** From `If-Match`: versions that the caller has read. */
  readonly ifMatch: readonly string[] | undefined;
}

/** A reply that is sent item by item, or as text, instead of as one JSON document. */
export interface StreamReply {
  readonly mediaType: 'text/event-stream' | 'application/x-ndjson' | 'text/plain';
  readonly item: z.ZodType;
}

type OutputOf<Schema> = Schema extends z.ZodType<infer Value> ? Value : undefined;
type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type MaybeSchema = z.ZodType | undefined;

export interface RouteDefinition<
  Verb extends Method = Method,
  Path extends string = string,
  Runs extends Acts = Acts,
  Params extends MaybeSchema = MaybeSchema,
  Query extends MaybeSchema = MaybeSchema,
  Body extends MaybeSchema = MaybeSchema,
  Reply extends MaybeSchema = MaybeSchema,
> {
  readonly method: Verb;
  /** With `:name` for variable segments. */
  readonly path: Path;
  readonly summary: string;
  readonly acts: Runs;
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
    call: Call<Runs, OutputOf<Params>, OutputOf<Query>, OutputOf<Body>>,
  ): Promise<DeepReadonly<InputOf<Reply>> | Response>;
}

export type Route = RouteDefinition;

/** Returns its argument: gives `handle` its types from the schemas. */
export function defineRoute<
  const Verb extends Method,
  const Path extends string,
  const Runs extends Acts,
  Params extends MaybeSchema = undefined,
  Query extends MaybeSchema = undefined,
  Body extends MaybeSchema = undefined,
  Reply extends MaybeSchema = undefined,
>(
  definition: RouteDefinition<Verb, Path, Runs, Params, Query, Body, Reply>,
): RouteDefinition<Verb, Path, Runs, Params, Query, Body, Reply> {
  return definition;
}

/** What the caller needs. */
export function accessTo({ acts: runs }: Pick<Route, 'acts'>): Access {
  return 'none' in runs ? runs : acts[runs[0]].permissions;
}

/** The events that the route's acts may record. */
export function listAuditEvents({ acts: runs }: Pick<Route, 'acts'>): readonly AuditEventType[] | None {
  if ('none' in runs) return runs;
  const events = runs.flatMap((name): readonly AuditEventType[] => {
    const { audit } = acts[name];
    return 'none' in audit ? [] : audit;
  });
  return events.length === 0 ? acts[runs[0]].audit : [...new Set(events)];
}

type Present<Key extends string, Schema> = Schema extends z.ZodType ? { [Name in Key]: z.input<Schema> } : unknown;
type Replied<Schema> = { reply: Schema extends z.ZodType ? z.output<Schema> : undefined };
type Flat<T> = { [Key in keyof T]: T[Key] };

/** The table that types the client, derived from the routes. */
export type ApiOf<Routes extends readonly unknown[]> = {
  [Entry in Routes[number] as Entry extends RouteDefinition<infer Verb, infer Path>
    ? `${Verb} ${Path}`
    : never]: Entry extends RouteDefinition<Method, string, Acts, infer Params, infer Query, infer Body, infer Reply>
    ? Flat<Present<'params', Params> & Present<'query', Query> & Present<'body', Body> & Replied<Reply>>
    : never;
};

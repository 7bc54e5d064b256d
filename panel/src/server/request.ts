/** Requests to the REST API with the session of this browser. The types are the server's own; its code is not in the bundle. */
import type { Api } from '../../../src/api/index.js';

/** A refused or failed request, as the server explains it. `code` is `unreachable` if there was no answer. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly hint: string | undefined;

  constructor(body: { code?: string; detail?: string; hint?: string }, status: number) {
    super(body.detail ?? `HTTP ${status}`);
    this.code = body.code ?? 'internal';
    this.status = status;
    this.hint = body.hint;
  }
}

export type ApiKey = keyof Api;
type Part<Key extends ApiKey, Name extends string> = Name extends keyof Api[Key]
  ? { readonly [N in Name]: Api[Key][Name] }
  : { readonly [N in Name]?: never };
/** What a request of this route has: `params` of its path, `query`, `body`. `ifMatch`: the version that it changes. */
export type RequestOptions<Key extends ApiKey> = Part<Key, 'params'> &
  Partial<Part<Key, 'query'>> &
  Part<Key, 'body'> & { readonly ifMatch?: string | number };

/** The reply of a route. */
export type Reply<Key extends ApiKey> = Api[Key]['reply'];

interface AnyOptions {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly ifMatch?: string | number;
}

/** Sends one request and returns its reply. Throws a `Problem`. */
export async function send<Key extends ApiKey>(route: Key, options?: RequestOptions<Key>): Promise<Reply<Key>> {
  const { body, ifMatch, ...place } = (options ?? {}) as AnyOptions;
  const [method = 'GET'] = route.split(' ');
  const headers = new Headers({ accept: 'application/json' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (ifMatch !== undefined) headers.set('if-match', `"${ifMatch}"`);
  const response = await fetch(writeAddress(route, place), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Problem({ code: 'unreachable', detail: 'Helve does not answer' }, 0);
  });
  const reply = parseJson(await response.text());
  if (!response.ok) throw new Problem((reply ?? {}) as { code?: string }, response.status);
  return reply as Reply<Key>;
}

/** The path of a request, with its parameters and query. */
export function writeAddress(route: string, { params, query }: AnyOptions): string {
  const [, pattern = ''] = route.split(' ');
  const path = pattern.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params?.[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

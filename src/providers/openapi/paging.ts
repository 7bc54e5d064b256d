/**
 * Paged responses: which operations have them, by the names of their parameters, and how a response says that there is
 * more. The model gets `_page.next`, the arguments for the next call. The body itself stays unchanged.
 */
import type { JsonObject, JsonValue } from '../../domain/json.js';
import { isPlainObject } from '../../util/canonical.js';
import { parseUrl } from '../../util/parse-url.js';
import type { OperationInput } from './input-schema.js';
import type { Parameter } from './parameters.js';

type PagingKind = 'page' | 'offset' | 'cursor' | 'last_id';

export interface Paging {
  readonly kind: PagingKind;
  /** The argument that requests another page. */
  readonly key: string;
  readonly numeric: boolean;
  /** Query parameters that a link to the next page may set, as [name, key, numeric]. */
  readonly query: readonly (readonly [name: string, key: string, numeric: boolean])[];
}

/** In the order of preference. */
const kinds: readonly (readonly [PagingKind, RegExp])[] = [
  ['last_id', /^(?:starting_after)$/],
  [
    'cursor',
    /^(?:cursor|next_?cursor|after|after_?cursor|page_?token|next_?page_?token|next_?token|continuation_?token|continuation|marker|page_?cursor|pagination_?token|scroll_?id|\$skip_?token|page\[(?:after|cursor)\])$/i,
  ],
  ['page', /^(?:page|page_?number|page_?num|page_?index|page_?no|current_?page|page\[number\])$/i],
  ['offset', /^(?:offset|skip|\$skip|start|start_?index|start_?at|page\[offset\])$/i],
];

/** Returns how the operation pages; undefined if it does not. */
export function readPaging(input: OperationInput, parameters: readonly Parameter[]): Paging | undefined {
  if (input.grouped) return undefined;
  const query = parameters.flatMap(({ name, in: place, schema }, index) => {
    const key = input.parameters[index]?.key;
    return place === 'query' && key !== undefined ? [[name, key, isNumeric(schema)] as const] : [];
  });
  for (const [kind, pattern] of kinds) {
    const found = query.find(([name]) => pattern.test(name));
    if (found) return { kind, key: found[1], numeric: found[2], query };
  }
  return undefined;
}

const isNumeric = (schema: unknown): boolean =>
  isPlainObject(schema) && (schema.type === 'integer' || schema.type === 'number');

export interface PagedAnswer {
  readonly body: JsonValue;
  /** From the `Link` header. */
  readonly link: string | undefined;
  readonly input: JsonObject;
}

/** Returns the body with `_page`; a list is put under `items`. */
export function withPage(paging: Paging, answer: PagedAnswer): JsonValue {
  const { body } = answer;
  const next = nextArguments(paging, answer);
  const page: JsonObject = next === undefined ? {} : { next };
  if (Array.isArray(body)) return { items: body, _page: page };
  if (!isPlainObject(body) || Object.hasOwn(body, '_page')) return body;
  return { ...(body as JsonObject), _page: page };
}

function nextArguments(paging: Paging, { body, link, input }: PagedAnswer): JsonObject | undefined {
  const linked = link === undefined ? undefined : /<([^<>]*)>\s*;[^<,]*rel="?next"?/i.exec(link.slice(0, 8_000))?.[1];
  if (linked !== undefined) return fromUrl(paging, linked);
  if (!isPlainObject(body)) return undefined;
  const url = find(body, nextUrls);
  if (typeof url === 'string' && /^(?:https?:|\/|\?)/.test(url)) return fromUrl(paging, url);
  const value = nextValues[paging.kind](paging, body, input[paging.key]);
  return value === undefined ? undefined : { [paging.key]: value };
}

/** Only parameters of the operation that select the page: the rest of the call stays unchanged. */
function fromUrl({ query }: Paging, url: string): JsonObject | undefined {
  const asked = parseUrl(url, 'https://host.invalid')?.searchParams;
  const entries = query.flatMap(([name, key, numeric]) => {
    const text = asked?.get(name);
    if (text === undefined || text === null) return [];
    return [[key, numeric ? toNumber(text) : text] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

const nextUrls = paths(`next next_url nextUrl next_page_url nextPageUrl next_page nextLink @odata.nextLink next_link
  links.next links.next.href _links.next _links.next.href paging.next pagination.next pagination.next_url meta.next meta.next_url`);
const cursors = paths(`next_cursor nextCursor next_page_token nextPageToken next_token nextToken NextToken NextMarker
  continuationToken continuation_token ContinuationToken pagination_token response_metadata.next_cursor meta.next_cursor
  meta.next_token meta.cursor.next meta.after pagination.next_cursor pagination.nextCursor pagination.cursor pagination.next
  paging.next.after paging.cursors.after page.next_cursor page_info.end_cursor pageInfo.endCursor cursor.next cursor next scroll_id`);
const more = paths(
  'has_more hasMore has_next hasNext has_next_page pagination.has_more page_info.has_next_page pageInfo.hasNextPage',
);
const nextPages = paths(
  'next_page nextPage pagination.next_page pagination.nextPage meta.next_page meta.pagination.next_page',
);
const thisPages = paths(
  'page current_page currentPage pagination.page pagination.current_page meta.page meta.current_page meta.pagination.current_page',
);
const lastPages = paths(`total_pages totalPages pages last_page lastPage page_count pageCount pagination.total_pages
  pagination.totalPages pagination.pages pagination.last_page meta.total_pages meta.last_page meta.pagination.total_pages`);
const totals = paths(
  'total total_count totalCount total_items totalItems count pagination.total meta.total meta.total_count',
);

/** Only in `@odata.nextLink` is the dot part of the name. */
function paths(text: string): readonly (readonly string[])[] {
  return text.split(/\s+/).map((path) => (path.startsWith('@') ? [path] : path.split('.')));
}

/** The first of the locations with a value. */
function find(body: Record<string, unknown>, places: readonly (readonly string[])[]): unknown {
  for (const place of places) {
    let value: unknown = body;
    for (const name of place) value = isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    if (value !== undefined && value !== null && value !== '' && !isPlainObject(value)) return value;
  }
  return undefined;
}

/** `asked`: the argument that requested this page. */
type NextValue = (paging: Paging, body: Record<string, unknown>, asked?: JsonValue) => JsonValue | undefined;

const nextValues: Readonly<Record<PagingKind, NextValue>> = {
  cursor: nextCursor,
  last_id: lastId,
  page: nextPage,
  offset: nextOffset,
};

function nextCursor({ numeric }: Paging, body: Record<string, unknown>): JsonValue | undefined {
  if (find(body, more) === false) return undefined;
  const value = find(body, cursors);
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return numeric ? toNumber(value) : String(value);
}

/** Digits that a JavaScript number cannot hold stay text: a rounded cursor leads to another page. */
function toNumber(value: string | number): string | number {
  const number = Number(value);
  return Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : String(value);
}

function lastId(_: Paging, body: Record<string, unknown>): JsonValue | undefined {
  const last: unknown = toList(body)?.at(-1);
  return find(body, more) === true && isPlainObject(last) && typeof last.id === 'string' ? last.id : undefined;
}

function nextPage({ numeric }: Paging, body: Record<string, unknown>, asked?: JsonValue): JsonValue | undefined {
  const next = find(body, nextPages);
  if (typeof next === 'number') return written(next, numeric);
  const page = Number(find(body, thisPages) ?? asked ?? 1);
  const hasMore = find(body, more) === true || page < Number(find(body, lastPages));
  return hasMore ? written(page + 1, numeric) : undefined;
}

function nextOffset({ numeric }: Paging, body: Record<string, unknown>, asked?: JsonValue): JsonValue | undefined {
  const offset = Number(asked ?? 0);
  const reached = offset + (toList(body)?.length ?? 0);
  const hasMore = find(body, more) === true || reached < Number(find(body, totals));
  return hasMore && reached > offset ? written(reached, numeric) : undefined;
}

const written = (value: number, numeric: boolean): JsonValue => (numeric ? value : String(value));

function toList(body: Record<string, unknown>): unknown[] | undefined {
  const named = body.data ?? body.items ?? body.results;
  if (Array.isArray(named)) return named;
  const lists = Object.values(body).filter(Array.isArray);
  return lists.length === 1 ? lists[0] : undefined;
}

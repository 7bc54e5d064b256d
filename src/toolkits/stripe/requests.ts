/** What tools ask Stripe in more than one place: pages, searches, writes, and the sides that answers leave out. */
import type { ServiceClient } from '../../domain/service.js';
import { formOf, type Parameters, queryOf } from './form.js';

export const read = <Raw>(service: ServiceClient, path: string, parameters: Parameters = {}): Promise<Raw> =>
  service.json<Raw>({ path, query: queryOf(parameters) });

interface RawList<Raw> {
  readonly data: readonly Raw[];
  readonly has_more: boolean;
}

export interface ListInput {
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
}

/** `next` is the id after which the following page starts. */
export async function readPage<Raw extends { readonly id: string }>(
  service: ServiceClient,
  path: string,
  { created_after, created_before, ...parameters }: ListInput & Parameters,
): Promise<{ readonly data: readonly Raw[]; readonly next: string | undefined }> {
  const created = { gte: seconds(created_after), lte: seconds(created_before) };
  const { data, has_more } = await read<RawList<Raw>>(service, path, { ...parameters, created });
  return { data, next: has_more ? data.at(-1)?.id : undefined };
}

interface RawSearch<Raw> {
  readonly data: readonly Raw[];
  readonly has_more: boolean;
  readonly next_page?: string | null;
}

export async function search<Raw>(service: ServiceClient, path: string, parameters: Parameters) {
  const { data, has_more, next_page } = await read<RawSearch<Raw>>(service, path, parameters);
  return { data, next: has_more ? (next_page ?? undefined) : undefined };
}

/** A POST or DELETE, sent again under its idempotency key until it is answered. */
export function write<Raw>(
  service: ServiceClient,
  path: string,
  parameters: Parameters = {},
  method: 'POST' | 'DELETE' = 'POST',
): Promise<Raw> {
  return service.json<Raw>({ method, path, form: formOf(parameters) });
}

/** An address below `/v1`; each part is one segment. */
export const at = (...parts: readonly string[]): string => ['/v1', ...parts.map(encodeURIComponent)].join('/');

const seconds = (time: string | undefined): number | undefined =>
  time === undefined ? undefined : Math.floor(Date.parse(time) / 1_000);

/** Seconds since 1970, as ISO 8601. */
export const instant = (time: number | null | undefined): string | undefined =>
  typeof time === 'number' ? new Date(time * 1_000).toISOString() : undefined;

/** The other way, for parameters. */
export const epoch = seconds;

export const given = <Value>(value: Value | null | undefined): Value | undefined => value ?? undefined;

export type Reference = string | { readonly id: string } | null | undefined;

/** What Stripe gives as an id, or whole where it was asked to. */
export const idOf = (reference: Reference): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id;

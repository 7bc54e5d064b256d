/** The filter of the calls, as it is in the address, and as the server takes it. */
import type { RequestOptions } from '../server/request.js';

export const filterNames = [
  'q',
  'status',
  'actor',
  'tool',
  'toolkit',
  'connection',
  'rule',
  'error',
  'risk',
  'since',
] as const;
export type CallSearch = { readonly [Name in (typeof filterNames)[number]]?: string | undefined };
export type CallQuery = NonNullable<RequestOptions<'GET /api/executions/facets'>['query']>;

export const statuses = ['running', 'ok', 'failed', 'refused', 'interrupted'] as const;
/** Milliseconds. */
export const spans = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

export function readFilter({ q, since, status, risk, ...same }: CallSearch, now: number): CallQuery {
  const span = spans[since as keyof typeof spans];
  return {
    ...same,
    text: q,
    status: statuses.find((each) => each === status),
    risk: (['read', 'write', 'destructive'] as const).find((each) => each === risk),
    since: span === undefined ? undefined : new Date(now - span).toISOString(),
  };
}

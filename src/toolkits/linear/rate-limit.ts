/** Linear's limits: requests per hour, and the complexity of queries. Its times are milliseconds since 1970. */
import type { ServiceResponse } from '../../domain/service.js';

const kinds = ['requests', 'complexity', 'endpoint-requests'] as const;
/** These two count all calls of an account together, the third only those to one endpoint. */
const shared = ['requests', 'complexity'] as const;

export function pauseSeconds({ headers }: ServiceResponse, now: Date): number | undefined {
  return untilReset(headers, shared, now.getTime());
}

/** Returns how long a refused call must wait; undefined if Linear does not say. */
export function refusedForSeconds({ headers }: ServiceResponse): number | undefined {
  return untilReset(headers, kinds, Date.now());
}

/** Returns the longest wait among the limits that are used up, by Linear's clock if the answer has a date. */
function untilReset(
  headers: ServiceResponse['headers'],
  limits: readonly (typeof kinds)[number][],
  now: number,
): number | undefined {
  const theirs = Date.parse(headers.date ?? '');
  const waits = limits.flatMap((limit) => {
    const remaining = headers[`x-ratelimit-${limit}-remaining`];
    const reset = Number(headers[`x-ratelimit-${limit}-reset`] ?? Number.NaN);
    if (remaining === undefined || Number(remaining) > 0 || !Number.isFinite(reset)) return [];
    return [Math.max(1, Math.ceil((reset - (Number.isFinite(theirs) ? theirs : now)) / 1_000))];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

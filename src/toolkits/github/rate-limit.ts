/** GitHub's two kinds of limits: a number of requests per hour, and secondary limits on requests in quick succession. */
import type { ServiceResponse } from '../../domain/service.js';

/** The wait that GitHub's documentation asks for if a secondary limit names none. */
const secondaryLimitSeconds = 60;

/** Seconds to wait if this answer is a refusal because of a limit, else undefined. */
export function refusedForSeconds(response: ServiceResponse, message: string): number | undefined {
  if (response.status !== 403 && response.status !== 429) return undefined;
  const { headers } = response;
  const retryAfter = Number.parseInt(headers['retry-after'] ?? '', 10);
  if (Number.isFinite(retryAfter)) return Math.max(1, retryAfter);
  if (headers['x-ratelimit-remaining'] === '0') return untilReset(headers, Date.now()) ?? secondaryLimitSeconds;
  return response.status === 429 || /rate limit/i.test(message) ? secondaryLimitSeconds : undefined;
}

/**
 * Only the limit that all calls share makes other calls wait. Searches have small limits of their own, which are used up
 * within minutes; a refused search itself says how long to wait.
 */
export function pauseSeconds({ headers }: ServiceResponse, now: Date): number | undefined {
  if (headers['x-ratelimit-remaining'] !== '0' || (headers['x-ratelimit-resource'] ?? 'core') !== 'core')
    return undefined;
  return untilReset(headers, now.getTime());
}

/** Measured by GitHub's clock if the answer has a date, because the time of the reset comes from that clock. */
function untilReset(headers: ServiceResponse['headers'], now: number): number | undefined {
  const reset = Number.parseInt(headers['x-ratelimit-reset'] ?? '', 10);
  if (!Number.isFinite(reset)) return undefined;
  const theirs = Date.parse(headers.date ?? '');
  return Math.max(1, Math.ceil(reset - (Number.isFinite(theirs) ? theirs : now) / 1_000));
}

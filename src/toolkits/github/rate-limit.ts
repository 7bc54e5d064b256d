/** GitHub's two kinds of limits: a number of requests an hour, and secondary ones against haste. */
import type { ServiceResponse } from '../../domain/service.js';

/** What GitHub asks for when a secondary limit comes without a time. */
const secondaryLimitSeconds = 60;

/** Seconds to wait if this answer is a refusal for haste, else undefined. */
export function refusedForSeconds(response: ServiceResponse, message: string): number | undefined {
  if (response.status !== 403 && response.status !== 429) return undefined;
  const { headers } = response;
  const retryAfter = Number.parseInt(headers['retry-after'] ?? '', 10);
  if (Number.isFinite(retryAfter)) return Math.max(1, retryAfter);
  if (headers['x-ratelimit-remaining'] === '0') return untilReset(headers, Date.now()) ?? secondaryLimitSeconds;
  return response.status === 429 || /rate limit/i.test(message) ? secondaryLimitSeconds : undefined;
}

/**
 * Only the limit that all calls share stops the others: searches have small ones of their own, which are used up
 * every few minutes, and their refusal says when to come back.
 */
export function pauseSeconds({ headers }: ServiceResponse, now: Date): number | undefined {
  if (headers['x-ratelimit-remaining'] !== '0' || (headers['x-ratelimit-resource'] ?? 'core') !== 'core')
    return undefined;
  return untilReset(headers, now.getTime());
}

/** By the clock of GitHub, which also wrote the time of the reset, where it says what time it has. */
function untilReset(headers: ServiceResponse['headers'], now: number): number | undefined {
  const reset = Number.parseInt(headers['x-ratelimit-reset'] ?? '', 10);
  if (!Number.isFinite(reset)) return undefined;
  const theirs = Date.parse(headers.date ?? '');
  return Math.max(1, Math.ceil(reset - (Number.isFinite(theirs) ? theirs : now) / 1_000));
}

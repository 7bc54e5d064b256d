/** How Slack signs its requests: HMAC-SHA-256 of `v0:<seconds>:<body>`, at most five minutes old. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { HelveError } from '../../../domain/errors.js';

const freshSeconds = 300;

export interface SignedRequest {
  readonly body: Uint8Array;
  readonly headers: Headers;
}

/** When a request signed at this time is certainly too old, in milliseconds since 1970. */
export const expiryOf = (seconds: number): number => (seconds + freshSeconds + 1) * 1_000;

/** Returns the signature, and when it was made, in seconds. Throws `unauthenticated`. */
export function requireSigned({ body, headers }: SignedRequest, secret: string | undefined, now: Date) {
  const time = headers.get('x-slack-request-timestamp') ?? '';
  const given = headers.get('x-slack-signature') ?? '';
  // Compared without a secret too, so that the time does not tell whether there is one.
  const signed = createHmac('sha256', secret ?? 'no channel')
    .update(`v0:${time}:`)
    .update(body)
    .digest('hex');
  const [expected, actual] = [Buffer.from(`v0=${signed}`), Buffer.from(given)];
  const isEqual = actual.length === expected.length && timingSafeEqual(actual, expected);
  if (!isEqual || secret === undefined)
    throw refused('it is not signed by the app of the channel', 'Check the signing secret of the channel.');
  const seconds = /^[1-9]\d{0,11}$/.test(time) ? Number(time) : Number.NaN;
  // Written so that NaN is refused.
  if (!(Math.abs(now.getTime() / 1_000 - seconds) <= freshSeconds))
    throw refused('it is too old', 'Check the clock of this machine: a request from Slack is valid for five minutes.');
  return { signature: given, seconds };
}

export const refused = (why: string, hint: string): HelveError =>
  new HelveError('unauthenticated', `The request from Slack is not accepted: ${why}`, { hint });

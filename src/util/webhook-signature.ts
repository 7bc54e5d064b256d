/**
 * Standard Webhooks (standardwebhooks.com): how to sign a webhook, and how its receiver verifies it.
 *
 * The verifying side is ours and not the library's because it must work on the raw bytes, refuse what can be read in
 * two ways (a header given twice, an id that could claim part of the body), and remember ids.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { HelveError } from '../domain/errors.js';

/** Headers as frameworks provide them: a `Headers`, an object (Node's too), or pairs. */
export type WebhookHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Stores accepted ids, so that none is accepted twice. */
export interface SeenWebhooks {
  /**
   * Returns false if the id is already stored. Must store it until `expiresAt` (seconds); after that its timestamp is
   * refused anyway.
   */
  claim(id: string, expiresAt: number): boolean | Promise<boolean>;
}

export interface VerifyOptions {
  /** Seconds. Default: now. */
  readonly now?: number;
  /** How far the sender's clock may be off, in either direction. Default 300. */
  readonly toleranceSeconds?: number;
  readonly seen?: SeenWebhooks;
}

export interface SignedMessage {
  readonly id: string;
  /** Seconds. */
  readonly timestamp: number;
  readonly body: string | Uint8Array;
}

export type WebhookHeader = 'webhook-id' | 'webhook-timestamp' | 'webhook-signature';

export interface VerifiedWebhook {
  readonly id: string;
  readonly timestamp: number;
}

const minKeyBytes = 24;
const maxSecrets = 10;
const maxSignatures = 20;

/**
 * Visible ASCII without comma and dot: `id.timestamp.body` is signed, and an id with dots could claim the start of
 * another message's body.
 */
const idPattern = /^[!-+/-~-]{1,255}$/;

/**
 * Returns the three headers. Several secrets give several signatures, so that a secret can be replaced without a gap.
 */
export function signWebhook(
  secrets: string | readonly string[],
  message: SignedMessage,
): Record<WebhookHeader, string> {
  const { id, timestamp } = message;
  if (!isId(id))
    throw new HelveError(
      'invalid_input',
      'The id of a webhook must be 1 to 255 visible ASCII characters without a dot or comma',
    );
  if (!Number.isSafeInteger(timestamp) || timestamp <= 0) {
    throw new HelveError('invalid_input', 'The timestamp of a webhook must be a whole number of seconds');
  }
  const signatures = listKeys(secrets).map((key) => `v1,${signature(key, id, String(timestamp), message.body)}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

/**
 * Verifies a webhook. `rawBody`: the received bytes, before anything parsed them. Throws `unauthenticated` (401),
 * saying which part failed.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const { now = Math.floor(Date.now() / 1_000), toleranceSeconds = 300, seen } = options;
  const keys = listKeys(secrets);
  const [id, sentAt, signatures] = readHeaders(headers);
  if (!isId(id)) throw refused('its webhook-id is malformed');
  const timestamp = /^[1-9]\d{0,11}$/.test(sentAt) ? Number(sentAt) : Number.NaN;
  // Written so that a timestamp or tolerance that is not a number is refused.
  if (!(Math.abs(now - timestamp) <= toleranceSeconds)) {
    throw refused(
      Number.isNaN(timestamp) ? 'its webhook-timestamp is malformed' : 'its webhook-timestamp is too far off',
    );
  }
  const given = signatures.split(' ');
  if (given.length > maxSignatures) throw refused('it has too many signatures');
  // If a proxy joined two headers, the first signature ends with a comma.
  if (!given.every((one) => /^[A-Za-z0-9]+,[^,]+$/.test(one))) throw refused('its webhook-signature is malformed');
  const offered = given.filter((one) => one.startsWith('v1,')).map((one) => Buffer.from(one.slice(3)));
  const expected = keys.map((key) => Buffer.from(signature(key, id, sentAt, rawBody)));
  if (!someEqual(offered, expected)) throw refused('no signature matches');
  // Last, so that only the holder of the secret can use up an id.
  if (seen && !(await seen.claim(id, timestamp + toleranceSeconds + 1))) throw refused('it was received before');
  return { id, timestamp };
}

/** Decodes `whsec_` and base64 of at least 24 bytes; undefined for anything else. */
export function webhookKey(secret: string): Buffer | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  if (encoded === undefined) return undefined;
  const key = Buffer.from(encoded, 'base64');
  return key.length >= minKeyBytes && key.toString('base64') === encoded ? key : undefined;
}

function listKeys(secrets: string | readonly string[]): Buffer[] {
  const list = typeof secrets === 'string' ? [secrets] : secrets;
  if (list.length === 0 || list.length > maxSecrets) {
    throw new HelveError('invalid_config', `Webhooks need from 1 to ${maxSecrets} secrets`);
  }
  return list.map((secret) => {
    const key = webhookKey(secret);
    if (key) return key;
    throw new HelveError(
      'invalid_config',
      'A webhook secret must be whsec_ followed by the base64 of at least 24 bytes',
      {
        hint: 'Make one: echo "whsec_$(openssl rand -base64 32)"',
      },
    );
  });
}

const isId = (id: string): boolean => idPattern.test(id);

function signature(key: Buffer, id: string, timestamp: string, body: string | Uint8Array): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

/** Compares every pair, even after a match, so that the time reveals nothing. */
function someEqual(offered: readonly Buffer[], expected: readonly Buffer[]): boolean {
  let equal = 0;
  for (const one of offered) {
    for (const other of expected) equal += one.length === other.length && timingSafeEqual(one, other) ? 1 : 0;
  }
  return equal > 0;
}

function readHeaders(headers: WebhookHeaders): [string, string, string] {
  const values = new Map<string, string[]>();
  const pairs = Symbol.iterator in headers ? headers : Object.entries(headers);
  for (const [name, value] of pairs as Iterable<[string, string | readonly string[] | undefined]>) {
    const key = name.toLowerCase();
    if (value !== undefined)
      values.set(key, [...(values.get(key) ?? []), ...(typeof value === 'string' ? [value] : value)]);
  }
  return [one(values, 'webhook-id'), one(values, 'webhook-timestamp'), one(values, 'webhook-signature')];
}

function one(values: ReadonlyMap<string, string[]>, name: string): string {
  const [value, second] = values.get(name) ?? [];
  if (value === undefined || value === '') throw refused(`it has no ${name}`);
  if (second !== undefined) throw refused(`it has more than one ${name}`);
  return value;
}

const refused = (why: string): HelveError =>
  new HelveError('unauthenticated', `The webhook is not accepted: ${why}`, {
    hint: 'Check the shared secret, the clock, and that the body is verified byte for byte as it was received.',
  });

/**
 * Whether a name says that its value is secret: judged by its words, however they are joined, and by their combination.
 */
import { remembered } from '../util/remembered.js';

export type NameKind = 'secret' | 'number' | 'plain';

/** Secret anywhere in a name, as a word or at the end of a longer word. */
const strong =
  /^(?:pw|pwd|psk|pat|jwt|jwe|dsn|passcode|mnemonic|bearer|cookie|credential|cred|secret|.*(?:password|passwd|passphrase|credential|secret|apikey|authkey|privatekey|secretkey|accesskey|signingkey|(?:access|auth|refresh|bearer|api|session|bot|user|id|csrf|xsrf|oauth|personal|webhook)token))$/;
/** Secret at the end of a name only: `token_count` and `pass_through` are something else. */
const closing = new Set([
  'token',
  'pass',
  'auth',
  'authorization',
  'signature',
  'session',
  'sid',
  'passkey',
  'hmac',
  'cert',
  'pem',
]);
/** Secret even if the value is a number; all other numbers are measures. */
const short = new Set(['otp', 'totp', 'pin', 'ssn', 'cvv', 'cvc', 'csc']);
/** The purpose of a key, a code or a phrase makes it secret. */
const pairs: ReadonlyMap<string, RegExp> = new Map([
  [
    'key',
    /^(?:api|access|private|secret|encryption|signing|auth|account|shared|master|service|license|ssh|deploy|subscription|client|session|storage|consumer|application|webhook|write|admin|host|host_key|hmac|rsa)$/,
  ],
  ['code', /^(?:otp|mfa|2fa|verification|auth|authorization|security|recovery|backup|passcode|pin|login)$/],
  ['phrase', /^(?:seed|recovery|pass|secret)$/],
  ['number', /^(?:card|security|pan)$/],
  ['string', /^(?:connection|conn)$/],
  ['id', /(?:session|^sess|^secret)$/],
  ['hash', /^(?:password|pass)$/],
  ['url', /^(?:database|db|redi|redis|mongo|mongodb|postgres|webhook_secret)$/],
]);
/** At the end of a name, these say that the name is about a secret, or a measure of it. */
const about =
  /^(?:audience|issuer|question|id|recording|count|limit|max|min|length|size|polic(?:y|ie)|type|kind|expire|expiry|expiration|expired|expiring|at|uri|name|enabled|disabled|required|require|strength|hint|age|ttl|scope|status|format|field|rotation|version|endpoint|scanning|alert|protection|visibility|location|reason|bypass|resolution|pattern|setting|budget|usage|cost|price|change|reset|algorithm|mode|method|label|title|description|day|hour|minute|second|ms|provider|state|only|supported|allowed|push|validity|date|time|until|from|by|per)$/;
/** Before `token`: a position in a list, or a count of words. */
const place =
  /^(?:page|scroll|next|prev|previous|continuation|continue|cursor|sync|resume|start|delta|max|min|total|prompt|completion|input|output|cached|reasoning|num|number|stop|special|idempotency|request|change|skip|pagination|paging)$/;

const words = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** `number`: a secret unless the value is a number or a boolean. For a long name, the last 200 characters decide. */
export const getKind = (name: string): NameKind => kindOfShort(name.slice(-200));

const kindOfShort = remembered(5_000, (name: string): NameKind => {
  const all = words(name).map((word) => (word.length > 3 ? word.replace(/(?<![su])s$/, '') : word));
  const last = all.at(-1) ?? '';
  const before = all.slice(0, -1);
  if (short.has(last)) return 'secret';
  if (pairs.get(last)?.test(before.at(-1) ?? '')) return 'secret';
  if (all.includes('scanning') || about.test(last.replace(/\d+$/, ''))) return 'plain';
  if (last === 'token' && before.some((word) => place.test(word))) return 'plain';
  return all.some((word) => strong.test(word)) || closing.has(last) ? 'number' : 'plain';
});

export const isSecret = (name: string, value: unknown): boolean => isSecretOfKind(getKind(name), value);

/** Whether a value is secret under a name of this kind. */
export function isSecretOfKind(kind: NameKind, value: unknown): boolean {
  if (kind === 'plain' || value === null) return false;
  return kind === 'secret' || (typeof value !== 'number' && typeof value !== 'boolean');
}

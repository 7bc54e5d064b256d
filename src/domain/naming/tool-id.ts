/**
 * The identity of a tool, apart from how it is written: its toolkit and its name, as the provider gives them.
 *
 * Every written form is injective by construction. A form is natural if its own rule can decode it to the same
 * identity; otherwise it ends in a fingerprint of that identity. So a name depends only on the tool it names: it
 * stays the same when other tools come and go, and no other tool can take it.
 *
 * The fingerprint is SHA-256 from node:crypto, cut to 64 bits: hostile names must not be able to imitate the
 * fingerprint of another tool, which rules out small non-cryptographic hashes.
 */
import { createHash } from 'node:crypto';

/** A tool's identity. Both parts are the provider's own names, for example `github` and `create_issue`. */
export interface ToolId {
  readonly toolkit: string;
  readonly name: string;
}

/** Hexadecimal digits of an ordinary fingerprint. */
const fingerprintLength = 16;

/** Longer parts are shortened in every form, so that every written form has a maximum length. */
export const naturalLength = 100;

/** The first `length` hexadecimal digits of a SHA-256 over the parts; JSON keeps `['a','b']` apart from `['ab']`. */
export function fingerprint(parts: readonly (string | undefined)[], length: number = fingerprintLength): string {
  const text = JSON.stringify(parts.map((part) => part ?? null));
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

const fingerprintTail = /(?:^|_)[0-9a-f]{16,}$/i;

/** Whether a form ends like a fingerprinted one; such a form is never natural, so it cannot be imitated. */
export function looksFingerprinted(form: string): boolean {
  return fingerprintTail.test(form);
}

/** The readable part of hostile text: ASCII words joined by `_`, starting with a letter. */
export function readable(text: string, fallback: string): string {
  const words = text.slice(0, naturalLength).match(/[A-Za-z0-9]+/g);
  const joined = words?.join('_').slice(0, 40) ?? '';
  const tidy = joined.replace(/_+$/, '');
  if (tidy === '') return fallback;
  return /^[A-Za-z]/.test(tidy) ? tidy : `${fallback}_${tidy}`;
}

/** Map key of an identity; the length says where the toolkit ends, for any content. */
export function getKey(id: ToolId): string {
  return `${id.toolkit.length}:${id.toolkit}:${id.name}`;
}

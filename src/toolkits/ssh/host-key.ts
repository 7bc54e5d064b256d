/**
 * The one key that a machine may show. Only key types that match the pinned key are requested, so that a machine with
 * several keys shows the right one.
 */
import { createHash } from 'node:crypto';
import { HelveError } from '../../domain/errors.js';

export interface HostKey {
  readonly fingerprint: string;
  /** Names of signature algorithms, in order of preference. */
  readonly algorithms: readonly (typeof signatures)[number][];
}

const signatures = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
] as const;

const keyLine = '(?:ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa) AAAA[A-Za-z0-9+/]+={0,2}(?: .*)?';

/** For the settings schema. */
export const hostKeyPattern = new RegExp(`^(?:SHA256:[A-Za-z0-9+/]{43}=?|${keyLine})$`);

/** Throws `invalid_config` naming `setting` if the text of the key was cut or altered. */
export function parseHostKey(text: string, setting: string): HostKey {
  if (text.startsWith('SHA256:')) return { fingerprint: text.replace(/=$/, ''), algorithms: signatures };
  const [type = '', encoded = ''] = text.split(' ');
  const key = Buffer.from(encoded, 'base64');
  if (!isWhole(key, type)) {
    throw new HelveError('invalid_config', `${setting} in helve.yaml is not a complete ${type} key`, {
      hint: 'The operator must copy it again: ssh-keyscan shows it, and somebody who knows the machine confirms it.',
    });
  }
  const algorithms = signatures.filter((name) => name === type || (type === 'ssh-rsa' && name.startsWith('rsa-')));
  return { fingerprint: computeFingerprint(key), algorithms };
}

/** In the format of `ssh-keygen -l`. */
export function computeFingerprint(key: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** A key is a sequence of length-prefixed fields; the first is its type. */
function isWhole(key: Buffer, type: string): boolean {
  const pieces: Buffer[] = [];
  let at = 0;
  while (at + 4 <= key.length) {
    const end = at + 4 + key.readUInt32BE(at);
    pieces.push(key.subarray(at + 4, end));
    at = end;
  }
  return at === key.length && pieces.length > 1 && pieces[0]?.toString('latin1') === type;
}

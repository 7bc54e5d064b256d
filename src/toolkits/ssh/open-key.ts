/**
 * Decrypts a private key into a form that ssh2 reads. Runs in a worker, because key derivation is deliberately slow.
 */
import ssh2 from 'ssh2';

export interface LockedKey {
  readonly text: string;
  readonly passphrase: string;
}

/** PEM text. Undefined: the passphrase is wrong, or the text does not contain a private key. */
export function openKey({ text, passphrase }: LockedKey): string | undefined {
  const parsed = ssh2.utils.parseKey(text, passphrase);
  if (parsed instanceof Error || !parsed.isPrivateKey()) return undefined;
  const pem = parsed.getPrivatePEM();
  if (parsed.type !== 'ssh-ed25519') return pem;
  // A PKCS 8 key of Ed25519 ends with its 32 bytes; ssh2 reads only OpenSSH's own form.
  const seed = Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64').subarray(-32);
  return writeOpenSsh(parsed.type, parsed.getPublicSSH(), seed);
}

function writeOpenSsh(type: string, publicKey: Buffer, seed: Buffer): string {
  const point = publicKey.subarray(-32);
  const inner = Buffer.concat([
    Buffer.alloc(8),
    withLength(Buffer.from(type)),
    withLength(point),
    withLength(Buffer.concat([seed, point])),
    withLength(Buffer.alloc(0)),
  ]);
  const padding = Buffer.from(Array.from({ length: (8 - (inner.length % 8)) % 8 }, (_, index) => index + 1));
  const whole = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    withLength(Buffer.from('none')),
    withLength(Buffer.from('none')),
    withLength(Buffer.alloc(0)),
    Buffer.from([0, 0, 0, 1]),
    withLength(publicKey),
    withLength(Buffer.concat([inner, padding])),
  ]);
  const label = 'OPENSSH PRIVATE KEY';
  return `-----BEGIN ${label}-----\n${whole.toString('base64').replace(/(.{70})/g, '$1\n')}\n-----END ${label}-----`;
}

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/**
 * Envelope encryption: each secret has its own key, which is sealed under a master key. Both are AES-256-GCM with a
 * full tag, and both are bound to the secret's place, so that a row that was moved, cut or altered does not open.
 *
 * Form: `v1.<key id>.<sealed key>.<sealed secret>`, each part base64url of iv ‖ ciphertext ‖ tag.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** What a secret belongs to: it opens only for that. */
export interface SecretPlace {
  readonly workspaceId: string;
  /** `connection:<id>`, `auth_config:<provider>`, `flow:<id>`, `approval:<id>`. */
  readonly subject: string;
}

export interface MasterKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

const version = 'v1';
const ivBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

export function sealSecret(master: MasterKey, place: SecretPlace, plaintext: string): string {
  const key = randomBytes(keyBytes);
  const secret = encrypt(key, getBinding(master.id, place, 'secret'), Buffer.from(plaintext, 'utf8'));
  return assemble(master, place, key, secret);
}

/** Returns the secret, or undefined for anything that was not sealed here, for this place, under this key. */
export function openSecret(master: MasterKey, place: SecretPlace, sealed: string): string | undefined {
  const parts = split(sealed);
  if (!parts || parts.keyId !== master.id) return undefined;
  const key = decrypt(master.key, getBinding(master.id, place, 'key'), parts.key);
  const secret = key && decrypt(key, getBinding(master.id, place, 'secret'), parts.secret);
  return secret?.toString('utf8');
}

/** Returns the id of the key that a text is sealed under; undefined if it is no sealed text. */
export function getKeyId(sealed: string): string | undefined {
  return split(sealed)?.keyId;
}

function assemble(master: MasterKey, place: SecretPlace, key: Buffer, secret: Buffer): string {
  const wrapped = encrypt(master.key, getBinding(master.id, place, 'key'), key);
  return [version, master.id, wrapped.toString('base64url'), secret.toString('base64url')].join('.');
}

function getBinding(keyId: string, { workspaceId, subject }: SecretPlace, part: 'key' | 'secret'): Buffer {
  return Buffer.from(JSON.stringify([version, keyId, workspaceId, subject, part]), 'utf8');
}

function encrypt(key: Buffer, binding: Buffer, plain: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(binding);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, binding: Buffer, sealed: Buffer): Buffer | undefined {
  if (key.length !== keyBytes || sealed.length < ivBytes + tagBytes) return undefined;
  const iv = sealed.subarray(0, ivBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(binding);
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes, sealed.length - tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function split(sealed: string): { keyId: string; key: Buffer; secret: Buffer } | undefined {
  const [form, keyId, key, secret, more] = sealed.split('.');
  if (form !== version || !keyId || !key || !secret || more !== undefined) return undefined;
  const parts = { keyId, key: Buffer.from(key, 'base64url'), secret: Buffer.from(secret, 'base64url') };
  // Base64 is decoded leniently: letters that encode no whole byte would otherwise be accepted.
  const exact = parts.key.toString('base64url') === key && parts.secret.toString('base64url') === secret;
  return exact ? parts : undefined;
}

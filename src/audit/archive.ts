/**
 * The signatures of archives of the record. The private key is a secret in the vault, so who can change the store cannot make
 * one that says that missing rows are in an archive.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { RecordArchive } from '../domain/record-archive.js';
import type { WorkspaceStorage } from '../domain/storage.js';

/** What is signed. */
export type ArchiveFacts = Omit<RecordArchive, 'signature' | 'archivedAt'>;

/** The name of the private key among a workspace's secrets. */
export const archiveKeySubject = 'record-archive-key';

/** Returns a new private key as PEM. */
export function newArchiveKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

interface OpensSecrets {
  open(
    place: { readonly workspaceId: string; readonly subject: string },
    secret: { readonly sealed: string },
  ): Promise<string>;
}

/** The key of a workspace, as PEM; undefined if it has never archived. Throws `connection_inaccessible` without the vault's key. */
export async function findArchiveKey(
  { workspaceId, secrets }: Pick<WorkspaceStorage, 'workspaceId' | 'secrets'>,
  vault: OpensSecrets,
): Promise<string | undefined> {
  const stored = await secrets.find(archiveKeySubject);
  return stored && vault.open({ workspaceId, subject: archiveKeySubject }, stored);
}

/** Returns the archive's signature, base64. */
export function signArchive(facts: ArchiveFacts, privateKey: string): string {
  return sign(null, toSigned(facts), createPrivateKey(privateKey)).toString('base64');
}

/** `key`: the private or the public one, as PEM. */
export function isSigned(archive: RecordArchive, key: string): boolean {
  return verify(null, toSigned(archive), toPublic(key), Buffer.from(archive.signature, 'base64'));
}

/** Returns the public part of a private key, as PEM. */
export function publicArchiveKey(privateKey: string): string {
  return toPublic(privateKey).export({ type: 'spki', format: 'pem' }).toString();
}

const toPublic = (key: string): KeyObject => createPublicKey(key);

function toSigned({ workspaceId, firstSeq, previousHash, last, firstAt, lastAt, contentHash }: ArchiveFacts): Buffer {
  const parts = [workspaceId, firstSeq, previousHash, last.seq, last.hash, firstAt, lastAt, contentHash];
  return Buffer.from(JSON.stringify(['helve record archive 1', ...parts]), 'utf8');
}

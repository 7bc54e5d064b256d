/** Rows of the record that are no longer in the store, but in a signed file. */
import type { AuditDraft } from './audit.js';
import type { ChainPoint } from './chain.js';

export interface RecordArchive {
  readonly workspaceId: string;
  /** Number of its first row. */
  readonly firstSeq: number;
  /** The hash that its first row follows. */
  readonly previousHash: string;
  /** Its last row, which the rows in the store follow. */
  readonly last: ChainPoint;
  /** When its first and its last row were written: ISO 8601. */
  readonly firstAt: string;
  readonly lastAt: string;
  /** SHA-256 of its rows as lines, in hexadecimal. */
  readonly contentHash: string;
  /** Ed25519 over all of the above, base64. */
  readonly signature: string;
  readonly archivedAt: string;
}

export interface RecordArchiveTable {
  /** Oldest first. */
  list(): Promise<RecordArchive[]>;
  /** The newest one; the rows up to its last one need not be in the store. */
  newest(): Promise<RecordArchive | undefined>;
  /** Notes in one commit, with the rows, that the archive exists. Throws `conflict` if it does not follow the newest one. */
  add(archive: RecordArchive, events: readonly AuditDraft[]): Promise<void>;
  /** Deletes up to `limit` rows of the record that are in archives, oldest first; returns how many. */
  prune(limit: number): Promise<number>;
  /** When the oldest call, run or approval that has not ended was started; its rows must stay. ISO 8601. */
  openSince(): Promise<string | undefined>;
}

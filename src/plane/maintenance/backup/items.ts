/**
 * What a copy of an installation consists of, in the order in which it is written and read. A backup writes it to a file, a
 * restore reads it from there, and a move passes it from store to store.
 */
import type { CopyRow, Counters, TableSum } from '../../../storage/index.js';

export interface CopyHead {
  /** Version of this form. */
  readonly format: number;
  /** Version of the store's schema. */
  readonly schema: number;
  /** When it was made, ISO 8601. */
  readonly at: string;
  /** The kind of store it was made from. */
  readonly from: 'sqlite' | 'postgres';
  readonly counters: Counters;
  /** How many rows the database counted, by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** The ids of the vault's keys that its secrets are sealed under. */
  readonly keys: readonly string[];
}

export type CopyItem =
  | { readonly kind: 'head'; readonly head: CopyHead }
  | { readonly kind: 'table'; readonly name: string; readonly columns: readonly string[] }
  | { readonly kind: 'row'; readonly row: CopyRow }
  | { readonly kind: 'tableEnd'; readonly name: string; readonly sum: TableSum }
  | FileItem
  | { readonly kind: 'end'; readonly tables: number; readonly rows: number; readonly files: number };

/** Paths are relative to the data folder, with `/`. `owner`: user and group, by number. */
export type FileItem =
  | { readonly kind: 'folder'; readonly path: string; readonly mode: number; readonly owner: Owner }
  | { readonly kind: 'link'; readonly path: string; readonly target: string; readonly owner: Owner }
  | { readonly kind: 'file'; readonly path: string; readonly mode: number; readonly owner: Owner }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'fileEnd'; readonly size: number; readonly hash: string };

export type Owner = readonly [user: number, group: number];

export const copyFormat = 1;

/** What a command is told while it works. */
export type OnCopied = (done: number, total: number | undefined, what: string) => void;

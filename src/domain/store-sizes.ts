/** How large the store is, how fast it grows, and what retention would remove. */

export const storedKinds = [
  'record',
  'results',
  'runs',
  'approvals',
  'tasks',
  'documents',
  'events',
  'messages',
  'settings',
] as const;
export type StoredKind = (typeof storedKinds)[number];

export interface KindSize {
  readonly kind: StoredKind;
  readonly rows: number;
  /** Size of their texts, estimated from a few rows; without indexes. */
  readonly bytes: number;
}

export interface RemovableRows {
  readonly keepDays: number;
  /** Rows that an archive would take now: whole blocks of 1,024, and none since the oldest call that has not ended. */
  readonly rows: number;
  /** Whether this is the policy of `helve.yaml`. */
  readonly isPolicy: boolean;
}

export interface StoreSizes {
  /** Of the whole store with its indexes. Only for the first workspace: it says how much happens in the others. */
  readonly wholeBytes?: number;
  /** Of the caller's workspace, the largest first. */
  readonly kinds: readonly KindSize[];
  readonly record: {
    /** All that were ever written, and how many of them are in archives. */
    readonly rows: number;
    readonly archived: number;
    /** Written in the last seven days. */
    readonly rowsInWeek: number;
    /** Estimated like the sizes. */
    readonly bytesInWeek: number;
  };
  /** What would leave the store if rows were kept for this long. */
  readonly removable: readonly RemovableRows[];
}

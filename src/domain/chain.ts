/** Whether the record of a workspace is as it was written: points of its chain, reports, and a check that is followed. */
import type { AuditDraft, AuditEvent } from './audit.js';
import type { Principal, PrincipalRef } from './principal.js';

/** A row of the audit record, by its number and its hash. */
export interface ChainPoint {
  readonly seq: number;
  readonly hash: string;
}

/** What a person recognises a row by. */
export type RowName = Pick<AuditEvent, 'type' | 'at' | 'actor' | 'tool' | 'executionId'>;

export interface ChainReport {
  readonly ok: boolean;
  /** The number of the last verified row. */
  readonly rows: number;
  /** The first row that does not follow from those before it; `event` is absent if there is no such row. */
  readonly firstBroken?: { readonly seq: number; readonly problem: string; readonly event?: RowName };
  readonly head: ChainPoint;
  /** The last row that is no longer in the store, but in a signed archive: the check began after it. */
  readonly archived?: ChainPoint;
}

interface Checkpointed {
  /** The number of the last verified row. */
  readonly checked: number;
  /**
   * A later check can continue from here. Only this installation can create a checkpoint. Absent without a vault key.
   */
  readonly checkpoint?: string;
}

/** Where the rows before a resumed check were verified. */
export interface EarlierCheck {
  readonly seq: number;
  /** When that check reached this row: ISO 8601, UTC, milliseconds. */
  readonly at: string;
}

export type ChainProgress =
  | (Checkpointed & {
      readonly type: 'progress';
      /** The number of the row at which the chain ended when the check began. */
      readonly total: number;
    })
  | (Checkpointed & {
      readonly type: 'done';
      readonly ok: boolean;
      readonly firstBroken?: ChainReport['firstBroken'];
      readonly head: ChainPoint;
      readonly archived?: ChainPoint;
      /** If the check began at a checkpoint: the rows up to it were verified then, not now. */
      readonly earlier?: EarlierCheck;
    });

export interface ChainActs {
  /** `from`: an already verified row, after which the check begins. One check per workspace runs at a time. */
  verifyAudit(principal: Principal, from?: ChainPoint): Promise<ChainReport>;
  /**
   * Checks the record and says how far it is; ends with `done`, or when the signal fires. `checkpoint`: the one of an earlier
   * check, after which this one begins. Throws `invalid_input` for a checkpoint that this installation did not make for this
   * workspace.
   */
  followAuditCheck(
    principal: Principal,
    checkpoint: string | undefined,
    signal: AbortSignal,
  ): AsyncIterable<ChainProgress>;
}

/**
 * The text whose SHA-256 is the hash of a row: the JSON of an array, concatenated because this runs twice per call. Its
 * elements are the previous hash, the workspace, the row's number, its subject and its body. PostgreSQL joins the same
 * parts in `append_to_record`.
 */
export function sealedText(previousHash: string, event: Omit<AuditEvent, 'hash'>, bodyText: string): string {
  return `["${previousHash}",${JSON.stringify(event.workspaceId)},${event.seq},${sealedSubject(event)},${bodyText}]`;
}

/** What a row says besides its place and its body, as it is hashed. `at`: as it is stored. */
export function sealedSubject({ at, type, executionId, tool, actor, onBehalfOf }: Omit<AuditDraft, 'body'>): string {
  const moment = `${JSON.stringify(at)},${JSON.stringify(type)},${jsonOrNull(executionId)},${jsonOrNull(tool)}`;
  return `${moment},${actorText(actor)},${onBehalfOf ? actorText(onBehalfOf) : null}`;
}

const jsonOrNull = (text: string | undefined): string => (text === undefined ? 'null' : JSON.stringify(text));

const actorText = ({ kind, id, name }: PrincipalRef): string =>
  `[${JSON.stringify(kind)},${JSON.stringify(id)},${JSON.stringify(name)}]`;

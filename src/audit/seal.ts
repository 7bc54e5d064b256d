/** The chain: each row's hash covers the row and the hash before it, so no row can be changed, moved or dropped unseen. */
import type { AuditEvent, Seal } from '../spec/audit.js';
import { chainStart } from '../spec/storage.js';
import { sha256 } from '../util/hash.js';

/** `JSON.stringify` gives one text for a value however often it was stored and read back: keys keep their order. */
export const seal: Seal = (previousHash, event, bodyText = JSON.stringify(event.body)) => {
  const rest = JSON.stringify([
    previousHash,
    event.workspaceId,
    event.seq,
    event.at,
    event.type,
    event.executionId ?? null,
    event.tool ?? null,
    [event.actor.kind, event.actor.id, event.actor.name],
    event.onBehalfOf ? [event.onBehalfOf.kind, event.onBehalfOf.id, event.onBehalfOf.name] : null,
  ]);
  return sha256(`${rest.slice(0, -1)},${bodyText}]`);
};

export interface ChainBreak {
  readonly seq: number;
  readonly problem: string;
}

/** Checks rows in order, page by page; remembers where it stands. */
export function createChainCheck(): {
  accept(event: AuditEvent): ChainBreak | undefined;
  readonly seq: number;
  readonly hash: string;
} {
  let seq = 0;
  let hash = chainStart;
  return {
    get seq() {
      return seq;
    },
    get hash() {
      return hash;
    },
    accept(event) {
      if (event.seq !== seq + 1) return { seq: seq + 1, problem: `row ${seq + 1} is missing` };
      if (event.hash !== seal(hash, event)) return { seq: event.seq, problem: `row ${event.seq} was changed` };
      seq = event.seq;
      hash = event.hash;
      return undefined;
    },
  };
}

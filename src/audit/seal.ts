/**
 * The chain: each row's hash covers the row and the hash before it, so no row can be changed, moved or dropped
 * unnoticed.
 */
import type { AuditEvent, Seal } from '../domain/audit.js';
import { type ChainPoint, sealedText } from '../domain/chain.js';
import { chainStart } from '../domain/storage.js';
import { sha256 } from '../util/hash.js';

/** `JSON.stringify` gives the same text however often a value was stored and read back: keys keep their order. */
export const seal: Seal = (previousHash, event, bodyText = JSON.stringify(event.body)) =>
  sha256(sealedText(previousHash, event, bodyText));

export interface ChainBreak {
  readonly seq: number;
  readonly problem: string;
}

/** Checks rows in order, page by page, after `from` or from the first; remembers its position. */
export function createChainCheck(from: ChainPoint = { seq: 0, hash: chainStart }): {
  accept(event: AuditEvent): ChainBreak | undefined;
  readonly seq: number;
  readonly hash: string;
} {
  let { seq, hash } = from;
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

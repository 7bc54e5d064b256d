/**
 * What a 2026-07-28 client carries between the two requests of a round: which call waits for which
 * approval. It comes back from outside, so it is sealed with a key of this process, short-lived, bound to
 * the caller and small; anything else is refused before a handler sees it.
 */
import { randomBytes } from 'node:crypto';
import { createRequestStateCodec, type ServerContext } from '@modelcontextprotocol/server';
import type { Principal } from '../../spec/principal.js';
import { principalKey, principalOf } from './principal.js';

export interface Waiting {
  readonly approvalId: string;
  /** Fingerprint of the tool and the arguments. */
  readonly call: string;
}

/** How long a person may take. */
export const patienceMs = 10 * 60_000;
const mostCharacters = 2_048;

export function createRequestStates(fixed?: Principal) {
  const codec = createRequestStateCodec<Waiting>({
    key: randomBytes(32),
    ttlSeconds: patienceMs / 1_000,
    bind: (context) => principalKey(principalOf(context, fixed)),
  });
  return {
    seal: codec.mint,
    async open(state: string, context: ServerContext): Promise<Waiting> {
      if (state.length > mostCharacters) throw new Error('too long');
      return codec.verify(state, context);
    },
  };
}

export type RequestStates = ReturnType<typeof createRequestStates>;

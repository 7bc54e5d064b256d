/**
 * The state that a 2026-07-28 client carries between the two requests of a round: which call waits, and whether for an
 * approval or for answers to its tool's questions. It comes back from outside, so it is sealed with a key of this process,
 * short-lived, bound to the caller and small; anything else is refused before a handler sees it.
 */
import { randomBytes } from 'node:crypto';
import {
  createRequestStateCodec,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Principal } from '../../domain/principal.js';
import { canonicalJson } from '../../util/canonical.js';
import { sha256 } from '../../util/hash.js';
import { getPrincipal, principalKey } from './principal.js';

export type Waiting = WaitingForPerson | WaitingForAnswers;

interface WaitingCall {
  /** Fingerprint of the method, the tool and the arguments. */
  readonly call: string;
}

/** The call has not begun: a person must approve it. */
export interface WaitingForPerson extends WaitingCall {
  readonly approvalId: string;
}

/** The call is running, and its tool has asked the client something (conversations.ts). */
export interface WaitingForAnswers extends WaitingCall {
  readonly conversation: string;
  readonly round: number;
}

/** How long a person may take. */
export const patienceMs = 10 * 60_000;
const maxCharacters = 2_048;

export function createRequestStates(fixed?: Principal) {
  const codec = createRequestStateCodec<Waiting>({
    key: randomBytes(32),
    ttlSeconds: patienceMs / 1_000,
    bind: (context) => principalKey(getPrincipal(context, fixed)),
  });
  return {
    seal: codec.mint,
    async open(state: string, context: ServerContext): Promise<Waiting> {
      if (state.length > maxCharacters) throw new Error('too long');
      return codec.verify(state, context);
    },
  };
}

export type RequestStates = ReturnType<typeof createRequestStates>;

/** What a state is bound to besides the caller: exactly this request. */
export function computeFingerprint(method: string, name: string, values: unknown): string {
  return sha256(canonicalJson([method, name, values]));
}

/** The state that the request carries, if any. Throws a protocol error for the state of another call. */
export function readWaiting({ mcpReq }: ServerContext, call: string): Waiting | undefined {
  const waiting = mcpReq.requestState<Waiting>();
  if (waiting === undefined || waiting.call === call) return waiting;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This requestState belongs to another call', {
    reason: 'invalid_request_state',
  });
}

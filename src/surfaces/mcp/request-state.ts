/**
 * The state that a 2026-07-28 client carries between the two requests of a round: which call waits, and whether for an
 * approval or for answers to its tool's questions. It comes back from outside, to any process, so it is sealed with the keys
 * of the installation, short-lived, bound to the caller and small; anything else is refused before a handler sees it.
 */
import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server';
import type { McpCaller, McpDoorStore } from '../../domain/mcp-session.js';
import type { Principal } from '../../domain/principal.js';
import { canonicalJson } from '../../util/canonical.js';
import { computedOnce } from '../../util/computed-once.js';
import { sha256 } from '../../util/hash.js';
import { getPrincipal } from './principal.js';

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
  /** The process in which it runs. */
  readonly process: string;
  readonly conversation: string;
  readonly round: number;
}

/** How long a person may take. */
export const patienceMs = 10 * 60_000;
const maxCharacters = 2_048;

interface Sealed {
  readonly waiting: Waiting;
  /** In milliseconds since 1970. */
  readonly until: number;
}

export function createRequestStates({ kept, door }: McpDoorStore, fixed?: Principal) {
  const getCaller = (context: ServerContext): McpCaller => ({ principal: getPrincipal(context, fixed), door });
  return {
    seal(waiting: Waiting, context: ServerContext): Promise<string> {
      const sealed: Sealed = { waiting, until: Date.now() + patienceMs };
      return kept.seal(getCaller(context), JSON.stringify(sealed));
    },
    async open(state: string, context: ServerContext): Promise<Waiting> {
      if (state.length > maxCharacters) throw new Error('too long');
      const { waiting, until } = JSON.parse(await kept.unseal(getCaller(context), state)) as Sealed;
      if (until < Date.now()) throw new Error('expired');
      return waiting;
    },
  };
}

export type RequestStates = ReturnType<typeof createRequestStates>;

/** What a state is bound to besides the caller: exactly this request. Computed when asked for, because most requests have no state. */
export function prepareFingerprint(method: string, name: string, values: unknown): () => string {
  return computedOnce(() => sha256(canonicalJson([method, name, values])));
}

/** The state that the request carries, if any. Throws a protocol error for the state of another call. */
export function readWaiting({ mcpReq }: ServerContext, call: () => string): Waiting | undefined {
  const waiting = mcpReq.requestState<Waiting>();
  if (waiting === undefined || waiting.call === call()) return waiting;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This requestState belongs to another call', {
    reason: 'invalid_request_state',
  });
}

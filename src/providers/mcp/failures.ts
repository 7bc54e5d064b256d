/**
 * Translates failures of a server. What matters is whether a call may have had its effect: once it was sent, a lost answer
 * is `outcome_unknown`, and the call is not repeated.
 */
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import { HelveError } from '../../domain/errors.js';
import { isPlainObject } from '../../util/canonical.js';
import { visibleText } from '../../util/visible-text.js';

/** Whether a call was on its way when the failure happened. */
export type Step = 'before' | 'call';

/** In the data of an error that replaces a missing answer: what came instead, or `true`. */
export const lostMark = 'helve-answer-lost';

const checkFirst = 'The call may have had its effect. Check before you call again.';

/** Returns the `HelveError` for an error that the library threw during a step. */
export function toFailure(thrown: unknown, server: string, step: Step): HelveError {
  const known = helveErrorIn(thrown);
  if (known) return known;
  if (thrown instanceof ProtocolError) return protocolFailure(thrown, server, step);
  if (thrown instanceof SdkHttpError) return httpFailure(thrown, server, step);
  if (thrown instanceof SdkError) return sdkFailure(thrown, server, step);
  if (step === 'before' || isRefusedConnection(thrown)) return unreachable(server, thrown);
  return lost(server, thrown);
}

/** The protocol says that the session no longer exists: a new one may be started, and the old one did nothing. */
export function isSessionLost(thrown: unknown): boolean {
  return thrown instanceof SdkHttpError && thrown.data.status === 404;
}

/** Our own refusals pass through the library unchanged, or as the cause of its error. */
export function helveErrorIn(thrown: unknown): HelveError | undefined {
  let error: unknown = thrown;
  for (let step = 0; step < 5 && error instanceof Error; step++) {
    if (error instanceof HelveError) return error;
    error = error.cause;
  }
  return undefined;
}

/** Returns the error for a server that cannot be reached. */
export function unreachable(server: string, cause?: unknown): HelveError {
  const why = cause instanceof Error && cause.message !== '' ? `: ${short(cause.message)}` : '';
  return new HelveError('upstream_failed', `The MCP server ${server} cannot be reached${why}`, {
    hint: 'Nothing was done. Try again later; if the problem persists, the operator must check the server.',
    cause,
  });
}

function lost(server: string, cause?: unknown, came?: string): HelveError {
  const what = came === undefined ? 'its answer was lost' : `came back with ${came}`;
  return new HelveError('outcome_unknown', `The MCP server ${server} was called and ${what}`, {
    hint: checkFirst,
    cause,
  });
}

function protocolFailure(error: ProtocolError, server: string, step: Step): HelveError {
  const mark = isPlainObject(error.data) ? error.data[lostMark] : undefined;
  if (mark !== undefined) {
    const came = typeof mark === 'string' ? short(mark) : undefined;
    return step === 'call' ? lost(server, error, came) : unreachable(server, error);
  }
  const said = `The MCP server ${server} answered: ${short(error.message)}`;
  const details = { mcpCode: error.code };
  if (step === 'before') return new HelveError('upstream_failed', said, { details, cause: error });
  if (error instanceof MissingRequiredClientCapabilityError) {
    return new HelveError('tool_failed', said, {
      hint: 'Call it through an MCP client that declares the capability.',
      details: { ...details, requiredCapabilities: error.requiredCapabilities },
      cause: error,
    });
  }
  if (error.code === ProtocolErrorCode.InvalidParams) {
    return new HelveError('invalid_input', said, { hint: 'Correct the input and call again.', details, cause: error });
  }
  return new HelveError('tool_failed', said, { details, cause: error });
}

function httpFailure(error: SdkHttpError, server: string, step: Step): HelveError {
  const { status } = error.data;
  // 5xx, and what a proxy reports about a response that it did not get.
  if (step === 'call' && (status === undefined || status >= 500)) return lost(server, error);
  if (status === 413)
    return new HelveError('too_large', `The MCP server ${server} rejected the input as too large (413)`);
  return new HelveError(
    'upstream_failed',
    `The MCP server ${server} answered with status ${status}: ${short(error.message)}`,
    {
      details: { status },
      cause: error,
    },
  );
}

function sdkFailure(error: SdkError, server: string, step: Step): HelveError {
  if (error.code === SdkErrorCode.InvalidResult || error.code === SdkErrorCode.UnsupportedResultType) {
    const said = `The MCP server ${server} answered with something that the protocol does not allow: ${short(error.message)}`;
    if (step === 'before') return new HelveError('upstream_failed', said, { cause: error });
    return new HelveError('invalid_output', said, { hint: checkFirst, cause: error });
  }
  if (error.code === SdkErrorCode.RequestTimeout && step === 'before') {
    return new HelveError('timeout', `The MCP server ${server} did not answer in time`, { cause: error });
  }
  return step === 'call' ? lost(server, error) : unreachable(server, error);
}

function isRefusedConnection(thrown: unknown): boolean {
  const code = thrown instanceof Error ? (thrown.cause as { code?: unknown } | undefined)?.code : undefined;
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN';
}

/** Untrusted text: on one line, with hidden characters visible. */
function short(text: string): string {
  const line = visibleText(text.replace(/\s+/g, ' ').trim());
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

/** Why a tool call failed, as our errors. Composio passes on the app's message in any form. */
import { type ErrorCode, HelveError } from '../../domain/errors.js';
import type { JsonValue } from '../../domain/json.js';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import type { Executed } from './execute-call.js';
import { accountTrouble, inaccessibleWords } from './service.js';

const correct = 'Correct the input by the tool’s schema and call again.';

/** A response with `successful: false`. `repeatable`: doing it again has no further effect. */
export function toFailure(tool: string, { failure = '', data, logId }: Executed, repeatable: boolean): HelveError {
  const message = failure.trim().slice(0, 2_000);
  const status = getStatus(data);
  const details = { tool, ...defined({ status, logId }) };
  const trouble = accountTrouble(message) ?? (isSignedOut(message, status) ? 'expired' : undefined);
  if (trouble !== undefined) {
    const { code, message: words, ...options } = inaccessibleWords(trouble, message, details);
    return new HelveError(code, words, options);
  }
  const [code, hint] = getKind(message, status, repeatable);
  return new HelveError(code, message, { hint, details });
}

function getKind(message: string, status: number | undefined, repeatable: boolean): [ErrorCode, string] {
  if (/invalid request data|fields are missing|input should be|validation error|missing required/i.test(message))
    return ['invalid_input', correct];
  // The app itself broke off, and may have come to the end first.
  if (status !== undefined && status >= 500 && !repeatable)
    return ['outcome_unknown', 'The app may have done it. Check before you call it again.'];
  if (status === 429) return ['rate_limited', 'Wait a while before calling it again.'];
  return ['tool_failed', 'Read the message of the app and correct the input, or do without this tool.'];
}

/** The app's own status, if Composio reports it. */
function getStatus(data: JsonValue): number | undefined {
  const status = isPlainObject(data) ? (data.status_code ?? data.http_status) : undefined;
  return typeof status === 'number' ? status : undefined;
}

/** Whether the app no longer knows the account. A 403 means only that it may not do this one thing. */
function isSignedOut(message: string, status: number | undefined): boolean {
  if (status === 401) return true;
  return /\b401\b[^\n]{0,20}(?:unauthori[sz]ed|client error)|\binvalid_grant\b|token (?:has been |is |was )?(?:expired|revoked)|bad credentials/i.test(
    message,
  );
}

/** A refused request: the service client's error, with a better message for a tool. */
export function explainRefusal(tool: string, thrown: unknown): unknown {
  if (!(thrown instanceof HelveError)) return thrown;
  const { code, message, hint, details } = thrown;
  const status = details?.status;
  const known = { ...details, tool };
  if ((status === 404 || status === 410) && code === 'not_found')
    return new HelveError('tool_not_found', message, { hint: hint ?? 'Use another tool of the app.', details: known });
  if (code !== 'invalid_input') return thrown;
  return new HelveError(code, message, { hint: hint ?? correct, details: known });
}

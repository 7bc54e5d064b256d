/** The one translator from errors to HTTP: RFC 9457 problem details. Internal failures are not shown to untrusted clients. */
import { type ErrorCode, errorTable, HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';

/** A refusal whose HTTP status says more than its code: 405, 415. */
export class HttpRefusal extends HelveError {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    httpStatus: number,
    code: ErrorCode,
    message: string,
    hint: string,
    headers: Record<string, string> = {},
  ) {
    super(code, message, { hint });
    this.httpStatus = httpStatus;
    this.headers = headers;
  }
}

/** Codes whose message can name files, hosts or keys of the installation. */
const innerCodes: ReadonlySet<ErrorCode> = new Set(['internal', 'invalid_config', 'storage_failed']);

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export function toProblem(thrown: unknown): Problem {
  if (!isTellable(thrown)) return inner(thrown instanceof HelveError ? thrown.code : 'internal');
  const { code, message, retryable, hint, details } = thrown.toJSON();
  return {
    type: `urn:helve:error:${code}`,
    title: errorTable[code].title,
    status: thrown instanceof HttpRefusal ? thrown.httpStatus : thrown.status,
    detail: message,
    code,
    retryable,
    ...defined({ hint, details }),
  };
}

/** Whether the thrown value was meant for the caller. Anything else is for the operator. */
export function isTellable(thrown: unknown): thrown is HelveError {
  return thrown instanceof HelveError && !innerCodes.has(thrown.code);
}

function inner(code: ErrorCode): Problem {
  const { title, status, retryable } = errorTable[code];
  const detail = `${title}. The cause is in the server's log.`;
  return { type: `urn:helve:error:${code}`, title, status, detail, code, retryable };
}

export function problemResponse(thrown: unknown): Response {
  const problem = toProblem(thrown);
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      ...retryAfter(problem),
      ...(problem.code === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
      ...(thrown instanceof HttpRefusal ? thrown.headers : {}),
    },
  });
}

/** How long a rate-limited caller should wait. */
export function retryAfter(error: {
  readonly code: ErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
}): Record<string, string> {
  if (error.code !== 'rate_limited') return {};
  const seconds = error.details?.retryAfterSeconds;
  return { 'retry-after': String(typeof seconds === 'number' ? Math.max(1, Math.ceil(seconds)) : 60) };
}

/**
 * The one error class and the one table of codes.
 *
 * Expected failures are values that carry a `HelveError`; a bug throws. Each surface translates the table once: HTTP
 * reads `status`, MCP and the CLI read `code`, `message` and `hint`.
 */

/** What a code means on every surface: the HTTP status, and whether the same call may succeed if sent again. */
export interface ErrorKind {
  readonly status: number;
  readonly retryable: boolean;
  readonly title: string;
}

export const errorTable = {
  invalid_input: { status: 400, retryable: false, title: 'The input does not match the schema' },
  invalid_config: { status: 500, retryable: false, title: 'The configuration is not valid' },
  unauthenticated: { status: 401, retryable: false, title: 'No valid credential was presented' },
  forbidden: { status: 403, retryable: false, title: 'This principal may not do that' },
  intent_mismatch: { status: 422, retryable: false, title: 'The tool does not do what was asked for' },
  not_granted: { status: 403, retryable: false, title: 'No grant covers this call' },
  denied_by_policy: { status: 403, retryable: false, title: 'A policy denies this call' },
  approval_required: { status: 409, retryable: true, title: 'A person must approve this call first' },
  approval_rejected: { status: 403, retryable: false, title: 'A person rejected this call' },
  connection_inaccessible: { status: 403, retryable: false, title: 'Connection not accessible' },
  egress_blocked: { status: 403, retryable: false, title: 'The address is not allowed' },
  tool_not_found: { status: 404, retryable: false, title: 'There is no such tool' },
  ambiguous: { status: 409, retryable: false, title: 'The name means several tools' },
  not_found: { status: 404, retryable: false, title: 'There is no such thing' },
  conflict: { status: 409, retryable: false, title: 'The request conflicts with the present state' },
  precondition_failed: { status: 412, retryable: false, title: 'It was changed since it was read' },
  expired: { status: 410, retryable: false, title: 'This has expired' },
  too_large: { status: 413, retryable: false, title: 'Too large' },
  rate_limited: { status: 429, retryable: true, title: 'Too many requests' },
  cancelled: { status: 499, retryable: true, title: 'The call was cancelled' },
  tool_failed: { status: 502, retryable: false, title: 'The tool failed' },
  upstream_failed: { status: 502, retryable: true, title: 'The service behind the tool failed' },
  invalid_output: {
    status: 502,
    retryable: false,
    title: 'The tool answered with something its schema does not allow',
  },
  outcome_unknown: { status: 502, retryable: false, title: 'The call was interrupted and its outcome is not known' },
  timeout: { status: 504, retryable: true, title: 'The call took too long' },
  storage_failed: { status: 503, retryable: true, title: 'The store cannot be read or written' },
  shutting_down: { status: 503, retryable: true, title: 'Helve is stopping' },
  internal: { status: 500, retryable: false, title: 'Helve failed' },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

export interface HelveErrorOptions {
  /** What the caller, often a model, can do to succeed. */
  readonly hint?: string;
  /** Machine-readable details: the failing pointer, the approval id, seconds to wait. Never a secret. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An error as JSON: what surfaces send and what the audit stores. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export class HelveError extends Error {
  override readonly name = 'HelveError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: HelveErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.details = options.details;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  get retryable(): boolean {
    return errorTable[this.code].retryable;
  }

  toJSON(): ErrorBody {
    return {
      code: this.code,
      message: this.message,
      retryable: this.retryable,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }
}

/** Converts anything thrown to a `HelveError`; an unexpected error becomes `fallback` and keeps its cause. */
export function toHelveError(thrown: unknown, fallback: ErrorCode = 'internal'): HelveError {
  if (thrown instanceof HelveError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new HelveError(fallback, message, { cause: thrown });
}

/** Whether a change was not made because the configuration had changed since the revision that it names. */
export function isStaleRevision(thrown: unknown): boolean {
  return thrown instanceof HelveError && thrown.details?.staleRevision === true;
}

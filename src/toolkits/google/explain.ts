/** Explains Google's errors. All its services share one shape; the token endpoints have that of OAuth. */
import type { ErrorCode } from '../../domain/errors.js';
import type { Explained, ServiceResponse } from '../../domain/service.js';
import { defined } from '../../util/defined.js';

interface GoogleError {
  readonly message?: string;
  readonly status?: string;
  readonly errors?: readonly { readonly reason?: string; readonly message?: string; readonly location?: string }[];
  readonly details?: readonly {
    readonly '@type'?: string;
    readonly reason?: string;
    readonly retryDelay?: string;
    readonly fieldViolations?: readonly { readonly field?: string; readonly description?: string }[];
  }[];
}

interface Meaning {
  readonly code?: ErrorCode;
  readonly hint?: string;
}

const scopeMissing: Meaning = {
  code: 'forbidden',
  hint: 'The account was connected without the permission that this needs. A person must connect it again and allow it.',
};
const apiOff: Meaning = {
  code: 'forbidden',
  hint: "The operator must enable this API in the Google Cloud project of Helve's OAuth client.",
};
const slowDown: Meaning = { code: 'rate_limited' };
/** Quotas per day or month: waiting for minutes does not help. */
const usedUp: Meaning = { code: 'rate_limited', hint: "Google's quota for this is used up. Try again in a few hours." };
const gone: Meaning = { code: 'not_found', hint: 'It was deleted.' };

/** Hints by the `reason` of the first error or of the ErrorInfo. */
const byReason: Readonly<Record<string, Meaning>> = {
  insufficientPermissions: scopeMissing,
  insufficientScopes: scopeMissing,
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: scopeMissing,
  accessNotConfigured: apiOff,
  SERVICE_DISABLED: apiOff,
  rateLimitExceeded: slowDown,
  userRateLimitExceeded: slowDown,
  RATE_LIMIT_EXCEEDED: slowDown,
  quotaExceeded: usedUp,
  dailyLimitExceeded: usedUp,
  dailyLimitExceededUnreg: usedUp,
  deleted: gone,
  conditionNotMet: {
    code: 'conflict',
    hint: 'It was changed after the etag was read. Read it again and decide anew.',
  },
  forbiddenForNonOrganizer: { code: 'forbidden', hint: 'Only the organizer can change this.' },
  failedPrecondition: { code: 'conflict' },
};

export function explainGoogle(response: ServiceResponse): Explained | undefined {
  if (response.status < 400) return undefined;
  const body = readBody(response);
  if (body === undefined) return undefined;
  const { error, error_description } = body;
  if (typeof error === 'string') return { message: sentence(error_description ?? error), details: { reason: error } };
  const reason = findReason(error);
  const known = Object.hasOwn(byReason, reason ?? '') ? byReason[reason ?? ''] : undefined;
  const meaning = known ?? (error.status === 'RESOURCE_EXHAUSTED' ? slowDown : {});
  const message = sentence(findMessage(error) ?? `status ${response.status}`);
  const retryAfterSeconds = readWait(error, response);
  const hint = meaning === scopeMissing ? withScope(response) : (meaning.hint ?? findHint(error));
  const details = { reason: reason ?? error.status ?? 'unknown' };
  return { message, details, ...defined({ code: meaning.code, hint, retryAfterSeconds }) };
}

interface Body {
  readonly error: GoogleError | string;
  readonly error_description?: string;
}

function readBody(response: ServiceResponse): Body | undefined {
  try {
    const body = response.json<{ error?: unknown } | null | undefined>();
    const { error } = body ?? {};
    return typeof error === 'string' || (typeof error === 'object' && error !== null) ? (body as Body) : undefined;
  } catch {
    // Not JSON, perhaps a proxy's page: only the status can be explained.
    return undefined;
  }
}

function findMessage({ message, errors = [] }: GoogleError): string | undefined {
  return message ?? errors[0]?.message;
}

/** The first reason that is known here, or else the first. */
function findReason({ details = [], errors = [] }: GoogleError): string | undefined {
  const reasons = [...details, ...errors].map(({ reason }) => reason);
  return reasons.find((one) => one !== undefined && Object.hasOwn(byReason, one)) ?? reasons.find(Boolean);
}

/** `RetryInfo`, or Gmail's `Retry after 2026-01-05T10:00:00.000Z`. */
function readWait(error: GoogleError, response: ServiceResponse): number | undefined {
  const delay = error.details?.find((one) => one.retryDelay !== undefined)?.retryDelay;
  const seconds = Number(delay?.replace(/s$/, ''));
  if (Number.isFinite(seconds) && seconds >= 0) return Math.ceil(seconds);
  const [, time] = /Retry after (\d{4}-\d\d-\d\dT[\d:.]+Z)/.exec(error.message ?? '') ?? [];
  if (time === undefined) return undefined;
  const now = Date.parse(response.headers.date ?? '') || Date.now();
  return Math.max(0, Math.ceil((Date.parse(time) - now) / 1_000));
}

function withScope(response: ServiceResponse): string | undefined {
  const [, wanted] = /scope="([^"]+)"/.exec(response.headers['www-authenticate'] ?? '') ?? [];
  return wanted === undefined ? scopeMissing.hint : `${scopeMissing.hint} Any one of these suffices: ${wanted}`;
}

function findHint(error: GoogleError): string | undefined {
  const fields = (error.details ?? []).flatMap((one) => one.fieldViolations ?? []);
  if (fields.length === 0) return undefined;
  return fields.map(({ field = '?', description = '' }) => `${field}: ${description}`).join('; ');
}

const sentence = (text: string): string => `Google: ${text.slice(0, 1_000)}`;

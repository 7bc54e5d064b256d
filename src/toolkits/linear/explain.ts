/** Explains Linear's errors. GraphQL puts them into the body, with status 200 or 400. */
import type { ErrorCode } from '../../domain/errors.js';
import type { Explained, ServiceResponse } from '../../domain/service.js';
import { defined } from '../../util/defined.js';
import { refusedForSeconds } from './rate-limit.js';

interface GraphQLError {
  readonly message?: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: {
    readonly code?: string;
    readonly type?: string;
    readonly userPresentableMessage?: string;
  };
}

export interface GraphQLAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly GraphQLError[];
}

export function explain(response: ServiceResponse): Explained | undefined {
  const { data, errors = [] } = readAnswer(response) ?? {};
  const [first] = errors;
  if (!first) return undefined;
  // Part of the answer arrived: it is kept, and what is missing becomes a warning.
  if (data && Object.values(data).some((value) => value !== null && value !== undefined)) return undefined;
  const { code: name, type } = first.extensions ?? {};
  const code = findCode(name?.toUpperCase() ?? '', type?.toLowerCase() ?? '', first.message ?? '');
  const message = `Linear refused: ${[...new Set(errors.map(describeError))].join('; ').slice(0, 2_000)}`;
  const details = defined({ reason: name, path: first.path?.join('.') });
  if (code === 'unauthenticated') return { code: 'forbidden', message, details, tokenRefused: true };
  if (code === 'rate_limited') {
    const retryAfterSeconds = refusedForSeconds(response);
    return { code, message, details, ...defined({ retryAfterSeconds }) };
  }
  const hint = hints[code];
  return { code, message, details, ...defined({ hint }) };
}

function readAnswer(response: ServiceResponse): GraphQLAnswer | undefined {
  if (!(response.headers['content-type'] ?? '').includes('json')) return undefined;
  try {
    const body = response.json<GraphQLAnswer | null | undefined>();
    return typeof body === 'object' && body !== null && Array.isArray(body.errors) ? body : undefined;
  } catch {
    // The body is cut off or garbled: only the status can be explained.
    return undefined;
  }
}

/** Returns the message that is meant for people, followed by the technical one if it differs. */
export function describeError({ message = 'no reason given', extensions }: GraphQLError): string {
  const presentable = extensions?.userPresentableMessage;
  return presentable === undefined || presentable === message ? message : `${presentable} (${message})`;
}

function findCode(code: string, type: string, message: string): ErrorCode {
  if (code === 'AUTHENTICATION_ERROR' || type === 'authentication error') return 'unauthenticated';
  if (code === 'RATELIMITED' || type === 'ratelimited') return 'rate_limited';
  if (code === 'FORBIDDEN' || code === 'FEATURE_NOT_ACCESSIBLE' || code === 'USAGE_LIMIT_EXCEEDED') return 'forbidden';
  if (/^(?:forbidden|feature not accessible|usage limit exceeded)$/.test(type)) return 'forbidden';
  if (/not found|could not find/i.test(message)) return 'not_found';
  if (code === 'INTERNAL_SERVER_ERROR' || /^(?:internal error|lock timeout|network error|bootstrap error)$/.test(type))
    return 'upstream_failed';
  return /already exists|conflict on insert|duplicate/i.test(message) ? 'conflict' : 'invalid_input';
}

const hints: Partial<Readonly<Record<ErrorCode, string>>> = {
  not_found: 'Check the id. Linear also answers this way for what the account may not see.',
  forbidden: 'The account may not do that, the plan does not have it, or the connection lacks the scope.',
  upstream_failed: 'Linear has a problem. Check whether it was done before you do it again.',
};

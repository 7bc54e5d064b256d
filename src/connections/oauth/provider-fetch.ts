/**
 * The token endpoint as the OAuth library expects it: many servers of real services deviate from RFC 6749, in ways that
 * are harmless and always the same. They are corrected here, before the library checks the answer.
 */
import type { HttpClient, HttpResponse } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import { retryAfter } from '../service-answer.js';

type FetchOptions = { readonly method?: string; readonly headers?: unknown; readonly body?: unknown };

const maxBytes = 64 * 1024;

/** Parts of an answer that the library does not pass on. */
export interface LastAnswer {
  status?: number;
  retryAfterSeconds?: number;
}

/** Other names for a refresh token that has ended: GitHub's and Slack's. */
const endedNames = new Set(['bad_refresh_token', 'invalid_refresh_token']);

/**
 * A `fetch` for the library, through the egress wall. Redirects are not followed: a code or token would be sent along.
 */
export function providerFetch(
  http: Pick<HttpClient, 'fetch'>,
  last: LastAnswer = {},
): (url: string, options: FetchOptions) => Promise<Response> {
  return async (url, options) => {
    const answer = await http.fetch({
      url,
      method: options.method ?? 'POST',
      headers: {
        ...Object.fromEntries(new Headers(options.headers as Record<string, string>)),
        accept: 'application/json',
      },
      ...(options.body === undefined || options.body === null ? {} : { body: String(options.body) }),
    });
    note(last, answer);
    if (answer.truncated || answer.body.byteLength > maxBytes)
      throw new HelveError('upstream_failed', `${new URL(url).host} sent an answer that is too large for a token`);
    return corrected(answer);
  };
}

function note(last: LastAnswer, { status, headers }: HttpResponse): void {
  last.status = status;
  const seconds = retryAfter(headers, new Date());
  if (seconds !== undefined) last.retryAfterSeconds = Math.ceil(seconds);
}

function corrected(answer: HttpResponse): Response {
  const fields = getFields(answer);
  if (!fields)
    return new Response(answer.text(), { status: answer.status, headers: { 'content-type': getType(answer) } });
  // An error with status 200 (GitHub, Slack) is an error.
  const failed = typeof fields.error === 'string' || fields.ok === false;
  const status = failed && answer.status < 400 ? 400 : answer.status;
  return new Response(JSON.stringify(failed ? withUsualError(fields) : withUsualNames(fields)), {
    status,
    headers: { 'content-type': 'application/json' },
  });
}

function getType(answer: HttpResponse): string {
  return answer.headers['content-type'] ?? 'application/octet-stream';
}

function getFields(answer: HttpResponse): Record<string, unknown> | undefined {
  const text = answer.text().trim();
  if (text.startsWith('{')) {
    try {
      return JSON.parse(text) as Record<string, unknown>;
    } catch {
      return undefined;
    }
  }
  // Some old servers answer like this.
  if (/^application\/x-www-form-urlencoded|^text\/plain/.test(getType(answer)) && text.includes('='))
    return Object.fromEntries(new URLSearchParams(text));
  return undefined;
}

function withUsualError(fields: Record<string, unknown>): Record<string, unknown> {
  return typeof fields.error === 'string' && endedNames.has(fields.error)
    ? { ...fields, error: 'invalid_grant' }
    : fields;
}

function withUsualNames(fields: Record<string, unknown>): Record<string, unknown> {
  const { expires_in, scope, token_type, refresh_token, id_token: _unchecked, ...rest } = fields;
  const seconds = typeof expires_in === 'string' && /^\d+$/.test(expires_in) ? Number(expires_in) : expires_in;
  return {
    ...rest,
    // Services with one kind of token omit it or use their own name (`bot`, `user`); all are sent as bearer tokens.
    token_type: typeof token_type === 'string' && /^(?:bearer|dpop|mac)$/i.test(token_type) ? token_type : 'bearer',
    ...(typeof seconds === 'number' && seconds > 0 ? { expires_in: seconds } : {}),
    ...(Array.isArray(scope) ? { scope: scope.join(' ') } : typeof scope === 'string' ? { scope } : {}),
    ...(typeof refresh_token === 'string' && refresh_token !== '' ? { refresh_token } : {}),
  };
}

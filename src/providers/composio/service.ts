/** Composio's address and its forms of refusal. */
import type { Explained, ServiceDefinition, ServiceResponse } from '../../domain/service.js';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';

export const composioService: ServiceDefinition = {
  servers: ({ base_url }) => ({
    default: typeof base_url === 'string' ? { url: base_url, named: true } : { url: 'https://backend.composio.dev' },
  }),
  headers: { accept: 'application/json' },
  explain,
  pause: pauseSeconds,
  // Tools may work for a long time before they respond.
  timeoutMs: 120_000,
  // A page of a thousand tools includes all their schemas.
  maxBytes: 32_000_000,
};

/** `{ error: { message, code, slug, status, request_id, suggested_fix, errors } }`, each of them optional. */
function explain(response: ServiceResponse): Explained | undefined {
  if (response.status < 400) return undefined;
  const error = toError(response) ?? {};
  const { message, suggested_fix: fix, errors } = error;
  const more = Array.isArray(errors) ? errors.filter((one) => typeof one === 'string') : [];
  const said = [typeof message === 'string' ? message : '', ...more.slice(0, 5)].filter((one) => one !== '').join('; ');
  const explained: Explained = {
    message: `Composio answered ${response.status}: ${said === '' ? 'without saying why' : said.slice(0, 1_000)}`,
    ...defined({ hint: typeof fix === 'string' && fix !== '' ? fix.slice(0, 500) : undefined }),
    details: getDetails(error),
  };
  const trouble = accountTrouble(said) ?? forbiddenAccount(response);
  if (trouble === undefined) return said === '' ? undefined : explained;
  return { ...explained, ...inaccessibleWords(trouble, said, getDetails(error)) };
}

function toError(response: ServiceResponse): Readonly<Record<string, unknown>> | undefined {
  let body: unknown;
  try {
    body = response.json();
  } catch {
    return undefined;
  }
  if (!isPlainObject(body)) return undefined;
  const { error, message } = body;
  if (isPlainObject(error)) return error;
  if (typeof error === 'string') return { message: error };
  return typeof message === 'string' ? { message } : undefined;
}

function getDetails(error: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  const names = { code: 'composioCode', slug: 'composioSlug', request_id: 'requestId', log_id: 'logId' };
  for (const [theirs, ours] of Object.entries(names)) {
    const value = error[theirs];
    if (typeof value === 'string' || typeof value === 'number') details[ours] = value;
  }
  return details;
}

/** The account's state, as a connection status of Helve. */
export type AccountTrouble = 'expired' | 'revoked' | 'error';

/** Composio's messages for an account that no longer works; undefined for anything else. */
export function accountTrouble(said: string): AccountTrouble | undefined {
  const text = said.toLowerCase();
  if (!/connected[ _-]?account|no active connection/.test(text)) return undefined;
  if (/\bexpired\b/.test(text)) return 'expired';
  if (/not found|does(?: not|n't) exist|no (?:active )?connect|\brevoked\b|\bdeleted\b/.test(text)) return 'revoked';
  return /\binactive\b|\bdisabled\b|in (?:failed|initiated|initializing) state|not active/.test(text)
    ? 'error'
    : undefined;
}

/** A refusal to run any tool with an account means that the account is unusable. */
function forbiddenAccount({ status, url }: ServiceResponse): AccountTrouble | undefined {
  return status === 403 && url.includes('/tools/execute/') ? 'error' : undefined;
}

/** The error for every lost account. `details.account` is its state, `reason` why. */
export function inaccessibleWords(account: AccountTrouble, reason: string, details: object) {
  return {
    code: 'connection_inaccessible' as const,
    message: 'Connection not accessible',
    hint: 'Tell the person that the account must be connected again.',
    details: { ...details, account, reason: reason.slice(0, 500) },
  };
}

/** Seconds until the next request, if this response used up the limit. Never estimated from the window's length. */
function pauseSeconds({ headers }: ServiceResponse, now: Date): number | undefined {
  const left = headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining'];
  if (left?.trim() !== '0') return undefined;
  const reset = headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'];
  const value = reset === undefined ? Number.NaN : Number(reset);
  if (Number.isNaN(value) || value <= 0) return undefined;
  // Remaining seconds, or a time since 1970 in seconds or milliseconds.
  if (value < 1e8) return value;
  const at = value < 1e11 ? value * 1_000 : value;
  return Math.max(0, (at - now.getTime()) / 1_000);
}

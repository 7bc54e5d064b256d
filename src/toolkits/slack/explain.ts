/** Explains Slack's errors, which come with status 200: what was wrong, and what to do. */
import type { Explained, ServiceResponse } from '../../domain/service.js';
import { defined } from '../../util/defined.js';
import { type Meaning, meanings, tokenReasons, wrongTokenHint } from './reasons.js';

interface PersonRefusal {
  readonly user?: string;
  readonly error?: string;
}

interface Refusal {
  readonly ok: false;
  readonly error?: string;
  /** Scopes, separated by commas. */
  readonly needed?: string;
  readonly provided?: string;
  /** Of a call about several people: what was wrong with each. */
  readonly errors?: readonly (PersonRefusal | string | null)[] | null;
  readonly response_metadata?: { readonly messages?: readonly string[] };
}

export function explain(response: ServiceResponse): Explained | undefined {
  const refusal = readRefusal(response);
  if (!refusal) return undefined;
  const { needed, provided, response_metadata } = refusal;
  const errors = (refusal.errors ?? []).map(
    (one): PersonRefusal => (typeof one === 'string' ? { error: one } : (one ?? {})),
  );
  const reason = refusal.error ?? errors[0]?.error ?? 'unknown_error';
  const people = errors.map(({ user, error }) => [user, error].filter(Boolean).join(': ')).filter(Boolean);
  const messages = [...people, ...(response_metadata?.messages ?? []).filter((text) => typeof text === 'string')];
  const message = `Slack refused: ${[reason, ...messages].join('; ').slice(0, 2_000)}`;
  const details = defined({ reason, needed, provided });
  if (tokenReasons.has(reason)) return { code: 'forbidden', message, details, tokenRefused: true };
  if (reason === 'missing_scope') return { code: 'forbidden', message, details, hint: scopeHint(needed) };
  if (failures.has(reason)) return { ...failure(response, reason), message, details };
  const { code, hint } = (Object.hasOwn(meanings, reason) ? meanings[reason] : undefined) ?? guess(reason);
  return { code, message, details, ...defined({ hint }) };
}

function readRefusal(response: ServiceResponse): Refusal | undefined {
  if (!(response.headers['content-type'] ?? '').includes('json')) return undefined;
  try {
    const body = response.json<Partial<Refusal> | null | undefined>();
    return body?.ok === false ? (body as Refusal) : undefined;
  } catch {
    // The body is cut off or garbled: only the status can be explained.
    return undefined;
  }
}

function scopeHint(needed: string | undefined): string {
  // Bots have no scope for searching: adding it would not help.
  if (needed?.includes('search:read')) return wrongTokenHint;
  const which = needed === undefined ? 'a scope that this needs' : `the scope ${needed.replaceAll(',', ' or ')}`;
  return `The Slack app was not given ${which}. A person must add it and connect the account again.`;
}

/** Failures of Slack itself. According to its documentation, with these two a part of the work may have been done. */
const failures = new Set(['fatal_error', 'internal_error']);
const readingMethods =
  /\/(?:auth\.test|chat\.getPermalink|conversations\.(?:replies|history|list|info)|users\.(?:list|info|lookupByEmail)|search\.messages|reactions\.get|files\.(?:list|info|getUploadURLExternal))$/;

function failure({ url }: ServiceResponse, reason: string): Pick<Explained, 'code' | 'hint'> {
  if (readingMethods.test(new URL(url).pathname)) return { code: 'upstream_failed', hint: 'Try again later.' };
  return {
    code: 'outcome_unknown',
    hint: `Slack says that it may have been done despite ${reason}. Check before you do it again.`,
  };
}

/** Slack has hundreds of reasons, and the names of most follow rules. */
function guess(reason: string): Meaning {
  if (/_not_found$|^no_such_/.test(reason)) return { code: 'not_found' };
  const isForbidden =
    /^(?:restricted|not_allowed|cannot|cant|no_permission|access_denied|ekm|team_access|method_not_supported)/;
  return { code: isForbidden.test(reason) ? 'forbidden' : 'invalid_input' };
}

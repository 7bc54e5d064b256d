/**
 * GitHub takes no idempotency key. So each created text carries the key of its effect in a Markdown comment, which
 * GitHub does not show. If the answer is lost, the text is looked for among those created since. Tools leave the
 * comment out of their output.
 */
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient } from '../../domain/service.js';
import type { Idempotency } from '../../domain/tool.js';
import { findEarliest } from '../../util/effect-key.js';
import { fillRequest } from '../../util/fill-request.js';
import { readNextPage } from './answers.js';

export const byMarker: Idempotency = {
  by: 'probe',
  how: 'Its text carries an invisible comment that names the call, and is looked for among what was created since',
};

const marker = (effectKey: string): string => `<!-- helve:${effectKey} -->`;

/** Room for the marker within GitHub's limit of 65,536 characters. */
export const maxMarkedText = 65_400;

export function addMarker<Values extends object>(values: Values & { readonly body?: unknown }, effectKey: string) {
  const text = typeof values.body === 'string' && values.body !== '' ? `${values.body}\n\n` : '';
  return { ...values, body: `${text}${marker(effectKey)}` };
}

/** Returns undefined if nothing else is left. */
export function withoutMarker(text: string): string | undefined {
  return text.replace(/\s*<!-- helve:[0-9a-f]{32} -->/g, '') || undefined;
}

const maxPages = 10;

/** The earliest time at which an effect can have happened, in GitHub's format. */
export const earliest = (startedAt: string): string => findEarliest(startedAt).toISOString();

interface Listed {
  readonly created_at?: string;
}

export interface Search {
  /** `GET /repos/{owner}/{repo}/issues`, filled in from the input. */
  readonly list: string;
  readonly query: Readonly<Record<string, string>>;
  /** Newest first: the search ends where the list is older than `since`. */
  readonly newestFirst?: boolean;
}

/** Returns the first object of a list that matches. Throws if the list is too long to be sure that none matches. */
export async function findCreated<Raw extends object>(
  service: ServiceClient,
  { list, query, newestFirst = false, input, since }: Search & { readonly input: object; readonly since: string },
  fits: (raw: Raw) => boolean,
): Promise<Raw | undefined> {
  const { path } = fillRequest(list, input);
  let page: number | undefined = 1;
  for (let pages = 0; page !== undefined && pages < maxPages; pages++) {
    const response = await service.request({ path, query: { ...query, per_page: 100, page } });
    const raws = response.json<readonly (Raw & Listed)[]>();
    const found = raws.find(fits);
    if (found) return found;
    const last = raws.at(-1)?.created_at;
    if (newestFirst && last !== undefined && Date.parse(last) < Date.parse(since)) return undefined;
    page = readNextPage(response);
  }
  if (page === undefined) return undefined;
  throw new HelveError('outcome_unknown', 'Too much was created since to look through');
}

export const hasMarker =
  (effectKey: string) =>
  ({ body }: { readonly body?: string | null }): boolean =>
    body?.includes(marker(effectKey)) ?? false;

/** Sends one question to the operator's engine, in as many requests as its pages require. */
import { z } from 'zod';
import type { HttpClient, HttpRequest, HttpResponse } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import type { EgressLimits } from '../../domain/tool.js';
import type { Workers } from '../../domain/workers.js';
import { parseUrl } from '../../util/parse-url.js';
import type { Engine, Page, Picture, Question } from './engine.js';
import { engines } from './engines/index.js';
import { plainText } from './plain-text.js';
import { type SearchSettings, searchEgress } from './settings.js';

export interface Search {
  readonly settings: SearchSettings;
  readonly http: HttpClient;
  readonly signal: AbortSignal;
  readonly workers: Workers;
  readonly query: string;
  readonly count: number;
}

const longestSnippet = 500;
const longestTitle = 300;

export function getEgress(_config: unknown, settings: SearchSettings): EgressLimits {
  const address = settings.base_url ?? engines[settings.engine].address;
  // Without an address, nothing may be reached; the search itself reports the missing setting.
  return address === undefined ? { allowedDomains: [] } : searchEgress(address, settings.base_url !== undefined);
}

/** What was found, and what a tool says about it. */
interface Found<T> {
  readonly results: T[];
  /** Why there are fewer results than were asked for, if a later request failed. */
  readonly warning?: string;
}

export const warning = z.string().optional().describe('Why results are missing');

export function searchPages(search: Search): Promise<Found<Page>> {
  const engine = configured(search.settings);
  return gather(search, engine, (question) => ({
    request: engine.pages(search.settings, question),
    read: async (body) =>
      (await engine.readPages(body, search)).map(({ title, url, snippet }) => ({
        title: plainText(title).slice(0, longestTitle),
        url,
        snippet: plainText(snippet).slice(0, longestSnippet),
      })),
  }));
}

export function searchPictures(search: Search): Promise<Found<Picture>> {
  const engine = configured(search.settings);
  const { pictures } = engine;
  if (!pictures) {
    throw new HelveError('invalid_config', `${engine.title} has no search for images`, {
      hint: 'Use web_search, or ask the operator for another engine: toolkits.web_search.engine in helve.yaml.',
    });
  }
  return gather(search, engine, (question) => ({
    request: pictures.request(search.settings, question),
    read: async (body) =>
      pictures
        .read(body)
        .filter(({ image_url }) => isWebAddress(image_url))
        .map((found) => ({ ...found, title: plainText(found.title).slice(0, longestTitle) })),
  }));
}

function configured(settings: SearchSettings): Engine {
  const engine = engines[settings.engine];
  const missing = engine.needs.find((key) => settings[key] === undefined);
  if (missing === undefined) return engine;
  throw new HelveError('invalid_config', `${engine.title} needs toolkits.web_search.${missing} in helve.yaml`, {
    hint: 'Tell the operator. Until then search is off.',
  });
}

type Round<T> = (question: Question) => { request: HttpRequest; read: (body: string) => Promise<readonly T[]> };

async function gather<T extends { url: string }>(search: Search, engine: Engine, round: Round<T>): Promise<Found<T>> {
  const found = new Map<string, T>();
  const { query, count } = search;
  for (let skip = 0; skip < count; skip += engine.mostPerAnswer) {
    const { request, read } = round({ query, count: count - skip, skip });
    const before = found.size;
    try {
      for (const item of await answer(engine, await search.http.fetch(request), read)) {
        if (isWebAddress(item.url) && !found.has(item.url)) found.set(item.url, item);
      }
    } catch (error) {
      if (before === 0 || !(error instanceof HelveError) || search.signal.aborted) throw error;
      return { results: [...found.values()], warning: `The request for more results failed: ${error.message}` };
    }
    // No new results, so this was the last page.
    if (found.size >= count || found.size === before) break;
  }
  return { results: [...found.values()].slice(0, count) };
}

async function answer<T>(
  engine: Engine,
  response: HttpResponse,
  read: (body: string) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const { status, headers } = response;
  // Google refuses a wrong key with 400, and Brave with 422, with which they also refuse questions, and repeat them.
  const maySpeakOfKey = status === 400 || status === 422;
  if (status === 401 || status === 403 || (maySpeakOfKey && /api.?key|subscription.?token/i.test(response.text()))) {
    throw new HelveError('invalid_config', `${engine.title} refused the key or the request (${status})`, {
      hint: 'Tell the operator: toolkits.web_search in helve.yaml.',
    });
  }
  if (status === 429) {
    const seconds = Number(headers['retry-after']);
    throw new HelveError('rate_limited', `${engine.title} was asked too often`, {
      hint: Number.isFinite(seconds) ? `Wait ${seconds} s before the next search.` : 'Wait before the next search.',
    });
  }
  const failed = () => new HelveError('upstream_failed', `${engine.title} answered ${status}`);
  // DuckDuckGo's robot check comes with 202, and is not an answer without results.
  if (status !== 200 && status !== 202) throw failed();
  try {
    const found = await read(response.text());
    if (status === 202 && found.length === 0) throw failed();
    return found;
  } catch (cause) {
    if (cause instanceof HelveError && cause.code !== 'invalid_input') throw cause;
    throw new HelveError('upstream_failed', `${engine.title} answered in an unexpected form`, { cause });
  }
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && parseUrl(url) !== undefined;
}

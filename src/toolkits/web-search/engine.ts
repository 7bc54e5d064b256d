/** The interface of every search engine: its requests, and how its answers are read. */
import type { HttpRequest, ToolContext } from '../../domain/context.js';
import { defined } from '../../util/defined.js';
import type { SearchSettings } from './settings.js';

export interface Page {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

export interface Picture {
  readonly title: string;
  /** The page that shows it. */
  readonly url: string;
  readonly image_url: string;
  readonly thumbnail_url?: string;
  readonly width?: number;
  readonly height?: number;
}

export interface Question {
  readonly query: string;
  /** 1 to 20. */
  readonly count: number;
  /** The number of results in earlier answers to the same question. */
  readonly skip: number;
}

export interface Engine {
  readonly title: string;
  /** Undefined: the operator must set it. */
  readonly address: string | undefined;
  readonly needs: readonly (keyof SearchSettings)[];
  /** Maximum number of results in one answer. */
  readonly mostPerAnswer: number;
  pages(settings: SearchSettings, question: Question): HttpRequest;
  /** Reads the results from the body of the engine's answer. Throws if it is not such an answer. */
  readPages(body: string, call: Pick<ToolContext, 'workers' | 'signal'>): readonly Page[] | Promise<readonly Page[]>;
  /** Absent if the engine has no pictures. */
  readonly pictures?: {
    request(settings: SearchSettings, question: Question): HttpRequest;
    read(body: string): readonly Picture[];
  };
}

/** Joins `base`, a path and a query; a base that has a path of its own keeps it. */
export function address(
  base: string,
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const url = new URL(base.endsWith('/') ? `${base}${path}` : `${base}/${path}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}

/** Readers for untrusted answers: any missing or mistyped value is undefined. */
export interface Loose {
  readonly list: (name: string) => readonly Loose[];
  readonly inside: (name: string) => Loose;
  readonly text: (name: string) => string;
  readonly number: (name: string) => number | undefined;
}

export function loose(value: unknown): Loose {
  const member = (name: string): unknown =>
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return {
    list(name) {
      const found = member(name);
      return Array.isArray(found) ? found.map(loose) : [];
    },
    inside: (name) => loose(member(name)),
    text(name) {
      const found = member(name);
      return typeof found === 'string' ? found : '';
    },
    number(name) {
      const found = member(name);
      return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
    },
  };
}

/** Throws if it is not a JSON object. */
export function parseAnswer(body: string): Loose {
  const value: unknown = JSON.parse(body);
  if (typeof value !== 'object' || value === null) throw new Error('not a JSON object');
  return loose(value);
}

/** A picture with the facts that the engine gave. */
export function picture(facts: {
  title: string;
  url: string;
  image: string;
  thumbnail: string;
  width: number | undefined;
  height: number | undefined;
}): Picture {
  const { title, url, image, thumbnail, width, height } = facts;
  return {
    title,
    url,
    image_url: image,
    ...(thumbnail === '' ? {} : { thumbnail_url: thumbnail }),
    ...defined({ width, height }),
  };
}

/**
 * Reads DuckDuckGo's page of results. Runs in a worker, because a hostile page can make this take any amount of time.
 */
import { parseHTML } from 'linkedom';
import type { Page } from '../engine.js';

export interface ResultPage {
  readonly pages: Page[];
  /** The page asks the caller to prove that a person is searching. */
  readonly challenged: boolean;
}

interface Element {
  readonly textContent: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

export function readResults(html: string): ResultPage {
  const { document } = parseHTML(html) as unknown as { readonly document: Element };
  const pages: Page[] = [];
  for (const result of document.querySelectorAll('.result:not(.result--ad)')) {
    const link = result.querySelector('a.result__a');
    // Links go through DuckDuckGo: //duckduckgo.com/l/?uddg=<address>&rut=…
    const href = new URL(link?.getAttribute('href') ?? '', 'https://duckduckgo.com');
    const url = href.searchParams.get('uddg') ?? href.href;
    const snippet = result.querySelector('.result__snippet')?.textContent ?? '';
    if (link) pages.push({ title: link.textContent, url, snippet });
  }
  return {
    pages,
    challenged: pages.length === 0 && document.querySelector('.anomaly-modal__title, #challenge-form') !== null,
  };
}

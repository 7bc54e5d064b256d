/** DuckDuckGo's page for browsers without scripts: needs no key, and may ask too many callers to prove that they are human. */
import { HelveError } from '../../../domain/errors.js';
import { runFunction } from '../../../util/sandbox/process-function.js';
import { address, type Engine, type Page } from '../engine.js';

const home = 'https://html.duckduckgo.com';

export const duckduckgo: Engine = {
  title: 'DuckDuckGo',
  address: home,
  needs: [],
  mostPerAnswer: 30,
  pages: ({ base_url = home }, { query }) => ({
    url: address(base_url, 'html/', { q: query }),
    headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; Helve)' },
  }),
  async readPages(body, signal) {
    const { pages, challenged } = await runFunction({
      ...{ libraries: { linkedom: 'linkedom' }, work: readResults, data: body },
      ...{ timeoutMs: 5_000, maxHeapMb: 256, signal },
    });
    if (!challenged) return pages;
    throw new HelveError('rate_limited', 'DuckDuckGo asks for proof that a person is searching', {
      hint: 'Try later; the operator can set toolkits.web_search to an engine with a key.',
    });
  },
};

interface Element {
  readonly textContent: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

/** Runs in the other process: uses nothing but its parameters. */
function readResults(
  { linkedom }: { readonly linkedom?: never },
  html: string,
): { pages: Page[]; challenged: boolean } {
  const { parseHTML } = linkedom as unknown as { parseHTML(html: string): { document: Element } };
  const { document } = parseHTML(html);
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

/**
 * DuckDuckGo's page for browsers without scripts. It needs no key, but asks frequent callers to prove that they are
 * human.
 */
import { HelveError } from '../../../domain/errors.js';
import { defineWorker, smallWork } from '../../../util/sandbox/define-worker.js';
import { address, type Engine } from '../engine.js';

const home = 'https://html.duckduckgo.com';

const worker = defineWorker<typeof import('./read-duckduckgo.js')>(import.meta.url, {
  module: './read-duckduckgo.js',
  places: smallWork,
  residentMb: 1_024,
});

export const duckduckgo: Engine = {
  title: 'DuckDuckGo',
  address: home,
  needs: [],
  mostPerAnswer: 30,
  pages: ({ base_url = home }, { query }) => ({
    url: address(base_url, 'html/', { q: query }),
    headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (compatible; Helve)' },
  }),
  async readPages(body, { workers, signal }) {
    const { pages, challenged } = await workers.ask(worker, {
      call: 'readResults',
      message: body,
      heapMb: 256,
      timeoutMs: 5_000,
      signal,
    });
    if (!challenged) return pages;
    throw new HelveError('rate_limited', 'DuckDuckGo asks for proof that a person is searching', {
      hint: 'Try later; the operator can set toolkits.web_search to an engine with a key.',
    });
  },
};

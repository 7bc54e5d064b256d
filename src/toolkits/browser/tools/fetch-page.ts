import { z } from 'zod';
import type { HttpClient } from '../../../domain/context.js';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import type { Browser, PageView } from '../../../domain/reach.js';
import { defineTool } from '../../../domain/tool.js';
import { defined } from '../../../util/defined.js';
import { readArticle } from '../readable.js';
import { browserConfig, browserEgress, pageUrl, waitMs } from '../shapes.js';

export const fetchPage = defineTool({
  name: 'fetch_page',
  title: 'Read a web page',
  description:
    'Open a web page and return what a person would read, as Markdown with whole links. Scripts run where a browser is installed.',
  searchWords:
    'read website article web page url link open visit browse summarize what does the page say content scrape text markdown blog',
  inputSchema: z.strictObject({
    url: pageUrl,
    format: z.enum(['markdown', 'text', 'html']).default('markdown').describe('Form of content'),
    wait_ms: waitMs,
    run_scripts: z.boolean().default(true).describe('false: the page as it is sent, quicker'),
  }),
  outputSchema: z.strictObject({
    url: z.string().describe('The address that answered, after redirects'),
    status_code: z.int(),
    title: z.string(),
    byline: z.string().nullable().describe('Who wrote it, where the page says so'),
    content: z.string(),
    scripts_ran: z.boolean(),
  }),
  configSchema: browserConfig,
  annotations: effects.reads,
  capabilities: ['read page', 'fetch page'],
  examples: [{ input: { url: 'https://example.com/article' } }],
  egress: browserEgress,
  async execute({ url, format, wait_ms, run_scripts }, { browser, http, signal, workers }) {
    const rendered = run_scripts ? await tryRender(browser, url, wait_ms) : undefined;
    const page = rendered ?? (await fetchPlain(http, url));
    const { title, byline, content } = await readArticle(workers, { html: page.html, url: page.url, format }, signal);
    const read = { title: title || page.title, byline, content, scripts_ran: rendered !== undefined };
    return { url: page.url, status_code: page.status, ...read };
  },
});

/** Undefined where this machine has no browser that may be used. */
async function tryRender(browser: Browser, url: string, wait: number | undefined): Promise<PageView | undefined> {
  try {
    return await browser.render({ url, ...defined({ waitMs: wait }) });
  } catch (error) {
    if (error instanceof HelveError && error.code === 'invalid_config') return undefined;
    throw error;
  }
}

async function fetchPlain(http: HttpClient, url: string): Promise<PageView> {
  const response = await http.fetch({ url, headers: { accept: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.5' } });
  const type = response.headers['content-type'] ?? '';
  if (!/html|xml|^text\/|^$/i.test(type)) {
    throw new HelveError('invalid_input', `${response.url} is ${type}, not a page`, {
      hint: 'Use fetch_url for files and data.',
    });
  }
  if (response.truncated) {
    throw new HelveError('too_large', `${response.url} is a page of more than ${response.body.length} bytes`, {
      hint: 'fetch_url returns its beginning, as it is sent.',
    });
  }
  return { url: response.url, title: '', status: response.status, html: response.text() };
}

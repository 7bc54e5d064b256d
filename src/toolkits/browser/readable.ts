/**
 * A page as its article: Mozilla's Readability finds what a person would read, Turndown writes it as Markdown. In a
 * process of its own, because a page can be made to cost as much as it likes.
 */

import { runFunction } from '../../util/sandbox/process-function.js';

export type PageFormat = 'markdown' | 'text' | 'html';

export interface Article {
  readonly title: string;
  readonly byline: string | null;
  readonly content: string;
}

export function readArticle(html: string, url: string, format: PageFormat, signal: AbortSignal): Promise<Article> {
  return runFunction({
    libraries: { linkedom: 'linkedom', readability: '@mozilla/readability', turndown: 'turndown' },
    work: extract,
    data: { html, url, format },
    ...{ timeoutMs: 10_000, maxHeapMb: 512, signal },
  });
}

interface Element {
  textContent: string;
  readonly innerHTML: string;
  readonly outerHTML: string;
  readonly title: string;
  readonly body: Element;
  readonly head: Element;
  querySelectorAll(selector: string): Iterable<Element>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  remove(): void;
}

interface Tools {
  readonly linkedom: { parseHTML(html: string): { document: Element } };
  readonly readability: {
    Readability: new (
      document: Element,
    ) => { parse(): { title: string; byline: string | null; content: string } | null };
  };
  readonly turndown: { default: new (options: object) => { turndown(html: Element): string } };
}

/** Runs in the other process: uses nothing but its parameters. */
function extract(
  libraries: unknown,
  { html, url, format }: { html: string; url: string; format: PageFormat },
): Article {
  const { linkedom, readability, turndown } = libraries as Tools;
  const parse = (text: string): Element =>
    linkedom.parseHTML(
      /<html[\s>]/i.test(text) ? text : `<!doctype html><html><head></head><body>${text}</body></html>`,
    ).document;
  /** As `parseUrl`, which cannot be imported here: this function is sent to a worker as text. */
  const wholeAddress = (address: string): string => {
    try {
      return new URL(address, url).href;
    } catch {
      return '';
    }
  };
  const document = parse(html);
  for (const junk of document.querySelectorAll('script, style, noscript, template, iframe, object, embed'))
    junk.remove();
  for (const [selector, name] of [
    ['a[href]', 'href'],
    ['img[src]', 'src'],
  ] as const) {
    for (const element of document.querySelectorAll(selector)) {
      const address = element.getAttribute(name) ?? '';
      // A model follows links: they are whole, and lead to pages only.
      const whole = wholeAddress(address);
      element.setAttribute(name, /^(https?|mailto):/.test(whole) ? whole : '#');
    }
  }
  // A page need not say where its head ends.
  const title = document.title || ([...document.querySelectorAll('title')][0]?.textContent ?? '');
  const wholePage = document.body.innerHTML;
  const article = new readability.Readability(document).parse();
  const chosen = article?.content ?? wholePage;
  const found = { title: (article?.title || title).trim(), byline: article?.byline ?? null };
  if (format === 'html') return { ...found, content: chosen };
  const body = parse(chosen).body;
  if (format === 'text') {
    for (const block of body.querySelectorAll('p, div, li, h1, h2, h3, h4, h5, h6, tr, br, pre, blockquote')) {
      block.textContent = `${block.textContent}\n`;
    }
    return {
      ...found,
      content: body.textContent
        .replace(/[^\S\n]+/g, ' ')
        .replace(/ ?\n\s*/g, '\n')
        .trim(),
    };
  }
  const markdown = new turndown.default({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  return { ...found, content: markdown.turndown(body).trim() };
}

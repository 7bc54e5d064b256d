/** Extracts the article of a page. Runs in a worker, because a hostile page can make this take any amount of time. */
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { dropHidden } from '../../util/drop-hidden.js';
import { parseUrl } from '../../util/parse-url.js';
import { type TableElement, writeTable } from './markdown-tables.js';

export type PageFormat = 'markdown' | 'text' | 'html';

export interface PageSource {
  readonly html: string;
  readonly url: string;
  readonly format: PageFormat;
}

export interface Article {
  readonly title: string;
  readonly byline: string | null;
  readonly content: string;
}

interface Element extends TableElement, Omit<Parameters<typeof dropHidden>[0], keyof TableElement> {
  readonly innerHTML: string;
  readonly title: string;
  readonly body: Element;
  querySelectorAll(selector: string): Iterable<Element>;
  setAttribute(name: string, value: string): void;
  remove(): void;
  before(text: string): void;
  after(text: string): void;
}

const blocks =
  'address, article, aside, blockquote, br, caption, dd, div, dl, dt, figcaption, figure, footer, h1, h2, h3, h4, h5, h6, header, hr, li, main, ol, p, pre, section, table, tr, ul';

/** A character for private use. */
const keptSpace = '\ue000';

export function extractArticle({ html, url, format }: PageSource): Article {
  const document = parse(html);
  dropHidden(document);
  for (const junk of document.querySelectorAll('script, style, noscript, template, iframe, object, embed'))
    junk.remove();
  completeAddresses(document, url);
  // A page need not say where its head ends.
  const title = document.title || ([...document.querySelectorAll('title')][0]?.textContent ?? '');
  const wholePage = document.body.innerHTML;
  const article = new Readability(document as never).parse();
  const found = { title: (article?.title || title).trim(), byline: article?.byline ?? null };
  return { ...found, content: write(article?.content ?? wholePage, format) };
}

function parse(text: string): Element {
  const whole = /<html[\s>]/i.test(text) ? text : `<!doctype html><html><head></head><body>${text}</body></html>`;
  return (parseHTML(whole) as unknown as { readonly document: Element }).document;
}

/** A model follows links, so they are made absolute, and only links to pages are kept. */
function completeAddresses(document: Element, base: string): void {
  for (const [selector, name] of [
    ['a[href]', 'href'],
    ['img[src]', 'src'],
  ] as const) {
    for (const element of document.querySelectorAll(selector)) {
      const whole = parseUrl(element.getAttribute(name) ?? '', base)?.href ?? '';
      element.setAttribute(name, /^(https?|mailto):/.test(whole) ? whole : '#');
    }
  }
}

function write(content: string, format: PageFormat): string {
  if (format === 'html') return content;
  const { body } = parse(content);
  if (format === 'markdown') return writeMarkdown(body);
  for (const block of body.querySelectorAll(blocks)) {
    block.before('\n');
    block.after('\n');
  }
  for (const cell of body.querySelectorAll('td + td, td + th, th + td, th + th')) cell.before(' | ');
  // The indentation of code must outlast the joining of white space.
  for (const code of body.querySelectorAll('pre'))
    code.textContent = code.textContent.replaceAll('\t', '    ').replaceAll(' ', keptSpace);
  return body.textContent
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
    .replaceAll(keptSpace, ' ');
}

function writeMarkdown(body: Element): string {
  const markdown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  markdown.addRule('table', {
    filter: 'table',
    replacement: (content, table) => `\n\n${writeTable(table, (cell) => markdown.turndown(cell)) ?? content}\n\n`,
  });
  // Turndown knows code only as <pre><code>, and escapes the characters of any other <pre>.
  markdown.addRule('preformatted', {
    filter: 'pre',
    replacement: (_content, { textContent }) => writeCode(textContent),
  });
  for (const lineBreak of body.querySelectorAll('pre br')) lineBreak.after('\n');
  return markdown.turndown(body).trim();
}

function writeCode(text: string): string {
  const ticks = (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 2);
  const fence = '`'.repeat(ticks + 1);
  return `\n\n${fence}\n${text.replace(/\n$/, '')}\n${fence}\n\n`;
}

/**
 * Extracts the article of a page: Mozilla's Readability finds what a person would read, Turndown writes it as Markdown.
 * Runs in a worker, because a hostile page can make this take any amount of time.
 */
import type { Workers } from '../../domain/workers.js';
import { defineWorker, smallWork } from '../../util/sandbox/define-worker.js';
import type { Article, PageSource } from './extract-article.js';

const worker = defineWorker<typeof import('./extract-article.js')>(import.meta.url, {
  module: './extract-article.js',
  places: smallWork,
  residentMb: 1_024,
});

export function readArticle(workers: Workers, page: PageSource, signal: AbortSignal): Promise<Article> {
  return workers.ask(worker, { call: 'extractArticle', message: page, heapMb: 512, timeoutMs: 10_000, signal });
}

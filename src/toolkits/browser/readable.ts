/**
 * A page as its article: Mozilla's Readability finds what a person would read, Turndown writes it as Markdown. In a
 * worker, because a page can be made to cost as much as it likes.
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

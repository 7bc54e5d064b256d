/**
 * The operator's own SearXNG (or searx), with `json` among its formats: https://docs.searxng.org/dev/search_api.html
 */
import { address, type Engine, parseAnswer, picture, type Question } from '../engine.js';
import type { SearchSettings } from '../settings.js';

function ask({ base_url = '' }: SearchSettings, { query, skip }: Question, categories: string) {
  // Its pages have about ten results, depending on its engines; further pages are requested as long as they bring new
  // results.
  const pageno = Math.floor(skip / 10) + 1;
  return { url: address(base_url, 'search', { q: query, format: 'json', categories, pageno }) };
}

export const searxng: Engine = {
  title: 'SearXNG',
  address: undefined,
  needs: ['base_url'],
  mostPerAnswer: 10,
  pages: (settings, question) => ask(settings, question, 'general'),
  readPages: (body) =>
    parseAnswer(body)
      .list('results')
      .map((item) => ({ title: item.text('title'), url: item.text('url'), snippet: item.text('content') })),
  pictures: {
    request: (settings, question) => ask(settings, question, 'images'),
    read: (body) =>
      parseAnswer(body)
        .list('results')
        .map((item) => {
          const [width, height] = /^(\d{1,6})\s*[x×]\s*(\d{1,6})/.exec(item.text('resolution'))?.slice(1) ?? [];
          return picture({
            title: item.text('title'),
            url: item.text('url'),
            image: item.text('img_src'),
            thumbnail: item.text('thumbnail_src'),
            width: width === undefined ? undefined : Number(width),
            height: height === undefined ? undefined : Number(height),
          });
        }),
  },
};

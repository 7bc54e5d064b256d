/** Google Programmable Search, https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list */
import { address, type Engine, parseAnswer, picture, type Question } from '../engine.js';
import type { SearchSettings } from '../settings.js';

const home = 'https://customsearch.googleapis.com';

function ask(settings: SearchSettings, { query, count, skip }: Question, searchType?: string) {
  const { api_key, engine_id, base_url = home } = settings;
  const more = { key: api_key, cx: engine_id, searchType, start: skip === 0 ? undefined : skip + 1 };
  return { url: address(base_url, 'customsearch/v1', { q: query, num: Math.min(count, 10), ...more }) };
}

export const google: Engine = {
  title: 'Google',
  address: home,
  needs: ['api_key', 'engine_id'],
  mostPerAnswer: 10,
  pages: (settings, question) => ask(settings, question),
  readPages: (body) =>
    parseAnswer(body)
      .list('items')
      .map((item) => ({ title: item.text('title'), url: item.text('link'), snippet: item.text('snippet') })),
  pictures: {
    request: (settings, question) => ask(settings, question, 'image'),
    read: (body) =>
      parseAnswer(body)
        .list('items')
        .map((item) =>
          picture({
            title: item.text('title'),
            url: item.inside('image').text('contextLink'),
            image: item.text('link'),
            thumbnail: item.inside('image').text('thumbnailLink'),
            width: item.inside('image').number('width'),
            height: item.inside('image').number('height'),
          }),
        ),
  },
};

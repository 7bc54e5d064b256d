/** Brave Search API, https://api-dashboard.search.brave.com/app/documentation */
import { address, type Engine, parseAnswer, picture } from '../engine.js';

const home = 'https://api.search.brave.com/res/v1';

export const brave: Engine = {
  title: 'Brave',
  address: home,
  needs: ['api_key'],
  mostPerAnswer: 20,
  pages: ({ api_key = '', base_url = home }, { query, count }) => ({
    url: address(base_url, 'web/search', { q: query, count }),
    headers: { accept: 'application/json', 'x-subscription-token': api_key },
  }),
  readPages: (body) =>
    parseAnswer(body)
      .inside('web')
      .list('results')
      .map((item) => ({ title: item.text('title'), url: item.text('url'), snippet: item.text('description') })),
  pictures: {
    request: ({ api_key = '', base_url = home }, { query, count }) => ({
      url: address(base_url, 'images/search', { q: query, count }),
      headers: { accept: 'application/json', 'x-subscription-token': api_key },
    }),
    read: (body) =>
      parseAnswer(body)
        .list('results')
        .map((item) =>
          picture({
            title: item.text('title'),
            url: item.text('url'),
            image: item.inside('properties').text('url'),
            thumbnail: item.inside('thumbnail').text('src'),
            width: item.inside('properties').number('width'),
            height: item.inside('properties').number('height'),
          }),
        ),
  },
};

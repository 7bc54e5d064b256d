/** SerpAPI, https://serpapi.com/search-api and https://serpapi.com/google-images-api */
import { address, type Engine, parseAnswer, picture } from '../engine.js';

const home = 'https://serpapi.com';

export const serpapi: Engine = {
  title: 'SerpAPI',
  address: home,
  needs: ['api_key'],
  mostPerAnswer: 10,
  pages: ({ api_key, base_url = home }, { query, skip }) => ({
    url: address(base_url, 'search.json', { engine: 'google', q: query, start: skip || undefined, api_key }),
  }),
  readPages: (body) =>
    parseAnswer(body)
      .list('organic_results')
      .map((item) => ({ title: item.text('title'), url: item.text('link'), snippet: item.text('snippet') })),
  pictures: {
    request: ({ api_key, base_url = home }, { query }) => ({
      url: address(base_url, 'search.json', { engine: 'google_images', q: query, api_key }),
    }),
    read: (body) =>
      parseAnswer(body)
        .list('images_results')
        .map((item) =>
          picture({
            title: item.text('title'),
            url: item.text('link'),
            image: item.text('original'),
            thumbnail: item.text('thumbnail'),
            width: item.number('original_width'),
            height: item.number('original_height'),
          }),
        ),
  },
};

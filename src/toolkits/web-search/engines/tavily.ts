/** Tavily, https://docs.tavily.com/documentation/api-reference/endpoint/search */
import type { HttpRequest } from '../../../domain/context.js';
import { address, type Engine, loose, parseAnswer, picture, type Question } from '../engine.js';
import type { SearchSettings } from '../settings.js';

const home = 'https://api.tavily.com';

function ask(
  { api_key = '', base_url = home }: SearchSettings,
  { query, count }: Question,
  images: boolean,
): HttpRequest {
  return {
    url: address(base_url, 'search', {}),
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${api_key}` },
    body: JSON.stringify({
      query,
      max_results: count,
      ...(images ? { include_images: true, include_image_descriptions: true } : {}),
    }),
  };
}

export const tavily: Engine = {
  title: 'Tavily',
  address: home,
  needs: ['api_key'],
  mostPerAnswer: 20,
  pages: (settings, question) => ask(settings, question, false),
  readPages: (body) =>
    parseAnswer(body)
      .list('results')
      .map((item) => ({ title: item.text('title'), url: item.text('url'), snippet: item.text('content') })),
  pictures: {
    request: (settings, question) => ask(settings, question, true),
    // Tavily gives no page for a picture, so the picture's own address is used. Without descriptions, pictures are
    // plain addresses.
    read: (body) => {
      const { images } = JSON.parse(body) as { images?: unknown };
      return (Array.isArray(images) ? images : []).map((image: unknown) => {
        const url = typeof image === 'string' ? image : loose(image).text('url');
        const title = loose(image).text('description');
        return picture({ title, url, image: url, thumbnail: '', width: undefined, height: undefined });
      });
    },
  },
};

/**
 * Every engine behind one shape. Tavily is answered by aimock; the others by a server that gives the answers of
 * their documentation and refuses requests that are not as documented.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { plainText } from './plain-text.js';

const mock = new LLMock({ port: 0, host: '127.0.0.1' });
let server: Server;
let base: string;
let asked: URL[] = [];

const numbered = <T>(from: number, count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(from + index));
const link = (n: number): string => `https://site${n}.example/page?a=1&b=${n}`;

/** What each engine answers to a right request; undefined: refused. */
const engines: Record<string, (url: URL, request: IncomingMessage) => unknown> = {
  '/brave/web/search': (url, { headers }) =>
    headers['x-subscription-token'] === 'key' && {
      web: {
        results: numbered(1, Number(url.searchParams.get('count')), (n) => ({
          title: `Page ${n}`,
          url: link(n),
          description: `About <strong>bees</strong> &amp; ${n}`,
        })),
      },
    },
  '/brave/images/search': (_, { headers }) =>
    headers['x-subscription-token'] === 'key' && {
      results: [
        {
          title: 'A bee',
          url: link(1),
          thumbnail: { src: 'https://t.example/1' },
          properties: { url: 'https://i.example/1.png', width: 10, height: 20 },
        },
        { title: 'no picture', url: link(2), properties: { url: 'javascript:alert(1)' } },
      ],
    },
  '/serpapi/search.json': ({ searchParams: ask }) =>
    ask.get('api_key') === 'key' &&
    ask.get('engine') === 'google' && {
      organic_results: numbered(1 + Number(ask.get('start') ?? 0), 10, (n) => ({
        position: n,
        title: `Page ${n}`,
        link: link(n),
        snippet: `About bees & ${n}`,
      })),
    },
  '/google/customsearch/v1': ({ searchParams: ask }) =>
    ask.get('key') === 'key' &&
    ask.get('cx') === 'cx1' &&
    Number(ask.get('num')) <= 10 && {
      items: numbered(Number(ask.get('start') ?? 1), Number(ask.get('num')), (n) => ({
        title: `Page ${n}`,
        link: link(n),
        snippet: `About bees & ${n}`,
        image: { contextLink: link(n), thumbnailLink: 'https://t.example/1', width: 10, height: 20 },
      })),
    },
  '/searxng/search': ({ searchParams: ask }) =>
    ask.get('format') === 'json' && {
      query: 'bees',
      results: numbered(Number(ask.get('pageno')) * 10 - 9, 10, (n) => ({
        title: `Page ${n}`,
        url: link(n),
        content: `About bees & ${n}`,
        img_src: 'https://i.example/1.png',
        thumbnail_src: 'https://t.example/1',
        resolution: '10 x 20',
      })),
    },
  '/duckduckgo/html/': (url) => duckDuckGoPage(url.searchParams.get('q') ?? ''),
};

function duckDuckGoPage(query: string): string {
  if (query === 'robots') return '<html><p>Another check</p></html>';
  if (query === 'robot') return '<html><form id="challenge-form"></form></html>';
  const result = (
    n: number,
    kind = '',
  ) => `<div class="result results_links web-result ${kind}"><h2 class="result__title">
    <a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(link(n))}&amp;rut=x">Page ${n}</a></h2>
    <a class="result__snippet" href="#">About <b>bees</b> &amp; ${n}</a></div>`;
  return `<html><body><div id="links">${result(99, 'result--ad')}${numbered(1, 25, (n) => result(n)).join('')}</div></body></html>`;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    asked.push(url);
    if (url.searchParams.get('q') === 'busy') return void response.writeHead(429, { 'retry-after': '7' }).end();
    if (url.searchParams.get('q') === 'once' && url.searchParams.get('start') !== null)
      return void response.writeHead(500).end();
    if (url.searchParams.get('q') === 'odd') return void response.end('<p>not what you think');
    if (url.searchParams.get('q')?.startsWith('keyboard'))
      return void response.writeHead(422).end(JSON.stringify({ error: { code: 'VALIDATION', input: url.search } }));
    const answer = engines[url.pathname]?.(url, request);
    if (url.searchParams.get('q')?.startsWith('robot')) response.statusCode = 202;
    if (!answer && url.pathname.startsWith('/google'))
      return void response
        .writeHead(400)
        .end('{"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}');
    if (!answer) return void response.writeHead(401).end('{}');
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  mock.onSearch(
    'bees',
    numbered(1, 3, (n) => ({ title: `Page ${n}`, url: link(n), content: `About bees & ${n}` })),
  );
  await mock.start();
});
afterAll(async () => {
  server.close();
  await mock.stop();
});

async function withEngine<T>(settings: string, work: (helve: TestHelve) => Promise<T>): Promise<T> {
  asked = [];
  const helve = await createTestHelve({ config: `toolkits:\n  web_search: { ${settings} }\n` });
  try {
    return await work(helve);
  } finally {
    await helve.close();
  }
}
const at = (engine: string, more = ''): string => `engine: ${engine}, base_url: "${base}/${engine}"${more}`;
const page = (n: number) => ({ title: `Page ${n}`, url: link(n), snippet: `About bees & ${n}` });

describe('R-web-search: one shape', () => {
  test.each([
    ['brave', ', api_key: key'],
    ['serpapi', ', api_key: key'],
    ['google', ', api_key: key, engine_id: cx1'],
    ['searxng', ''],
    ['duckduckgo', ''],
  ])('%s answers titles, addresses and snippets, as many as were asked for', async (engine, more) => {
    await withEngine(at(engine, more), async (helve) => {
      expect(await helve.call('web_search', { query: 'bees' })).toMatchObject({
        ok: true,
        output: { engine, results: numbered(1, 5, page) },
      });
      const many = await helve.call('web_search', { query: 'bees', num_results: 20 });
      expect(many).toMatchObject({ ok: true, output: { results: numbered(1, 20, page) } });
      const rows = (await helve.audited()).filter(({ tool }) => tool === 'Web_search.webSearch');
      expect(rows.map(({ type }) => type)).toEqual(Array(2).fill(['execution.started', 'execution.finished']).flat());
    });
  });

  test('tavily, answered by aimock', async () => {
    await withEngine(`engine: tavily, api_key: key, base_url: "${mock.url}"`, async (helve) => {
      expect(await helve.call('web_search', { query: 'bees', num_results: 3 })).toMatchObject({
        ok: true,
        output: { engine: 'tavily', results: numbered(1, 3, page) },
      });
      expect(mock.getLastRequest()?.path).toBe('/search');
    });
  });

  test.each([
    ['brave', ', api_key: key', 'A bee'],
    ['google', ', api_key: key, engine_id: cx1', 'Page 1'],
    ['searxng', '', 'Page 1'],
  ])('images of %s', async (engine, more, title) => {
    await withEngine(at(engine, more), async (helve) => {
      const answer = await helve.call('image_search', { query: 'bees', num_results: 1 });
      const picture = { title, url: link(1), width: 10, height: 20 };
      expect(answer).toMatchObject({
        ok: true,
        output: { results: [{ ...picture, thumbnail_url: 'https://t.example/1' }] },
      });
    });
  });

  test('an address that is no web address is not passed on', async () => {
    await withEngine(at('brave', ', api_key: key'), async (helve) => {
      const answer = await helve.call('image_search', { query: 'bees', num_results: 5 });
      expect(answer).toMatchObject({ output: { results: [{ image_url: 'https://i.example/1.png' }] } });
    });
  });
});

describe('R-web-search: what goes wrong is said', () => {
  const refused = (code: string, message: RegExp) => ({
    ok: false,
    error: { code, message: expect.stringMatching(message) },
  });

  test.each([
    ['a key that is missing', 'engine: brave', {}, refused('invalid_config', /toolkits\.web_search\.api_key/)],
    ['an address that is missing', 'engine: searxng', {}, refused('invalid_config', /toolkits\.web_search\.base_url/)],
  ])('%s', async (_what, settings, more, expected) => {
    await withEngine(settings, async (helve) => {
      expect(await helve.call('web_search', { query: 'bees', ...more })).toMatchObject(expected);
    });
  });

  test('a key that is refused, a limit, an answer of another kind, a robot check', async () => {
    await withEngine(at('brave', ', api_key: wrong'), async (helve) => {
      const ask = (query: string) => helve.call('web_search', { query });
      expect(await ask('bees')).toMatchObject(refused('invalid_config', /refused the key/));
      const busy = await ask('busy');
      expect(busy).toMatchObject(refused('rate_limited', /too often/));
      expect(busy).toMatchObject({ error: { hint: expect.stringContaining('7 s') } });
      expect(await ask('odd')).toMatchObject(refused('upstream_failed', /unexpected form/));
      expect(await ask('keyboard shortcuts')).toMatchObject(refused('upstream_failed', /answered 422/));
    });
    await withEngine(at('google', ', api_key: wrong, engine_id: cx1'), async (helve) => {
      expect(await helve.call('web_search', { query: 'bees' })).toMatchObject(
        refused('invalid_config', /refused the key/),
      );
    });
    await withEngine(at('duckduckgo'), async (helve) => {
      expect(await helve.call('web_search', { query: 'robot' })).toMatchObject(refused('rate_limited', /proof/));
      expect(await helve.call('web_search', { query: 'robots' })).toMatchObject(refused('upstream_failed', /202/));
      expect(await helve.call('image_search', { query: 'bees' })).toMatchObject(refused('invalid_config', /no search/));
      expect(await helve.call('web_search', { query: '' })).toMatchObject(refused('invalid_input', /query/));
      expect(await helve.call('web_search', { query: 'a', num_results: 21 })).toMatchObject({ ok: false });
    });
  });

  test('attack: a second request that fails takes nothing from what the first one found, and is told', async () => {
    await withEngine(at('serpapi', ', api_key: key'), async (helve) => {
      expect(await helve.call('web_search', { query: 'once', num_results: 20 })).toMatchObject({
        ok: true,
        output: { results: numbered(1, 10, page), warning: expect.stringMatching(/more results failed: .*500/) },
      });
      const whole = await helve.call('web_search', { query: 'bees', num_results: 20 });
      expect((whole as { output: object }).output).not.toHaveProperty('warning');
    });
  });

  test('the engine alone is reached: the default one stays behind the wall', async () => {
    await withEngine('engine: duckduckgo', async (helve) => {
      // Here there is no network; what matters is that no other address was asked.
      expect(await helve.call('web_search', { query: 'bees' })).toMatchObject({ ok: false });
      expect(asked).toEqual([]);
    });
  });
});

test('R-web-search: snippets are plain text', () => {
  expect(plainText('<b>a</b> &lt;i&gt; &#8364; &#x20AC; &amp;amp; 1 < 2\n b &#55296;')).toBe('a <i> € € &amp; 1 < 2 b');
});

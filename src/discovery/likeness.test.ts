/** What embeddings from elsewhere add to a search: candidates and rank, only among the allowed tools, act by act. */
import { expect, test } from 'vitest';
import { atOnce } from '../util/slices.js';
import {
  compare,
  createToolIndex,
  createVectorTable,
  type DiscoveredTool,
  embeddedText,
  type Likeness,
  normalised,
} from './index.js';

const toolOf = (toolkit: string, name: string, description: string): DiscoveredTool => ({
  id: `${toolkit}/${name}`,
  toolkit,
  toolkitName: toolkit,
  name,
  description,
});
const tools = [
  toolOf('shop', 'create_refund', 'Pays an amount back to a buyer.'),
  toolOf('shop', 'list_orders', 'Lists orders of a shop.'),
  toolOf('shop', 'create_order', 'Creates an order.'),
  toolOf('mail', 'send_letter', 'Sends a letter to somebody.'),
  toolOf('mail', 'list_letters', 'Lists letters.'),
];
const likes = (id: string, bonus = 6): Likeness => ({
  bonus: (other) => (other === id ? bonus : 0),
  nearest: [{ id, toolkit: id.slice(0, id.indexOf('/')) }],
});

test('R-tiers: a tool that no word finds comes first if the embeddings say so, and is not found without them', async () => {
  const index = await createToolIndex(tools);
  const query = 'xylo grumbly quuxes';
  const plain = index.search(query);
  expect(plain).toMatchObject({ answer: 'nothing', tier: 'fallback' });
  const liked = index.search(query, { likeness: () => likes('shop/create_refund') });
  expect([liked.tier, liked.hits[0]?.id]).toEqual(['semantic', 'shop/create_refund']);
  const usual = index.search('list the orders of the shop');
  const other = index.search('list the orders of the shop', { likeness: () => likes('mail/list_letters', 40) });
  expect([usual.hits[0]?.id, other.hits[0]?.id]).toEqual(['shop/list_orders', 'mail/list_letters']);
  // What the ranker is sure of is not lost because the embeddings prefer another tool.
  expect([usual.answer, other.answer]).toEqual(['these', 'these']);
});

test('R-visibility: embeddings bring in no tool of a toolkit that is not allowed', async () => {
  const index = await createToolIndex(tools);
  const found = index.search('list letters', { toolkits: ['mail'], likeness: () => likes('shop/create_refund', 1e9) });
  expect(found.hits.map(({ id }) => id).sort()).toEqual(['mail/list_letters', 'mail/send_letter']);
});

test('R-tiers: each act of a request is compared by itself', async () => {
  const index = await createToolIndex(tools);
  const query = 'list the letters in mail, and then create an order in shop';
  const texts = index.textsOf(query);
  expect(texts).toHaveLength(3);
  expect(texts[0]).toBe(query);
  const asked: string[] = [];
  index.search(query, {
    likeness(text) {
      asked.push(text);
      return undefined;
    },
  });
  expect(asked).toEqual(texts);
  const { hits, acts } = index.search(query, {
    likeness: (text) => (text === texts[2] ? likes('shop/create_refund', 40) : undefined),
  });
  expect(acts).toHaveLength(2);
  expect(hits.find(({ act }) => act === 2)?.id).toBe('shop/create_refund');
});

test('R-tiers: a vector of bytes keeps the cosine, and what stands out is measured in deviations', () => {
  const numbers = (seed: number) => Array.from({ length: 300 }, (_, at) => Math.sin((seed + 1) * (at + 3) ** 2));
  const table = createVectorTable(300);
  const keyed = Array.from({ length: 200 }, (_, at) => ({ id: `t/${at}`, toolkit: 't', key: `k${at}` }));
  for (const [at, { key }] of keyed.entries()) table.add(key, normalised(numbers(at)) ?? new Float32Array());
  const right = normalised(numbers(17)) ?? new Float32Array();
  expect(table.cosine(right, table.row('k17'))).toBeCloseTo(1, 2);
  const told = atOnce(
    compare(right, {
      table,
      tools: [...keyed, { id: 't/x', toolkit: 't', key: 'none' }],
      find: (id) => keyed.find((one) => one.id === id),
      weight: 2,
    }),
  );
  expect([told.nearest.length, told.nearest[0]?.id]).toEqual([40, 't/17']);
  expect(told.bonus('t/17')).toBe(12);
  expect([told.bonus('t/x'), told.bonus('t/unknown')]).toEqual([0, 0]);
  const copy = createVectorTable(300);
  atOnce(copy.unpack(table.pack(['k17', 'none'])));
  expect([copy.size, copy.cosine(right, copy.row('k17'))]).toEqual([1, table.cosine(right, table.row('k17'))]);
});

test.each<[string, unknown]>([
  ['no list', { 0: 1 }],
  ['an empty list', []],
  ['not a number', [1, Number.NaN]],
  ['null', [1, null]],
  ['too large a number', [1e308, 1e308]],
  ['no direction', [0, 0, 0]],
  ['too long a list', Array.from({ length: 4_097 }, () => 1)],
])('R-tiers: %s is no vector', (_what, given) => {
  expect(normalised(given)).toBeUndefined();
});

test('R-tiers: of a tool its app, the words of its name and its description are given to the model', () => {
  const tool = toolOf('github', 'GITHUB_CREATE_ISSUE', 'Opens an issue.');
  expect(embeddedText({ ...tool, toolkitName: 'GitHub' })).toBe('GitHub: create issue. Opens an issue.');
  expect(embeddedText({ ...tool, description: 'x'.repeat(5_000) })).toHaveLength(1_000);
});

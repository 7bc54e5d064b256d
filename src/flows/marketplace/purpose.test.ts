/** A search of the marketplace by purpose, when hardly any app has the words. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineToolkit } from '../../domain/tool.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

/** By app: what it is, and what its one tool does. */
const apps = [
  ['phonebird', 'Programmable telephony', 'communication', 'send_sms', 'Send a text message to a phone number'],
  ['parley', 'Reaches customers by text messages', 'communication', 'list_rooms', 'List the rooms'],
  ['coinbox', 'Takes card payments', 'payments', 'create_charge', 'Charge a card'],
  ['leafpad', 'Keeps notes', 'productivity', 'create_note', 'Create a note'],
  ['stargaze', 'Maps of the sky', 'science', 'find_planet', 'Find a planet in the sky'],
] as const;

let helve: TestHelve;
beforeAll(async () => {
  helve = await createTestHelve({
    nativeToolkits: [],
    tools: [],
    toolkits: apps.map(([slug, description, category, name, does]) =>
      defineToolkit({
        slug,
        title: slug,
        description,
        category,
        load: async () => [testTool({ name, description: does, capabilities: [name.replace('_', ' ')] })],
      }),
    ),
    granted: [],
  });
});
afterAll(() => helve?.close());

const find = async (search: string, more: object = {}) => {
  const { apps: found, matched, total, nextCursor } = await helve.plane.marketplace(helve.admin, { search, ...more });
  return { slugs: found.map(({ slug }) => slug), matched, total, nextCursor };
};

test('R-panel R-cache-tables: words that no app has find those that serve the purpose, by their description and by their actions', async () => {
  const { slugs, matched } = await find('send text messages to customers');
  expect(matched).toBe('purpose');
  expect(slugs.slice(0, 2).sort()).toEqual(['parley', 'phonebird']);
  expect((await find('charge a credit card')).slugs[0]).toBe('coinbox');
});

test('R-panel R-cache-tables: an app whose name begins with the words is meant by its name', async () => {
  expect(await find('coinbox')).toMatchObject({ slugs: ['coinbox'], matched: 'words' });
  expect(await find('COIN')).toMatchObject({ slugs: ['coinbox'], matched: 'words' });
  // The words occur in a description only: it comes first, and others that serve the purpose follow.
  const { slugs, matched } = await find('card payments');
  expect([slugs[0], matched]).toEqual(['coinbox', 'purpose']);
  expect((await find('')).matched).toBeUndefined();
});

test('R-panel R-cache-tables: words of which nothing is known find nothing, and filters hold for a purpose too', async () => {
  expect(await find('qwxz zzzv')).toMatchObject({ slugs: [], total: 0, matched: 'words' });
  const { slugs } = await find('send text messages to customers', { category: 'payments' });
  expect(slugs.every((slug) => slug === 'coinbox')).toBe(true);
});

test('R-panel R-cache-tables: pages of a purpose are complete: nothing twice, nothing missing', async () => {
  const all = await find('send text messages to customers');
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await find('send text messages to customers', { limit: 1, ...(cursor && { cursor }) });
    expect([page.total, page.matched]).toEqual([all.total, 'purpose']);
    seen.push(...page.slugs);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  expect(seen).toEqual(all.slugs);
});

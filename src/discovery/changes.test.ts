/** Toolkits are added, removed and replaced during searches: no search sees half of one. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createHashTable } from './hash-table.js';
import { createToolIndex, type DiscoveredTool } from './index.js';
import { byWordsAlone } from './tests/by-words-alone.js';

const make = (tools: readonly DiscoveredTool[]) => createToolIndex(tools, { ranker: byWordsAlone });
const said = 'paints walls, floors and ceilings in many colours, with a brush or a roller, by the hour or by the room';
const tools = (toolkit: string, word: string, count: number): DiscoveredTool[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${toolkit}/${word}_${at}`,
    toolkit,
    name: `${word}_house_${at}`,
    description: `${word} ${said} ${at}`,
  }));
type Index = Awaited<ReturnType<typeof make>>;
const count = 1_200;

/** Which of the two versions a search sees, by words and by a name; throws if it sees a mixture or neither. */
function versionSeen(index: Index): 'old' | 'new' {
  const of = (word: string) => ({
    words: index.search(word, { limit: 200 }).hits.length,
    name: index.search(`run big_${word}_house_${count - 1} now`).hits.some(({ why }) => why?.[0] === 'exact name'),
    known: !index.search(word).unmatched.includes(word),
  });
  const [older, newer] = [of('plaster'), of('varnish')];
  const isOld = older.words >= 100 && older.name && older.known && newer.words === 0 && !newer.name && !newer.known;
  const isNew = newer.words >= 100 && newer.name && newer.known && older.words === 0 && !older.name && !older.known;
  if (isOld === isNew || index.size !== count + 3) throw new Error(JSON.stringify({ older, newer, size: index.size }));
  return isOld ? 'old' : 'new';
}

it('R-tiers: a search between the steps of a replacement sees the old toolkit or the new one, never half', async () => {
  const index = await make([...tools('big', 'plaster', count), ...tools('small', 'shovel', 3)]);
  let isDone = false;
  const change = index.add(tools('big', 'varnish', count)).finally(() => {
    isDone = true;
  });
  const seen: string[] = [];
  while (!isDone) {
    seen.push(versionSeen(index));
    await setImmediate();
  }
  await change;
  seen.push(versionSeen(index));
  expect(seen.filter((one, at) => one !== seen[at - 1])).toEqual(['old', 'new']);
  expect(seen.length).toBeGreaterThan(5);
});

it('R-tiers: of two simultaneous changes the last requested one remains, and removal is immediate', async () => {
  const index = await make([]);
  await Promise.all([index.add(tools('big', 'plaster', 300)), index.add(tools('big', 'varnish', 200))]);
  expect([index.size, index.search('plaster').hits.length]).toEqual([200, 0]);
  const adding = index.add(tools('other', 'plaster', 100));
  expect(index.remove('big')).toBe(true);
  expect([index.size, index.search('varnish').hits, index.remove('big')]).toEqual([0, [], false]);
  await adding;
  expect([index.size, index.search('plaster').hits.length]).toEqual([100, 10]);
  // The numbers of removed toolkits are reused, and nothing of theirs is found there.
  for (let round = 0; round < 5; round++) {
    await index.add(tools(`next-${round}`, 'varnish', 50));
    expect(index.remove(`next-${round}`)).toBe(true);
  }
  await index.add(tools('last', 'gild', 60));
  expect(index.search('run next_1_varnish_house_7 now').hits.filter(({ why }) => why?.[0] === 'exact name')).toEqual(
    [],
  );
  expect([index.size, index.search('varnish').hits]).toEqual([160, []]);
});

it('R-tiers: a failed addition leaves the previous content, and the next one works', async () => {
  const index = await make(tools('big', 'plaster', 100));
  const before = index.search('plaster', { limit: 50 });
  const bad = tools('big', 'varnish', 100);
  bad[90] = {
    ...tools('big', 'varnish', 1)[0],
    id: 'big/bad',
    get name(): string {
      throw new RangeError('a name that cannot be read');
    },
  } as DiscoveredTool;
  await expect(index.add(bad)).rejects.toThrow(RangeError);
  const twice = tools('big', 'varnish', 20_000);
  await expect(index.add([...twice, ...twice.slice(-1)])).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(index.add(tools('big', 'varnish', 65_536))).rejects.toMatchObject({ code: 'invalid_input' });
  expect([index.size, index.search('varnish').hits]).toEqual([100, []]);
  expect(index.search('plaster', { limit: 50 })).toEqual(before);
  await index.add(tools('big', 'varnish', 10));
  expect([index.size, index.search('varnish').hits.length]).toEqual([10, 10]);
});

it('R-tiers: an app that is listed again, with some tools changed, moved and removed, gives the same results as a new one', async () => {
  const listed = tools('big', 'plaster', 60).map((tool, at) => ({
    ...tool,
    parameters: { properties: { [`room_${at % 9}`]: {} } },
  }));
  const changes: Record<string, (tool: DiscoveredTool) => DiscoveredTool | undefined> = {
    nothing: (tool) => tool,
    description: (tool) => (tool.id.endsWith('7') ? { ...tool, description: 'gilds frames' } : tool),
    name: (tool) => (tool.id.endsWith('7') ? { ...tool, name: 'gild_all_frames' } : tool),
    parameters: (tool) => (tool.id.endsWith('7') ? { ...tool, parameters: { gilded: {} } } : tool),
    gone: (tool) => (tool.id.endsWith('7') ? undefined : tool),
    title: (tool) => ({ ...tool, toolkitName: 'Gilders' }),
  };
  const texts = ['plaster a house with a roller', 'gild frames', 'plaster_house_17', 'room 7 gilded', 'gilders'];
  const inOrder = (all: DiscoveredTool[]) => all;
  const moved = (all: DiscoveredTool[]) => all.reverse();
  for (const [name, change] of Object.entries(changes)) {
    for (const [options, order] of [
      [{ ranker: byWordsAlone }, moved],
      [{}, moved],
      [{}, inOrder],
    ] as const) {
      const changed = order(listed.flatMap((tool) => change(tool) ?? []));
      const index = await createToolIndex([...tools('small', 'shovel', 3), ...listed], options);
      await index.add(changed);
      const fresh = await createToolIndex([...tools('small', 'shovel', 3), ...changed], options);
      const loaded = await createToolIndex([], options);
      await loaded.load(await index.save());
      await loaded.add(changed);
      for (const text of texts) {
        const expected = fresh.search(text, { limit: 70 });
        expect(index.search(text, { limit: 70 }), `${name}: ${text}`).toEqual(expected);
        expect(loaded.search(text, { limit: 70 }), `${name}, loaded: ${text}`).toEqual(expected);
      }
      // Its names are removed with it, at any position.
      for (const one of [index, loaded]) {
        expect(one.remove(changed[0]?.toolkit ?? '')).toBe(true);
        const { hits } = one.search('plaster_house_17', { limit: 70 });
        expect([one.size, hits.filter(({ id }) => id.startsWith('big'))]).toEqual([3, []]);
      }
    }
  }
});

it('R-tiers: many small toolkits one by one give the same results as all of them together', async () => {
  const all = Array.from({ length: 150 }, (_, at) => tools(`app${at}`, at % 2 === 0 ? 'plaster' : 'varnish', 3));
  const one = await make(all.flat());
  const other = await make([]);
  for (const each of all) await other.add(each);
  const ids = (index: Index, text: string) =>
    index
      .search(text, { limit: 200 })
      .hits.map(({ id, score }) => `${id} ${score.toFixed(4)}`)
      .sort();
  for (const text of ['app7 varnish house', 'run app12_plaster_house_2', 'app149'])
    expect(ids(other, text)).toEqual(ids(one, text));
});

it('R-tiers: a hash table stores all pairs, removes single ones and grows', () => {
  const table = createHashTable();
  const listed = (hash: number) => {
    const values: number[] = [];
    table.find(hash, (value) => {
      values.push(value);
      return false;
    });
    return values.sort((a, b) => a - b);
  };
  const hashOf = (value: number) => Math.imul(value % 700, 0x9e3779b1) >>> 0;
  for (let value = 0; value < 5_000; value++) table.add(hashOf(value), value);
  for (let value = 0; value < 5_000; value += 3) table.remove(hashOf(value), value);
  table.remove(hashOf(1), 999_999);
  for (let value = 5_000; value < 6_000; value++) table.add(hashOf(value), value);
  for (let first = 0; first < 700; first++) {
    const expected = Array.from({ length: 9 }, (_, at) => first + 700 * at);
    expect(listed(hashOf(first))).toEqual(
      expected.filter((value) => value < 6_000 && (value >= 5_000 || value % 3 !== 0)),
    );
  }
  expect(table.find(0xffff_ffff, () => true)).toBe(-1);
});

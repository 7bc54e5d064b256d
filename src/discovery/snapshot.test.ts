/** Saving and loading an index: the same results, and altered, truncated or incompatible snapshots are refused. */
import { expect, it } from 'vitest';
import { createToolIndex, type DiscoveredTool } from './index.js';
import { byWordsAlone } from './tests/by-words-alone.js';

const make = (tools: readonly DiscoveredTool[]) => createToolIndex(tools, { ranker: byWordsAlone });
const tools = (toolkit: string, count: number, verb = 'list'): DiscoveredTool[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `${toolkit}/${verb}_${toolkit}_things_${at}`,
    toolkit,
    toolkitName: `The ${toolkit}`,
    name: `${verb}_${toolkit}_things_${at}`,
    description: `Does ${verb} to thing number ${at} of ${toolkit}`,
    parameters: { type: 'object', properties: { [`size_${at % 7}`]: {} } },
  }));
const texts = [
  'list alpha things',
  'ALPHA_LIST_ALPHA_THINGS_3',
  'beta_list_beta_thngs_4',
  'delete gamma',
  'size',
  'nothing',
];
type Index = Awaited<ReturnType<typeof make>>;
const answers = (index: Index) => texts.map((text) => index.search(text, { limit: 20 }));

it('R-tiers: a loaded index gives the same results as the saved one, also after apps were added, removed and replaced', async () => {
  const index = await make([...tools('alpha', 40), ...tools('beta', 700), ...tools('gone', 30)]);
  await index.add(tools('gamma', 20, 'delete'));
  await index.add(tools('beta', 600));
  expect(index.remove('gone')).toBe(true);
  const other = await make(tools('other', 5));
  await other.load(await index.save());
  expect(other.size).toBe(index.size);
  expect(answers(other)).toEqual(answers(index));
  expect(other.search('other_list_other_things_1').hits[0]?.why ?? []).not.toContain('exact name');
  // A loaded index can be changed like any other: toolkits can be replaced and removed.
  for (const one of [index, other]) {
    await one.add(tools('alpha', 3, 'create'));
    expect([one.remove('gamma'), one.remove('gamma'), one.size]).toEqual([true, false, 603]);
    expect(one.search('ALPHA_LIST_ALPHA_THINGS_1').hits.filter(({ why }) => why?.[0] === 'exact name')).toEqual([]);
    const [hit] = one.search('ALPHA_CREATE_ALPHA_THINGS_1').hits;
    expect([hit?.id, hit?.why?.[0]]).toEqual(['alpha/create_alpha_things_1', 'exact name']);
  }
});

it('R-tiers: a snapshot is read from any kind of bytes, at any offset', async () => {
  const index = await make(tools('alpha', 40));
  const saved = await index.save();
  const within = new Uint8Array(saved.length + 7);
  within.set(saved, 5);
  for (const bytes of [Buffer.from(saved), within.subarray(5, 5 + saved.length), saved]) {
    const other = await make([]);
    await other.load(bytes);
    expect(answers(other)).toEqual(answers(index));
  }
});

it('R-tiers: a truncated or altered snapshot is refused, and the previous content stays', async () => {
  const saved = await (await make([...tools('alpha', 30), ...tools('beta', 10)])).save();
  const kept = await make(tools('gamma', 4));
  const before = answers(kept);
  const broken: Uint8Array[] = [new Uint8Array(), new Uint8Array(64), saved.slice(0, 16), saved.slice(4)];
  for (let part = 1; part < 40; part++) broken.push(saved.slice(0, Math.floor((saved.length * part) / 40)));
  for (let at = 0; at < saved.length; at += Math.ceil(saved.length / 150)) {
    const altered = saved.slice();
    altered[at] = (altered[at] ?? 0) ^ 0x20;
    broken.push(altered);
  }
  for (const bytes of broken) await expect(kept.load(bytes)).rejects.toMatchObject({ code: 'invalid_input' });
  expect(kept.size).toBe(4);
  expect(answers(kept)).toEqual(before);
  await kept.load(saved);
  expect(kept.size).toBe(40);
});

it('R-tiers: an index without any tool is saved and loaded', async () => {
  const index = await make(tools('alpha', 3));
  await index.load(await (await make([])).save());
  expect([index.size, index.search('list alpha things').hits]).toEqual([0, []]);
});

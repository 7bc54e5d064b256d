/** What the wording changes in a search: the order among bundled tools, and whether one of them fits. */
import { describe, expect, it } from 'vitest';
import { createToolIndex, type DiscoveredTool, type ToolIndexOptions } from '../index.js';
import { byWordsAlone } from '../tests/by-words-alone.js';
import type { Ranker } from './ranker.js';

const tool = (id: string, description: string): DiscoveredTool => {
  const [toolkit = '', name = ''] = id.split('/');
  return { id, toolkit, toolkitName: toolkit, name, description };
};
const tools = [
  tool('files/read_file', 'Reads a file of notes'),
  tool('memory/recall', 'Finds notes'),
  tool('math/calculate', 'Computes'),
  tool('pad/read_notes', 'Reads notes of the pad'),
  tool('pad/read_pad', 'Reads notes of the pad, all notes'),
];
const bundledIds = ['files/read_file', 'memory/recall', 'math/calculate'];
const bundledTools = new Map(bundledIds.map((id) => [id.replace(/\/.*/, ''), new Set([id.replace(/.*\//, '')])]));

async function open(odds: Readonly<Record<string, number>>, more: Partial<Ranker> = {}) {
  const bundled: Ranker['bundled'] = ({ available }) => new Map(available.map((id) => [id, odds[id] ?? 0]));
  const ranker = { ...byWordsAlone, bundledTools, bundled, ...more };
  const index = await createToolIndex(tools, { ranker } satisfies ToolIndexOptions);
  return (text: string, toolkits?: readonly string[]) => index.search(text, toolkits && { toolkits });
}
const idsOf = ({ hits }: { readonly hits: readonly { readonly id: string }[] }) => hits.map(({ id }) => id);

describe('bundled tools that are asked for by wording', () => {
  it('take each other’s places, and other tools keep theirs', async () => {
    const plain = idsOf((await open({}))('read notes'));
    const asked = idsOf((await open({ 'memory/recall': 0.9 }))('read notes'));
    const placesOfOthers = (ids: readonly string[]) => ids.map((id) => (bundledIds.includes(id) ? '' : id));
    expect(plain.indexOf('files/read_file')).toBeLessThan(plain.indexOf('memory/recall'));
    expect(asked.indexOf('memory/recall')).toBeLessThan(asked.indexOf('files/read_file'));
    expect(placesOfOthers(asked)).toEqual(placesOfOthers(plain));
    expect([...asked].sort()).toEqual([...plain].sort());
  });

  it('are candidates without a word in common, and stay first with another verb', async () => {
    const within = ['files', 'memory', 'math'];
    const plain = (await open({}))('read notes', within);
    expect(idsOf(plain)).not.toContain('math/calculate');
    const [first] = (await open({ 'math/calculate': 0.9 }))('read notes', within).hits;
    expect(first).toMatchObject({ id: 'math/calculate', why: ['usual wording'] });
    expect(idsOf((await open({ 'math/calculate': 0.9 }))('read notes', ['files', 'memory']))).toEqual(idsOf(plain));
  });

  it('fit or do not fit by the wording and the second network together; another tool is judged by the network alone', async () => {
    const judged = (certainty: number) => ({ probability: () => certainty, nothing: 0.05, perhaps: 0.5 });
    const answer = async (odds: Readonly<Record<string, number>>, certainty: number, toolkits = ['files', 'math']) =>
      (await open(odds, judged(certainty)))('read notes', toolkits).answer;
    expect(await answer({ 'files/read_file': 0.99 }, 0.04)).toBe('these');
    expect(await answer({}, 0.6)).toBe('nothing');
    expect(await answer({ 'files/read_file': 0.3 }, 0.5)).toBe('perhaps');
    expect(await answer({}, 0.6, ['pad'])).toBe('these');
    expect(await answer({}, 0.04, ['pad'])).toBe('nothing');
    // A tool of an app that is first, with a bundled one beside it.
    expect(await answer({}, 0.6, ['pad', 'math'])).toBe('these');
    // Of two words in another language nothing is known: that does not speak against the tools.
    expect(await (await open({}, judged(0.6)))('mostrar notas del archivo', ['files', 'math']).answer).not.toBe(
      'nothing',
    );
  });

  it('give way to tools of apps that fit, where the wording speaks against them', async () => {
    const judged = { probability: () => 0.6, nothing: 0.05, perhaps: 0.5 };
    const within = ['files', 'memory', 'math', 'pad'];
    const said = (await open({ 'files/read_file': 0.9 }, judged))('read a file of notes', within);
    expect([said.answer, said.hits[0]?.id]).toEqual(['these', 'files/read_file']);
    const notSaid = (await open({}, judged))('read a file of notes', within);
    expect(notSaid.answer).toBe('these');
    expect(
      idsOf(notSaid)
        .slice(0, 2)
        .every((id) => id.startsWith('pad/')),
    ).toBe(true);
    expect([...idsOf(notSaid)].sort()).toEqual([...idsOf(said)].sort());
    const nothing = (await open({}, { ...judged, probability: () => 0.04 }))('read a file of notes', within);
    expect([nothing.answer, nothing.hits[0]?.id]).toEqual(['nothing', 'files/read_file']);
  });

  it('the shipped weights find tools whose words a request does not have', async () => {
    const index = await createToolIndex([
      tool('math/calculate', 'Evaluates an expression'),
      tool('web_search/web_search', 'Searches'),
      tool('code/execute_code', 'Runs a program'),
      tool('files/list_dir', 'Lists a directory'),
      tool('memory/recall', 'Returns memories'),
    ]);
    for (const [text, id] of [
      ['is it going to snow in Tromsø tonight', 'web_search/web_search'],
      ['what do three of us owe each for 84.60', 'math/calculate'],
      ['keep only the rows with a price over 20 from this json', 'code/execute_code'],
      ['what have I told you about my sister', 'memory/recall'],
    ] as const)
      expect(index.search(text).hits[0]?.id, text).toBe(id);
    expect(index.search('my cat has been limping since yesterday').answer).toBe('nothing');
  });
});

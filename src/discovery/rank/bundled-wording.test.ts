import { describe, expect, it } from 'vitest';
import { nativeToolkits } from '../../toolkits/index.js';
import { loadWordVectors } from '../semantic/word-vectors.js';
import { stem } from '../text/stem.js';
import { type BundledWeights, createBundledWording, listBundledMarks, meanOfStems } from './bundled-wording.js';
import { loadRanker } from './ranker.js';

const vectors = await loadWordVectors();
const tools = ['mail/send', 'mail/post', 'maths/add'];
const none = tools.length;
const weights: BundledWeights = {
  tools,
  alike: { 'mail/post': ['mail/send'] },
  bias: [0, 0, 0, 0],
  marks: { letter: [0, 20, 1, 20], plus: [2, 40], hello: [none, 40], constructor: [2, 40] },
  meaning: [],
};
const read = createBundledWording([weights], vectors);
const oddsOf = (said: string, available = tools) => {
  const found = read({ text: said, said: said.split(' '), available });
  return tools.map((tool) => found.get(tool)?.toFixed(2));
};

describe('the bundled tool that a text asks for by its wording', () => {
  it('its marks are those of the stems, and whether it has a number or an address', () => {
    expect(listBundledMarks('add 3', ['add'])).toEqual(['add', '^add', '#number']);
    expect(listBundledMarks('read Example.com!', ['read'])).toEqual(['read', '^read', '#address']);
    expect(listBundledMarks('tell #ops that #12 and ENG-42 are done', ['tell'])).toEqual([
      'tell',
      '^tell',
      '#number',
      '#channel',
      '#item',
      '#ticket',
    ]);
    expect(listBundledMarks('was in_1Nk2 for acme/shop sent to U07ABC, after 3fa91bc?', [])).toEqual([
      '^',
      '#number',
      '#repository',
      '#commit',
      '#member',
      '#in_',
    ]);
    expect(listBundledMarks('defaced and/or in_between UNICEF', [])).not.toContain('#commit');
    for (const text of ['mail ada@example.com', 'open report.pdf', 'v1.2'])
      expect(listBundledMarks(text, []), text).not.toContain('#address');
  });

  it('known marks speak for a tool or for none, and names of built-in properties are not marks', () => {
    expect(oddsOf('plus')).toEqual(['0.02', '0.02', '0.95']);
    expect(oddsOf('hello')).toEqual(['0.02', '0.02', '0.02']);
    expect(oddsOf('toString __proto__')).toEqual(['0.25', '0.25', '0.25']);
    expect(oddsOf('constructor')).toEqual(['0.02', '0.02', '0.95']);
  });

  it('what speaks for a tool that cannot be used speaks for one that serves the same requests, and else for none', () => {
    expect(oddsOf('letter')).toEqual(['0.44', '0.44', '0.06']);
    expect(oddsOf('letter', ['mail/send', 'maths/add'])).toEqual(['0.88', undefined, '0.06']);
    expect(oddsOf('letter', ['mail/post', 'maths/add'])).toEqual([undefined, '0.44', '0.06']);
    expect(oddsOf('letter', ['maths/add'])).toEqual([undefined, undefined, '0.06']);
  });

  it('tools that were learned apart are each judged by their own weights', () => {
    const chat: BundledWeights = {
      ...weights,
      tools: ['chat/post'],
      alike: {},
      bias: [0, 0],
      marks: { letter: [1, 20] },
    };
    const both = createBundledWording([weights, chat], vectors);
    const found = both({ text: 'letter', said: ['letter'], available: ['mail/send', 'chat/post'] });
    expect([...found].map(([tool, odds]) => [tool, odds.toFixed(2)])).toEqual([
      ['mail/send', '0.88'],
      ['chat/post', '0.12'],
    ]);
  });

  it('words without a mark of their own count by what they mean', () => {
    const meaning = [...meanOfStems([stem('invoice')], vectors)].map((value) => [10 * value, 0, 0, 0]);
    const byMeaning = createBundledWording([{ ...weights, meaning }], vectors);
    const odds = (word: string) =>
      byMeaning({ text: word, said: [stem(word)], available: tools }).get('mail/send') ?? 0;
    expect(odds('invoice')).toBeGreaterThan(0.9);
    expect(odds('bill')).toBeGreaterThan(odds('giraffe'));
    expect(meanOfStems([stem('invoice'), 'qqvwx'], vectors)).toEqual(meanOfStems([stem('invoice')], vectors));
    expect([...meanOfStems(['qqvwx'], vectors)].every((value) => value === 0)).toBe(true);
  });

  it('the shipped weights know only tools that exist', async () => {
    const { bundledTools } = await loadRanker();
    const loaded = await Promise.all(nativeToolkits.map(async ({ slug, load }) => ({ slug, own: await load() })));
    const existing = new Map(loaded.map(({ slug, own }) => [slug, new Set(own.map(({ name }) => name))]));
    const known = [...bundledTools].flatMap(([toolkit, names]) => [...names].map((name) => ({ toolkit, name })));
    expect(known.length).toBeGreaterThan(200);
    expect(known.filter(({ toolkit, name }) => !existing.get(toolkit)?.has(name))).toEqual([]);
  });
});

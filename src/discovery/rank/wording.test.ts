import { describe, expect, it } from 'vitest';
import { loadWordVectors } from '../semantic/word-vectors.js';
import { loadRanker } from './ranker.js';
import { createWording, listMarks, meanVector } from './wording.js';

describe('the wording of a text', () => {
  it('its marks are words, pairs, beginnings and length, each once', () => {
    expect(listMarks('Why, why not?')).toEqual([
      '^why',
      '^why why',
      '^why why not',
      'why',
      'not',
      '?',
      'why why',
      'why not',
      'not ?',
      '#4',
    ]);
    expect(listMarks('')).toEqual(['^', '#0']);
    expect(listMarks('你好')).toContain('你 好');
  });

  it('the weights of known marks are added to the bias', async () => {
    const vectors = await loadWordVectors();
    const wording = createWording(
      { bias: 0.5, marks: { why: -2, '^please': 1, constructor: 3 }, meaning: [] },
      vectors,
    );
    expect(wording('why')).toBe(-1.5);
    expect(wording('please')).toBe(1.5);
    expect(wording('toString __proto__')).toBe(0.5);
    expect(wording('constructor')).toBe(3.5);
  });

  it('words without a mark of their own count by what they mean', async () => {
    const vectors = await loadWordVectors();
    const meaning = [...meanVector('invoice', vectors)];
    const wording = createWording({ bias: 0, marks: {}, meaning }, vectors);
    expect(wording('invoice')).toBeCloseTo(1, 1);
    expect(wording('bill')).toBeGreaterThan(2 * Math.max(0.1, wording('owl')));
    expect(wording('invoice invoice bill')).toBeCloseTo((2 * wording('invoice') + wording('bill')) / 3);
    expect(wording('xqzvwk')).toBe(0);
  });

  it('R-tiers: the shipped weights tell requests for tools from what people say to each other', async () => {
    const { wording } = await loadRanker();
    for (const text of ['my neighbour sings in the shower', 'why do owls turn their heads', 'oh come on, really?'])
      expect(wording(text), text).toBeLessThan(0);
    for (const text of [
      'rename the label urgent to blocker',
      'which invoices are overdue',
      'archive last year’s board',
    ])
      expect(wording(text), text).toBeGreaterThan(0);
  });
});

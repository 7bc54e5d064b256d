import { describe, expect, it } from 'vitest';
import { stem } from '../text/stem.js';
import { createNameReader, listNameMarks, scaleOf } from './name-wording.js';
import { loadRanker } from './ranker.js';

const named = (name: string) => name.split(' ').map(stem);
const weights = {
  words: ['payment', 'invoic', 'creat'],
  bias: [0, 0, 0],
  marks: { paid: [0, 20, 1, -10], cash: [0, 10], constructor: [1, 90] },
};

describe('the words of names that a text asks for by its wording', () => {
  it('its marks are its stems, each once', () => {
    expect(listNameMarks(['she', 'paid', 'she', '?'])).toEqual(['she', 'paid', '?']);
    expect(listNameMarks([])).toEqual([]);
  });

  it('what speaks for the words of a name is summed, and names of built-in properties are not marks', () => {
    const read = createNameReader(weights);
    const said = ['she', 'paid', 'in', 'cash', 'toString', '__proto__'];
    const [payment, both, unknown] = read(said, ['payment', 'invoice payment', 'calendar'].map(named));
    expect(payment).toBeCloseTo(3, 6);
    expect(both).toBeCloseTo(2 * scaleOf(6, 2), 6);
    expect(unknown).toBe(0);
    expect(read(['constructor'], [named('invoice')])[0]).toBeCloseTo(9, 6);
  });

  it('without known words nothing speaks for a name but its bias', () => {
    expect(createNameReader({ ...weights, bias: [0, 1, 0] })(['hello'], ['payment', 'invoice'].map(named))).toEqual([
      0, 1,
    ]);
    expect(createNameReader(weights)(['paid'], [])).toEqual([]);
  });

  it('longer texts and longer names count less for each of their words', () => {
    expect(scaleOf(12, 1)).toBeCloseTo(0.25, 6);
    expect(scaleOf(6, 4)).toBeCloseTo(0.5, 6);
    expect(scaleOf(0, 0)).toBe(1);
  });

  it('the shipped weights know what is meant by everyday words', async () => {
    const { nameOdds } = await loadRanker();
    const isBetter = (text: string, name: string, other: string) => {
      const [one = 0, two = 0] = nameOdds(text.split(' ').map(stem), [named(name), named(other)]);
      expect(one, text).toBeGreaterThan(two);
    };
    isBetter('the customer wants his money back', 'refund charge', 'list invoices');
    isBetter('who works here ?', 'list employees', 'list products');
    isBetter('when do we meet on friday ?', 'list events', 'list invoices');
    // Only what was written by hand knows these.
    isBetter('who is off sick ?', 'list absences', 'list contacts');
    isBetter('the scribble that I made', 'get note', 'get task');
  });
});

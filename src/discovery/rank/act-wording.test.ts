import { describe, expect, it } from 'vitest';
import { stem } from '../text/stem.js';
import { verbMask } from '../text/verbs.js';
import { verbClasses } from '../text/vocabulary-data.js';
import { actClasses, actFacts, createActBonus, createActReader, listActMarks } from './act-wording.js';
import { loadRanker } from './ranker.js';

const numberOf = (verb: string) => verbClasses.findIndex(([name]) => name === verb);
const does = (verb: string, toolkit = 0) => ({ action: verbMask(stem(verb)), toolkit });
const bias = Array.from({ length: actClasses }, () => 0);
const factsOf = (facts: Float32Array, name: (typeof actFacts)[number]) =>
  [...facts].filter((_, at) => at % actFacts.length === actFacts.indexOf(name));

describe('the act that a text asks for by its wording', () => {
  it('its marks are words, pairs and beginnings, each once', () => {
    expect(listActMarks(['she', 'paid', 'she', '?'])).toEqual([
      'she',
      'paid',
      '?',
      'she paid',
      'paid she',
      'she ?',
      '^she',
      '^she paid',
    ]);
    expect(listActMarks([])).toEqual(['^']);
  });

  it('known marks make a class likelier or less likely, and names of built-in properties are not marks', () => {
    const read = createActReader({
      bias,
      marks: { paid: [numberOf('create'), 20, numberOf('delete'), -10], constructor: [numberOf('delete'), 20] },
    });
    const tools = [does('create'), does('delete'), does('lock')];
    const gains = factsOf(read(['she', 'paid', 'toString', '__proto__'], tools), 'gain');
    expect(gains[0]).toBeCloseTo(0.5, 6);
    expect(gains[1]).toBeCloseTo(-1 / 3, 6);
    expect(gains[2]).toBe(0);
    expect(factsOf(read(['constructor'], tools), 'gain')[1]).toBeCloseTo(0.5, 6);
  });

  it('a tool is compared with the likeliest of its toolkit, and near classes share what speaks for one of them', () => {
    const read = createActReader({ bias, marks: { which: [numberOf('list'), 90] } });
    const behind = factsOf(
      read(['which'], [does('list', 1), does('search', 1), does('delete', 1), does('delete', 2)]),
      'behind',
    );
    expect(behind[0]).toBe(0);
    expect(behind[1]).toBeCloseTo(-0.3, 6);
    expect(behind[2]).toBeCloseTo(-0.9, 6);
    expect(behind[3]).toBe(0);
  });

  it('the best class of a name counts, and a name without a verb is a separate class', () => {
    const read = createActReader({ bias, marks: { late: [actClasses - 1, 20, numberOf('update'), 40] } });
    const both = { action: does('create').action | does('update').action, toolkit: 0 };
    const gains = factsOf(read(['late'], [both, { action: 0, toolkit: 0 }]), 'gain');
    expect(gains[0]).toBeCloseTo(2 / 3, 6);
    expect(gains[1]).toBeCloseTo(1 / 2, 6);
  });

  it('the bonus of a candidate is the weighted sum of its facts', () => {
    const bonus = createActBonus({ bias, marks: { paid: [numberOf('create'), 20] }, facts: [2, 10] });
    const [create, remove] = bonus(['paid'], [does('create'), does('delete')]);
    expect(create).toBeCloseTo(1, 6);
    expect(remove).toBeCloseTo(10 * (1 / 3 - 1), 5);
  });

  it('the shipped weights tell what is read, noted and removed in texts without a verb for it', async () => {
    const { actBonus } = await loadRanker();
    const isBetter = (text: string, verb: string, other: string) => {
      const [one = 0, two = 0] = actBonus(text.split(' ').map(stem), [does(verb), does(other)]);
      expect(one, text).toBeGreaterThan(two);
    };
    isBetter('which parcels are late ?', 'list', 'create');
    isBetter('has the courier been here ?', 'get', 'delete');
    isBetter('we have a new tenant', 'create', 'get');
    isBetter('take the third parcel off', 'delete', 'list');
  });
});

import { describe, expect, it } from 'vitest';
import { createBag } from './bag.js';

describe('createBag', () => {
  it('has what was added and not taken out again, whatever the order', () => {
    const bag = createBag<string>();
    const [a, b, c] = ['a', 'b', 'c'].map((value) => bag.add(value));
    a?.();
    expect(bag.list().sort()).toEqual(['b', 'c']);
    c?.();
    expect(bag.list()).toEqual(['b']);
    bag.add('d');
    b?.();
    expect([bag.size(), ...bag.list()]).toEqual([1, 'd']);
  });
  it('keeps equal values apart, and takes each out only once', () => {
    const bag = createBag<string>();
    const ends = [bag.add('a'), bag.add('a'), bag.add('a')];
    for (const end of ends.slice(0, 2)) for (let times = 0; times < 3; times++) end();
    expect(bag.list()).toEqual(['a']);
    ends[2]?.();
    ends[2]?.();
    expect(bag.size()).toBe(0);
  });
  it('gives a list that does not change while values are taken out', () => {
    const bag = createBag<number>();
    const ends = [1, 2, 3].map((value) => bag.add(value));
    const list = bag.list();
    for (const end of ends) end();
    expect(list).toEqual([1, 2, 3]);
  });
});

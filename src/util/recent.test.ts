import { describe, expect, it } from 'vitest';
import { createRecent } from './recent.js';

describe('createRecent', () => {
  it('forgets the value that was used least recently, however often the newest one is read', () => {
    const recent = createRecent<number>(2);
    recent.set('a', 1);
    recent.set('b', 2);
    for (let times = 0; times < 3; times++) expect(recent.get('b')).toBe(2);
    expect(recent.get('a')).toBe(1);
    recent.set('c', 3);
    expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([1, undefined, 3]);
  });
  it('moves a value that was deleted and set again behind the others', () => {
    const recent = createRecent<number>(2);
    recent.set('a', 1);
    recent.set('b', 2);
    recent.delete('b');
    expect(recent.get('b')).toBeUndefined();
    recent.set('b', 3);
    expect(recent.get('a')).toBe(1);
    recent.set('c', 4);
    expect([recent.get('a'), recent.get('b')]).toEqual([1, undefined]);
  });
});

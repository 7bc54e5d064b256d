/** Slugs of connections: the examples of the rule, and what must hold for any names. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../testing/any-character.js';
import { computeSlugs, slugify, slugLength, toModelName } from './index.js';

const at = (id: string, name: string, createdAt: Date | string | number) => ({ id, name, createdAt });

describe('slugify', () => {
  it('R-instances: follows the documented rule', () => {
    expect(slugify('Work Gmail')).toBe('work-gmail');
    expect(slugify('My Bot Token')).toBe('my-bot-token');
    expect(slugify('  --A & B!! ')).toBe('a-b');
    expect(slugify('日本 🙂')).toBe('connection');
    expect(slugify('2nd account')).toBe('c-2nd-account');
    expect(slugify('x'.repeat(200))).toHaveLength(slugLength);
  });
});

describe('computeSlugs', () => {
  it('R-instances: the first keeps the bare slug, the next get -2, -3 by creation, then id', () => {
    const slugs = computeSlugs([
      at('d', 'work gmail', '2024-03-01T00:00:00Z'),
      at('c', 'WORK-GMAIL', '2024-02-01T00:00:00Z'),
      at('b', 'Work Gmail', '2024-02-01T01:00:00+01:00'),
      at('a', 'Work Gmail', new Date('2024-02-15T00:00:00Z')),
      at('e', 'My Bot Token', 0),
    ]);
    expect(Object.fromEntries(slugs)).toEqual({
      b: 'work-gmail',
      c: 'work-gmail-2',
      a: 'work-gmail-3',
      d: 'work-gmail-4',
      e: 'my-bot-token',
    });
  });

  it('R-instances: a connection that is itself called X 2 makes no duplicate and changes no other slug', () => {
    expect([...computeSlugs([at('1', 'X', 1), at('2', 'X', 2), at('3', 'X 2', 3)]).values()]).toEqual([
      'x',
      'x-2',
      'x-2-2',
    ]);
    expect([...computeSlugs([at('1', 'X 2', 1), at('2', 'X', 2), at('3', 'X', 3)]).values()]).toEqual([
      'x-2',
      'x',
      'x-3',
    ]);
  });

  const name = fc.oneof(
    fc.constantFrom(
      'X',
      'x 2',
      'X-2-2',
      '',
      '9',
      'c 9',
      '🙂',
      'connection',
      'connection 2',
      'y'.repeat(60),
      `${'y'.repeat(30)} 2`,
    ),
    fc.string({ unit: anyCharacter, maxLength: 80 }),
  );
  const connection = fc.record({
    id: fc.uuid(),
    name,
    createdAt: fc.oneof(fc.nat(5), fc.constantFrom('2024-01-01', 'never')),
  });
  const connections = fc.uniqueArray(connection, { selector: (row) => row.id, maxLength: 40 });

  it('R-instances: slugs are different, well-formed and independent of the order they are passed in', () => {
    fc.assert(
      fc.property(connections, (rows) => {
        const slugs = computeSlugs(rows);
        expect(new Set(slugs.values()).size).toBe(rows.length);
        for (const slug of slugs.values()) {
          expect(slug).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
          expect(slug.length).toBeLessThanOrEqual(slugLength);
          expect(toModelName({ toolkit: 't', name: 'z'.repeat(30) }, slug)).toBe(`${slug}__${'z'.repeat(30)}`);
        }
        expect(new Map([...computeSlugs(rows.toReversed())].sort())).toEqual(new Map([...slugs].sort()));
      }),
      { numRuns: 300 },
    );
  });

  it('R-instances: a later connection never changes the slug of an earlier one', () => {
    fc.assert(
      fc.property(connections, name, (rows, added) => {
        const before = computeSlugs(rows);
        const after = computeSlugs([...rows, at('~last', added, 'never')]);
        for (const [id, slug] of before) expect(after.get(id)).toBe(slug);
      }),
    );
  });
});

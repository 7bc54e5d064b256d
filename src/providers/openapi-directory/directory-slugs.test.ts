/** Slugs of documents: well-formed, distinct, and specific to the document. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slugify } from '../../domain/naming/index.js';
import { anyCharacter } from '../../testing/any-character.js';
import { directorySlugs } from './directory-slugs.js';

const slugOf = (id: string, others: readonly string[] = []): string | undefined =>
  directorySlugs([id, ...others]).get(id);

describe('slugs of the directory', () => {
  it('R-openapi: an id becomes a readable slug; one that is too long or cannot be represented has a fingerprint', () => {
    expect(slugOf('github.com')).toBe('github-com');
    expect(slugOf('googleapis.com/gmail')).toBe('googleapis-com-gmail');
    expect(slugOf('1forge.com')).toBe('c-1forge-com');
    expect(slugOf('nasa.gov/asteroids neows')).toBe('nasa-gov-asteroids-neows');
    expect(slugOf('azure.com/network-applicationGateway')).toMatch(/^azure-com-network-appli-[0-9a-f]{8}$/);
    expect(slugOf('日本')).toMatch(/^api-[0-9a-f]{8}$/);
    expect(slugOf('münchen.de')).toMatch(/^m-nchen-de-[0-9a-f]{8}$/);
  });

  it('R-openapi: if two documents need the same slug neither gets it, and a third keeps its own', () => {
    const ids = ['a.com/b', 'a-com.b', 'c.com'];
    const slugs = directorySlugs(ids);
    expect(slugs.get('c.com')).toBe('c-com');
    expect([slugs.get('a.com/b'), slugs.get('a-com.b')].every((slug) => /^a-com-b-[0-9a-f]{8}$/.test(slug ?? ''))).toBe(
      true,
    );
    expect(new Set(slugs.values()).size).toBe(3);
  });

  it('R-openapi: a document that is named like another’s fingerprint gets no slug of that other, nor leaves it to it', () => {
    const long = 'azure.com/network-applicationGateway';
    const taken = slugOf(long) ?? '';
    const slugs = directorySlugs([long, taken]);
    expect([...slugs.values()].filter((slug) => slug === taken)).toEqual([]);
  });

  const id = fc.oneof(
    fc.stringMatching(/^[a-zA-Z0-9]{1,12}\.(com|io)(\/[a-zA-Z0-9 _.-]{1,40})?$/),
    fc.constantFrom('a.b', 'a-b', 'A.B', 'a/b', '9', '-', '', '🙂'),
    fc.string({ unit: anyCharacter, maxLength: 50 }),
  );
  const ids = fc.uniqueArray(id, { maxLength: 40 });

  it('R-openapi: slugs are distinct and well-formed in any order, and never pass to a later document', () => {
    fc.assert(
      fc.property(ids, id, (all, later) => {
        const slugs = directorySlugs(all);
        expect(new Set(slugs.values()).size).toBe(slugs.size);
        for (const slug of slugs.values()) {
          expect(slug).toMatch(/^[a-z][a-z0-9-]{0,31}$/);
          expect(slugify(slug)).toBe(slug);
        }
        expect(new Map([...directorySlugs(all.toReversed())].sort())).toEqual(new Map([...slugs].sort()));
        if (all.includes(later)) return;
        const newcomer = directorySlugs([...all, later]).get(later);
        expect([...slugs.values()]).not.toContain(newcomer);
      }),
      { numRuns: 300 },
    );
  });
});

/** Names given to a model: shape, uniqueness, stability. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../testing/any-character.js';
import { atOnce } from '../../util/slices.js';
import { createNameIndex, type ModelEntry, modelNames as nameInSlices, toModelName } from './index.js';

const modelNames = (entries: readonly ModelEntry[]) => atOnce(nameInSlices(entries));

const shape = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;
const long = 'remove_interaction_restrictions_from_your_public_repositories';
const awkward = [
  '',
  'a',
  'A',
  'b__a',
  'a__b',
  '__a',
  '_',
  '9lives',
  '日本',
  '🙂',
  'créer',
  'GET',
  'delete',
  'composio-x',
  'list_directory',
];
awkward.push(
  'x'.repeat(200),
  `${'x'.repeat(200)}y`,
  long,
  'a.b',
  'a b',
  'a\u0000',
  '\ud800',
  'a_0123456789abcdef',
  '-',
  '--a',
);
const text = fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: anyCharacter, maxLength: 250 }));
const entry: fc.Arbitrary<ModelEntry> = fc.record({
  id: fc.record({ toolkit: fc.oneof(fc.constantFrom('t', 'u', 'T'), text), name: text }),
  slug: fc.option(fc.oneof(fc.constantFrom('a', 'b', 'a-2', 'A', 'x'.repeat(32)), text), { nil: undefined }),
  connectionId: fc.option(fc.constantFrom('c1', 'c2'), { nil: undefined }),
});
const entries = fc.uniqueArray(entry, { selector: (row) => JSON.stringify(Object.values(row)), maxLength: 40 });
const withImitations = entries.map((rows) => {
  const names = [...modelNames(rows)];
  const copies = names.map(([name, row]): ModelEntry => ({ id: { toolkit: row.id.toolkit, name } }));
  const all = [...rows, ...copies];
  return [...new Map(all.map((row) => [JSON.stringify([row.id, row.slug, row.connectionId]), row])).values()];
});
const identity = (row: ModelEntry) =>
  JSON.stringify([row.id.toolkit, row.id.name, row.slug ?? null, row.connectionId ?? null]);
const nameOf = (rows: readonly ModelEntry[], row: ModelEntry) =>
  [...modelNames(rows)].find(([, found]) => identity(found) === identity(row))?.[0];

describe('modelNames', () => {
  it('R-registry: every entry has one name, all different, all of the allowed shape, for any names', () => {
    fc.assert(
      fc.property(withImitations, (rows) => {
        const names = modelNames(rows);
        expect(new Set([...names.values()].map(identity))).toEqual(new Set(rows.map(identity)));
        for (const name of names.keys()) expect(name).toMatch(shape);
      }),
      { numRuns: 300 },
    );
  });

  it('R-registry: a name does not change when the list is reordered', () => {
    fc.assert(
      fc.property(entries, (rows) => {
        for (const row of rows.slice(0, 5)) expect(nameOf(rows.toReversed(), row)).toBe(nameOf(rows, row));
      }),
    );
  });

  it('R-registry: a name does not change when tools are added or removed, as long as a slug belongs to one toolkit', () => {
    const row = fc.record({ slug: fc.constantFrom('a', 'b', 'a-2', 'x'.repeat(32)), name: text });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), row, (others, one) => {
        const asEntry = ({ slug, name }: typeof one): ModelEntry => ({ id: { toolkit: `of-${slug}`, name }, slug });
        const alone = nameOf([asEntry(one)], asEntry(one));
        expect(alone).toBe(toModelName(asEntry(one).id, one.slug));
        expect(nameOf([...others.map(asEntry), asEntry(one)], asEntry(one))).toBe(alone);
      }),
    );
  });

  it('R-registry: a name that two tools would have is given to neither', () => {
    const one = { id: { toolkit: 'math', name: 'calculate' } };
    const two = { id: { toolkit: 'evil', name: 'calculate' } };
    const names = modelNames([one, two]);
    expect(names.has('calculate')).toBe(false);
    const index = createNameIndex([one.id, two.id]);
    for (const [name, row] of names) expect(index.parse(name), name).toEqual(row.id);
  });

  it('R-instances: two connections that share a slug by mistake still get two names', () => {
    const id = { toolkit: 'gmail', name: 'send' };
    const rows = ['c1', 'c2'].map((connectionId) => ({ id, slug: 'work', connectionId }));
    const names = modelNames(rows);
    expect([...names.values()]).toEqual(rows);
  });
});

describe('toModelName', () => {
  it('R-instances: is <slug>__<name>, and bare without a connection', () => {
    expect(toModelName({ toolkit: 'gmail', name: 'send_gmail_message' }, 'work-gmail')).toBe(
      'work-gmail__send_gmail_message',
    );
    expect(toModelName({ toolkit: 'math', name: 'calculate' })).toBe('calculate');
    expect(toModelName({ toolkit: 'mcp', name: 'createIssue' }, 'gh')).toBe('gh__createIssue');
    expect(toModelName({ toolkit: 'mcp', name: '_a__b' }, 'gh')).toBe('gh___a__b');
  });

  it('R-registry: shortens a long name readably, and the catalogue resolves it', () => {
    const id = { toolkit: 'github', name: long };
    const name = toModelName(id, 'work-github');
    expect(name).toMatch(/^work-github__remove_interaction_restrictions_fr\w*_[0-9a-f]{16}$/);
    expect(name.length).toBeLessThanOrEqual(64);
    const index = createNameIndex([id, { toolkit: 'gitlab', name: long }, { toolkit: 'github', name: `${long}_x` }]);
    expect(index.parse(name, { toolkitOfSlug: () => 'github' })).toEqual(id);
    expect(index.parse(name)).toEqual(id);
    expect(index.parse(name, { toolkitOfSlug: () => 'gitlab' })).toBeUndefined();
  });

  it('R-registry: a bare name cannot be mistaken for a slugged one, for another form or for an alias', () => {
    for (const name of ['work__send', 'GITHUB_CREATE_ISSUE', 'composio-github_create_issue', 'execute_command']) {
      expect(toModelName({ toolkit: 'evil', name }), name).toMatch(/_[0-9a-f]{16}$/);
    }
  });
});

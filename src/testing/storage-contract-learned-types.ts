/** The storage contract's part about the types that are learned from answers. */
import { expect, it } from 'vitest';
import type { LearnedType } from '../domain/storage.js';
import { type ContractParts, time } from './storage-fixtures.js';

const learned = (tool: string, more: Partial<LearnedType> = {}): LearnedType => ({
  toolkit: 'math',
  tool,
  definition: 'd1',
  answers: 3,
  shape: { kinds: ['number'], '\0': '\u{1f600}' },
  ...more,
});

export function learnedTypesContract({ one, two, under }: ContractParts): void {
  it('R-typedefs: keeps one type of each tool, within its workspace', async () => {
    const { learnedTypes } = one();
    for (const type of [learned('b'), learned('a'), learned('a', { toolkit: 'other' })])
      await learnedTypes.put(type, time(1));
    await two().learnedTypes.put(learned('b', { answers: 9 }), time(1));
    expect(await learnedTypes.list('math')).toEqual([learned('a'), learned('b')]);
    expect(await learnedTypes.list('nothing')).toEqual([]);
    expect([await learnedTypes.find('math', 'b'), await learnedTypes.find('b', 'math')]).toEqual([
      learned('b'),
      undefined,
    ]);
    const next = learned('b', { definition: 'd2', answers: 2 ** 40, shape: {} });
    await learnedTypes.put(next, time(2));
    expect(await learnedTypes.find('math', 'b')).toEqual(next);
    expect(await two().learnedTypes.list('math')).toEqual([learned('b', { answers: 9 })]);
  });
  it('R-typedefs: of two processes that write at once, one wins and nothing is mixed', async () => {
    const second = await under().second();
    const tables = [one().learnedTypes, second.workspace(one().workspaceId).learnedTypes];
    const types = Array.from({ length: 40 }, (_, at) => learned('a', { answers: at, shape: { at } }));
    await Promise.all(types.map((type, at) => tables[at % 2]?.put(type, time(1))));
    const [found, ...others] = (await tables[1]?.list('math')) ?? [];
    expect(others).toEqual([]);
    expect(types).toContainEqual(found);
    await second.close();
  });
}

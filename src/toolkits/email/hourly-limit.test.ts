/** The race that a real store shows too seldom: everybody has read the list before anybody takes a place. */
import { expect, test } from 'vitest';
import type { CallerFacts } from '../../domain/context.js';
import type { DocumentFacts, DocumentStore } from '../../domain/reach.js';
import { admitThisHour } from './hourly-limit.js';

const caller: CallerFacts = { kind: 'agent', id: 'a', name: 'a', workspaceId: 'w' };

function createStore(before: readonly string[] = []) {
  const paths = new Set(before);
  const facts = (path: string): DocumentFacts => ({ path, mediaType: '', hash: '', version: 1, updatedAt: '' });
  const documents = {
    async list({ prefix = '' } = {}) {
      const found = [...paths].filter((path) => path.startsWith(prefix)).sort();
      await new Promise((resolve) => setTimeout(resolve, 5));
      return found.map(facts);
    },
    async put({ path }: { path: string }) {
      const isNew = !paths.has(path);
      paths.add(path);
      return isNew ? 'created' : 'replaced';
    },
    delete: async (path: string) => paths.delete(path),
  } as unknown as DocumentStore;
  return { paths, documents };
}

test('R-email: callers who saw the same free places never share one', async () => {
  const { documents, paths } = createStore();
  const all = Array.from({ length: 20 }, () => admitThisHour(7, { documents, caller, executionId: 'e' }));
  const settled = await Promise.allSettled(all);
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
  expect(paths.size).toBe(7);
});

test('R-email: places of hours gone by are forgotten, those of other agents are not', async () => {
  const [old, foreign] = ['/sent/agent/a/2020-01-01T00/000', '/sent/agent/b/2020-01-01T00/000'];
  const { documents, paths } = createStore([old, foreign]);
  await admitThisHour(1, { documents, caller, executionId: 'e' });
  expect([paths.has(old), paths.has(foreign), paths.size]).toEqual([false, true, 2]);
});

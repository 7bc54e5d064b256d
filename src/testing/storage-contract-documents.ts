/** The storage contract's part about the texts that toolkits store. */
import { expect, it } from 'vitest';
import type { DocumentTable } from '../domain/storage.js';
import { type ContractParts, time } from './storage-fixtures.js';

const text = (path: string, content = `<p>${path}</p>`) => ({ path, mediaType: 'text/xml', hash: `h${path}`, content });
const paths = (rows: readonly { path: string }[]) => rows.map(({ path }) => path);

export function documentsContract({ one, two }: ContractParts): void {
  it('keeps a document by space and path, within its workspace', async () => {
    const a = one().documents('a');
    expect(await a.put(text('/x', 'first'), time(1))).toBe('created');
    expect(await a.put(text('/x', 'second\0\u{1f600}'), time(2))).toBe('replaced');
    await one().documents('b').put(text('/x', 'of b'), time(3));
    await two().documents('a').put(text('/x', 'of two'), time(4));
    const stored = { path: '/x', mediaType: 'text/xml', hash: 'h/x', version: 2, updatedAt: time(2) };
    expect(await a.get('/x')).toEqual({ ...stored, content: 'second\0\u{1f600}' });
    expect(await a.list()).toEqual([stored]);
    expect([await a.delete('/x'), await a.delete('/x'), await a.get('/x')]).toEqual([true, false, undefined]);
    expect((await one().documents('b').get('/x'))?.content).toBe('of b');
    expect((await two().documents('a').get('/x'))?.content).toBe('of two');
  });
  it('adds a document only where there is none, also when several do so at once', async () => {
    const table = one().documents('a');
    const added = await Promise.all(['of one', 'of two'].map((content) => table.add(text('/x', content), time(1))));
    expect(added.toSorted()).toEqual([false, true]);
    const kept = added[0] ? 'of one' : 'of two';
    expect((await table.get('/x'))?.content).toBe(kept);
    expect(await table.add(text('/x', 'later'), time(2))).toBe(false);
    expect(await table.list()).toMatchObject([{ path: '/x', updatedAt: time(1) }]);
    await table.delete('/x');
    expect(await table.add(text('/x', 'again'), time(3))).toBe(true);
  });
  it('lists by path, by prefix as text and in pages', async () => {
    const table = one().documents('a');
    for (const path of ['/b/%2', '/b/_1', '/b/é', '/a', '/bb', '/c']) await table.put(text(path), time(1));
    expect(paths(await table.list())).toEqual(['/a', '/b/%2', '/b/_1', '/b/é', '/bb', '/c']);
    expect(paths(await table.list({ prefix: '/b/' }))).toEqual(['/b/%2', '/b/_1', '/b/é']);
    expect(paths(await table.list({ prefix: '/b/%' }))).toEqual(['/b/%2']);
    expect(paths(await table.list({ prefix: '/b/é' }))).toEqual(['/b/é']);
    expect(paths(await table.list({ after: '/b/%2', limit: 2 }))).toEqual(['/b/_1', '/b/é']);
  });
  it('returns what is new during parallel writes', async () => {
    const table = one().documents('a');
    const revisions = [await table.revision()];
    const writers = Array.from({ length: 20 }, (_, index) => table.put(text(`/${index}`), time(1)));
    await follow(table, writers);
    revisions.push(await table.revision());
    await table.delete('/3');
    revisions.push(await table.revision());
    await table.put(text('/3'), time(2));
    expect(revisions).toEqual([0, 20, 21]);
    expect(await table.changes({ since: 21 })).toMatchObject([{ path: '/3', version: 22 }]);
    expect(await one().documents('b').revision()).toBe(0);
  });
}

/** A reader that only asks for what comes after its last item must see everything. */
async function follow(table: DocumentTable, writers: readonly Promise<unknown>[]): Promise<void> {
  const seen = new Set<string>();
  let since = 0;
  let writing = true;
  const done = Promise.all(writers).then(() => {
    writing = false;
  });
  for (;;) {
    const last = !writing;
    const rows = await table.changes({ since, limit: 3 });
    for (const row of rows) seen.add(row.path);
    since = rows.at(-1)?.version ?? since;
    if (rows.length === 0 && last) break;
  }
  await done;
  expect(seen.size).toBe(writers.length);
}

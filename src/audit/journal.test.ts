/** Group commit: many callers share one flush, and no caller sees another's failure. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { JournalEntry, JournalOutcome } from '../domain/audit.js';
import { createJournal } from './index.js';

const entry = (id: number): JournalEntry => ({ workspaceId: `w${id}`, events: [] });
const entries = (from: number, count: number) => Array.from({ length: count }, (_, index) => entry(from + index));

/** A store whose commits wait until they are released. */
function slowStore() {
  const commits: {
    entries: readonly JournalEntry[];
    done: (outcomes: JournalOutcome[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const commit = (batch: readonly JournalEntry[]) =>
    new Promise<JournalOutcome[]>((done, fail) => commits.push({ entries: batch, done, fail }));
  return { commits, commit };
}
const allCommitted = (batch: readonly JournalEntry[]) => batch.map((): JournalOutcome => 'committed');

describe('group commit', () => {
  test('R-audit: entries of one turn become one commit, in order', async () => {
    const seen: (readonly JournalEntry[])[] = [];
    const journal = createJournal(async (batch) => {
      seen.push(batch);
      return allCommitted(batch);
    });
    const given = entries(0, 100);
    expect(await Promise.all(given.map((one) => journal.append(one)))).toEqual(Array(100).fill('committed'));
    expect(seen).toEqual([given]);
  });

  test('R-audit: entries that arrive during a commit wait for the next, which includes all of them', async () => {
    const { commits, commit } = slowStore();
    const journal = createJournal(commit);
    const first = journal.append(entry(0));
    await expect.poll(() => commits.length).toBe(1);
    expect(journal.waiting()).toBe(0);
    const later = entries(1, 50).map((one) => journal.append(one));
    expect(journal.waiting()).toBe(50);
    let answered = false;
    void later[0]?.then(() => {
      answered = true;
    });
    commits[0]?.done(['committed']);
    expect(await first).toBe('committed');
    await expect.poll(() => commits.length).toBe(2);
    expect(commits[1]?.entries).toHaveLength(50);
    // No caller gets an answer before their own entry is durable.
    expect(answered).toBe(false);
    commits[1]?.done(allCommitted(commits[1].entries));
    await Promise.all(later);
  });

  test('R-audit: callers that come again after a commit join those that waited for its end', async () => {
    const { commits, commit } = slowStore();
    const journal = createJournal(commit);
    const again = entries(0, 2).map(async (one, index) => {
      await journal.append(one);
      // The next request of a caller arrives in a later turn.
      await setImmediate();
      return journal.append(entry(10 + index));
    });
    await expect.poll(() => commits.length).toBe(1);
    const between = journal.append(entry(20));
    // A commit must take a while to be worth waiting for.
    await setTimeout(20);
    commits[0]?.done(['committed', 'committed']);
    await expect.poll(() => commits.length).toBe(2);
    expect(commits[1]?.entries.map(({ workspaceId }) => workspaceId)).toEqual(['w20', 'w10', 'w11']);
    commits[1]?.done(allCommitted(commits[1].entries));
    await Promise.all([...again, between]);
  });

  test('R-audit: a commit does not wait long for callers that do not come again', async () => {
    const { commits, commit } = slowStore();
    const journal = createJournal(commit);
    const first = entries(0, 2).map((one) => journal.append(one));
    await expect.poll(() => commits.length).toBe(1);
    const between = journal.append(entry(20));
    await setTimeout(20);
    commits[0]?.done(['committed', 'committed']);
    await Promise.all(first);
    await expect.poll(() => commits.length).toBe(2);
    commits[1]?.done(['committed']);
    expect(await between).toBe('committed');
  });

  test('R-audit: a batch has a limit, and no entry beyond it is lost or duplicated', async () => {
    const sizes: number[] = [];
    const written: string[] = [];
    const journal = createJournal(async (batch) => {
      sizes.push(batch.length);
      written.push(...batch.map(({ workspaceId }) => workspaceId));
      return allCommitted(batch);
    });
    const given = entries(0, 600);
    await Promise.all(given.map((one) => journal.append(one)));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256);
    expect(written).toEqual(given.map(({ workspaceId }) => workspaceId));
  });

  test('R-audit: a commit that fails rejects its own batch and no other', async () => {
    const { commits, commit } = slowStore();
    const journal = createJournal(commit);
    const lost = entries(0, 3).map((one) => journal.append(one));
    const outcomes = Promise.allSettled(lost);
    await expect.poll(() => commits.length).toBe(1);
    const kept = entries(3, 3).map((one) => journal.append(one));
    commits[0]?.fail(new Error('disk full'));
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'storage_failed', message: 'disk full' } });
    await expect.poll(() => commits.length).toBe(2);
    commits[1]?.done(allCommitted(commits[1].entries));
    expect(await Promise.all(kept)).toEqual(Array(3).fill('committed'));
  });

  test('R-audit: each entry gets its own outcome, and a missing outcome is an error', async () => {
    const journal = createJournal(async () => ['committed', 'stale_revision']);
    const [one, two, three] = await Promise.allSettled(entries(0, 3).map((each) => journal.append(each)));
    expect([one, two]).toMatchObject([{ value: 'committed' }, { value: 'stale_revision' }]);
    expect(three).toMatchObject({ status: 'rejected', reason: { code: 'storage_failed' } });
  });

  test('R-audit: closing waits for entries in progress and refuses later ones', async () => {
    const { commits, commit } = slowStore();
    const journal = createJournal(commit);
    const last = journal.append(entry(0));
    const closing = journal.close().then(() => 'closed');
    await expect(journal.append(entry(1))).rejects.toMatchObject({ code: 'shutting_down' });
    await expect.poll(() => commits.length).toBe(1);
    expect(await Promise.race([closing, Promise.resolve('open')])).toBe('open');
    commits[0]?.done(['committed']);
    expect([await last, await closing]).toEqual(['committed', 'closed']);
  });
});

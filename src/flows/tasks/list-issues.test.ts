import { afterEach, describe, expect, test } from 'vitest';
import { countStatements } from '../../../tests/counterparts/statements.js';
import { stores, useStore } from '../../../tests/counterparts/stores.js';
import type { IssuesQuery } from '../../domain/issue-acts.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

describe.each(stores)('issues on %s', (store) => {
  const storeOf = useStore(store);
  let helve: TestHelve;
  afterEach(() => helve.close());

  test('R-machines: a page of issues takes at most three statements, with every filter', async () => {
    helve = await createTestHelve(await storeOf());
    const { plane, admin } = helve;
    for (let at = 0; at < 60; at += 1)
      await plane.createIssue(admin, { title: `Issue ${at}`, repo: at % 2 ? 'github:acme/shop' : 'github:acme/app' });
    const filters: readonly IssuesQuery[] = [
      {},
      { repo: 'github:acme/shop', org: 'github:acme', state: 'idle' },
      { agent: 'tester', person: admin.id },
      { text: 'issue 1' },
    ];
    for (const filter of filters) {
      // The process that drives the actors looks at the store too, so the quietest of several times counts.
      const counts: number[] = [];
      for (let time = 0; time < 5; time += 1) {
        const counted = countStatements(store);
        await plane.listIssues(admin, filter);
        counts.push(counted.read());
        counted.end();
      }
      expect([filter, Math.min(...counts) <= 3, Math.min(...counts) > 0]).toEqual([filter, true, true]);
    }
    const first = await plane.listIssues(admin, { repo: 'github:acme/shop', limit: 20 });
    const second = await plane.listIssues(admin, { repo: 'github:acme/shop', limit: 20, after: first.next ?? '' });
    expect([first.issues.length, second.issues.length, second.next]).toEqual([20, 10, undefined]);
    expect((await plane.listIssues(admin, { text: 'ISSUE 59' })).issues.map(({ title }) => title)).toEqual([
      'Issue 59',
    ]);
  });
});

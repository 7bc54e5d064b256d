/** Listings: what they show of large trees and of folders that cannot be read, and what they cost. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FileAccess } from '../../domain/reach.js';
import { openFiles } from './index.js';

let root: string;
let files: FileAccess;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'helve-listing-')));
  files = await openFiles({
    allowedPaths: [`${root}/**`],
    maxBytes: 1_000,
    writable: false,
    home: undefined,
    hidden: [],
  });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error) => error.code as string,
  );

describe('size and time', () => {
  test('R-files: a long listing yields to the event loop, and ends when cancelled', async () => {
    for (const top of ['a', 'b', 'c']) await mkdir(join(root, 'tree', top), { recursive: true });
    execFileSync('sh', ['-c', 'for d in a b c; do (cd $d; seq 8000 | xargs touch); done'], { cwd: join(root, 'tree') });
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const { entries, truncated } = await files.list('tree', { pattern: '**/*{7,8,9}*', limit: 50_000 });
    clearInterval(timer);
    expect([entries.length > 10_000, truncated, longest < 500]).toEqual([true, false, true]);
    const stop = new AbortController();
    const listing = codeOf(files.list('tree', { pattern: '**', limit: 50_000, signal: stop.signal }));
    setTimeout(() => stop.abort(), 10);
    expect(await listing).toBe('cancelled');
    expect(await files.list('tree', { pattern: '**', limit: 5 })).toMatchObject({ truncated: true });
  });
});

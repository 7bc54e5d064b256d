/** Listings: what they show of large trees and of folders that cannot be read, and what they cost. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FileAccess } from '../../domain/reach.js';
import { openFiles } from './index.js';

/** What is read of folders instead of what is in them, and of how many folders something was read. */
const reading = vi.hoisted(() => ({ instead: undefined as (() => AsyncIterable<object>) | undefined, count: 0 }));
vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>();
  return {
    ...actual,
    async opendir(...given: Parameters<typeof actual.opendir>) {
      reading.count += 1;
      // The folder itself is read first, and what is below it only then.
      const { instead } = reading;
      return instead ? instead() : actual.opendir(...given);
    },
  };
});

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
afterEach(() => {
  reading.instead = undefined;
  return rm(root, { recursive: true, force: true });
});

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error) => error.code as string,
  );

const entry = (name: string, isFolder = false) => ({ name, isDirectory: () => isFolder });

describe('what is listed', () => {
  test('R-files: names that match, up to the limit, and whether there are more', async () => {
    for (const name of ['a.md', 'b.md', 'c.txt']) await writeFile(join(root, name), '');
    await mkdir(join(root, 'sub'));
    const list = async (pattern: string, limit: number) => {
      reading.count = 0;
      const { entries, truncated } = await files.list('.', { pattern, limit });
      return [entries.map(({ name, type }) => `${name} ${type}`), truncated, reading.count];
    };
    expect(await list('*.md', 2)).toEqual([['a.md file', 'b.md file'], false, 1]);
    expect(await list('*.md', 1)).toEqual([['a.md file'], true, 1]);
    expect(await list('s*', 1)).toEqual([['sub directory'], false, 1]);
    // What is below is not looked at once there is enough.
    expect(await list('**', 1)).toEqual([['a.md file'], true, 1]);
    expect(await list('**', 4)).toEqual([['a.md file', 'b.md file', 'c.txt file', 'sub directory'], false, 2]);
  });

  test('R-files: of a folder with very many names the first are looked at, and none below it', async () => {
    await mkdir(join(root, 'a'));
    reading.instead = async function* () {
      yield entry('a', true);
      for (let at = 0; at < 200_000; at++) yield entry(`${at}`);
    };
    reading.count = 0;
    expect(await files.list('.', { pattern: '**/none', limit: 10 })).toEqual({ entries: [], truncated: true });
    expect(reading.count).toBe(1);
  });

  test('R-files: a folder below that may not be read is left out; any other failure is told', async () => {
    await mkdir(join(root, 'sub'));
    const failing = (code: string) => async () => {
      reading.instead = () => {
        reading.instead = () => {
          throw Object.assign(new Error('It fails'), { code });
        };
        return (async function* () {
          yield entry('sub', true);
        })();
      };
      return codeOf(files.list('.', { pattern: '**', limit: 10 }));
    };
    expect([await failing('EACCES')(), await failing('EIO')()]).toEqual(['ok', 'tool_failed']);
  });

  test('R-files: a name that is gone before it is looked at is left out', async () => {
    reading.instead = async function* () {
      yield entry('gone');
    };
    expect(await files.list('.', { limit: 10 })).toEqual({ entries: [], truncated: false });
  });

  test('R-files: a listing that was cancelled ends, while names are read and after', async () => {
    await writeFile(join(root, 'a'), '');
    expect(await codeOf(files.list('.', { pattern: 'none', limit: 1, signal: AbortSignal.abort() }))).toBe('cancelled');
    const stop = new AbortController();
    reading.instead = async function* () {
      yield entry('a');
      stop.abort();
    };
    expect(await codeOf(files.list('.', { limit: 1, signal: stop.signal }))).toBe('cancelled');
  });
});

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

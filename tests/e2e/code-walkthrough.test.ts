/** The walkthrough of docs/code-mode.md with real processes: plan, approve, run, kill -9 in an effect, start again. */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTracker, type Tracker, type TrackerComment } from '../../examples/code/issue-tracker.js';
import { killChildren, removeTemporaryFolders, run, type Server, serve, temporaryFolder } from './support/server.js';

const example = (name: string): string => fileURLToPath(new URL(`../../examples/code/${name}`, import.meta.url));
const program = example('stale-issues.ts');
const stale = [1, 3, 4, 6];

let dataDir: string;
let config: string;
let tracker: Tracker;
/** The effect that its service has just had and not yet answered. */
let inEffect: (comment: TrackerComment) => Promise<void>;

beforeAll(async () => {
  dataDir = await temporaryFolder('walkthrough');
});
afterEach(async () => {
  killChildren();
  await tracker?.stop();
});
afterAll(removeTemporaryFolders);

/** The files of the example, with the port of this tracker. */
async function copyExample(url: string): Promise<void> {
  const document = await readFile(example('issue-tracker.yaml'), 'utf8');
  expect(document).toContain('http://127.0.0.1:4871');
  await writeFile(join(dataDir, 'issue-tracker.yaml'), document.replace('http://127.0.0.1:4871', url));
  config = join(dataDir, 'walkthrough.yaml');
  await copyFile(example('helve.yaml'), config);
}

const helve = (...args: string[]) => run([...args, '--data', dataDir]);

/** The page of the run, as an admin sees it. */
async function readPage(server: Server, path: string): Promise<string> {
  const link = new URL(server.adminLink);
  const signedIn = await fetch(new URL('/admin/login', server.url), {
    method: 'POST',
    body: new URLSearchParams({ token: link.searchParams.get('token') ?? '' }),
    headers: { origin: new URL(server.url).origin },
    redirect: 'manual',
  });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  return (await fetch(new URL(path, server.url), { headers: { cookie } })).text();
}

describe('R-durable-runs: the walkthrough', () => {
  test('R-durable-runs: killed in an effect, the run finishes, nothing happens twice, and its page says so', async () => {
    const log: string[] = [];
    tracker = await startTracker({
      beforeAnswer: (comment) => inEffect(comment),
      log: (line) => log.push(line),
    });
    await copyExample(tracker.url);
    const first = await serve(dataDir, ['--config', config]);

    // The first agent gets the tools of a document once the server has read it.
    await expect.poll(async () => (await helve('types', 'tracker', '--agent', 'first')).stdout).toContain('addComment');

    const planned = await helve('run', program, '--plan', '--agent', 'first');
    expect(planned.stdout).toContain('Nothing was changed: this is the plan, with 4 effects.');
    expect(tracker.comments).toEqual([]);
    const plan = /approve-plan ([\w-]+)/.exec(planned.stdout)?.[1] ?? '';
    expect((await helve('runs', 'approve-plan', plan)).code).toBe(0);

    const killed = new Promise<void>((resolve) => {
      inEffect = async ({ issue }) => {
        if (issue !== 3) return;
        await first.stop('SIGKILL');
        resolve();
      };
    });
    const cut = await helve('run', program, '--agent', 'first', '--follow-plan', plan);
    await killed;
    expect(cut).toMatchObject({ code: 6, stderr: expect.stringMatching(/helve runs [\w-]+ --follow/) });
    // The service has the second comment; Helve has no answer to it.
    expect(tracker.comments.map(({ issue }) => issue)).toEqual([1, 3]);

    const second = await serve(dataDir, ['--config', config]);
    const id = (JSON.parse((await helve('runs', '--json')).stdout) as { id: string; mode: string }[])[0]?.id ?? '';
    const followed = await helve('runs', id, '--follow');
    expect(followed.code).toBe(0);
    expect(JSON.parse(followed.stdout)).toEqual({ asked: stale });
    expect(tracker.comments.map(({ issue }) => issue)).toEqual(stale);
    // Its request was made again, under the key by which the service knew it.
    expect(log).toContain('The same comment on issue 3 once more: not added again');

    const told = [
      'The program ended.',
      'The process that ran it ended before the program did, so another process went on at ',
      '  2  tracker__add_comment  ok\n  3  tracker__add_comment  ok at attempt 2, since the answer to an earlier one was lost\n',
      'asked on issue 6',
    ];
    const shown = (await helve('runs', id)).stdout;
    const page = await readPage(second, `/runs/${id}`);
    for (const words of told) {
      expect(shown).toContain(words);
      expect(page).toContain(words);
    }
    await second.stop();
  }, 120_000);
});

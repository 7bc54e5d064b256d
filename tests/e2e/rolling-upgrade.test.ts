/**
 * Two builds side by side on one PostgreSQL under load. The older one is this build; the newer one is a copy of it with one more
 * migration, because the history with real older builds may be missing where the tests run. `bench/drills/rolling.js --from
 * <commit>` does the same with a build from the history.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { rounds } from '../../src/testing/rounds.js';

const drill = fileURLToPath(new URL('../../bench/drills/rolling.js', import.meta.url));
const timeoutMs = 240_000;
/** In each state of the two builds. */
const answers = rounds(80, 1_000);

interface Report {
  readonly refusal?: string;
  readonly answered: number;
  readonly sent: number;
  /** Answered after the migration had run. */
  readonly whileBothServed: number;
  readonly refused: number;
  /** The first call that failed, with its code. */
  readonly first?: object;
  readonly cut: number;
  readonly lost: number;
  readonly twice: number;
  readonly chain: string;
}

async function runDrill(...words: string[]): Promise<Report> {
  const child = spawn(process.execPath, [drill, '--json', '--lanes', '8', '--answers', `${answers}`, ...words]);
  let [out, problems] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    problems += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(problems).toBe('');
  return JSON.parse(out);
}

const nothingWrong = { refused: 0, cut: 0, lost: 0, twice: 0, chain: expect.stringContaining('unbroken') };

test(
  'R-operate: processes are replaced one by one by a newer Helve and back, and no call fails',
  async () => {
    const report = await runDrill();
    expect(report.first).toBeUndefined();
    expect(report).toMatchObject(nothingWrong);
    expect(report.refusal).toBeUndefined();
    expect(report.answered).toBe(report.sent);
    expect(report.whileBothServed).toBeGreaterThan(2 * answers);
  },
  timeoutMs,
);

test(
  'R-operate: a migration that older processes could not live with does not begin while they serve',
  async () => {
    const report = await runDrill('--breaking');
    expect(report).toMatchObject(nothingWrong);
    expect(report.refusal).toMatch(/older Helve, which could not go on after the upgrade to schema 9001/);
    expect(report.answered).toBe(report.sent);
  },
  timeoutMs,
);

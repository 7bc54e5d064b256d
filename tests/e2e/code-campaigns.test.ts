/**
 * The campaigns of bench/code with few rounds: processes that die while they run programs, and processes that act on the same
 * run at the same instant. They run the built package, so `npm run build` comes first.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { rounds } from '../../src/testing/rounds.js';

const bench = fileURLToPath(new URL('../../bench/code/', import.meta.url));
const timeoutMs = rounds(180_000, 1_800_000);
/** The third kill finds the fault, always: the points of the kills are always the same. */
const killsOfControl = 3;
const kills = rounds(2 * killsOfControl, 100);
/** Each of the four programs at least once. */
const waitingKills = rounds(6, 100);
/** Of each of the six kinds. */
const racesEach = rounds(2, 50);
const children = new Set<ChildProcess>();

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

/** The report of a campaign, which ends with an exit code other than 0 when something is wrong. */
async function campaign(program: string, ...parameters: string[]) {
  const child = spawn(process.execPath, [`${bench}${program}`, ...parameters]);
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, output, report: JSON.parse(output.split('\n')[0] ?? '') };
}

test.each(['sqlite', 'postgres'])(
  'R-durable-runs: a program that is killed at any of its points goes on, and nothing is lost or done twice (%s)',
  async (store) => {
    const { code, output, report } = await campaign(
      'kills.js',
      '--kills',
      `${kills}`,
      '--programs',
      '3',
      '--store',
      store,
    );
    expect(report, output).toMatchObject({ failures: 0 });
    expect([report.kills, code]).toEqual([kills, 0]);
    expect(report.finished).toBeGreaterThan(0);
  },
  timeoutMs,
);

test.each([
  ['sqlite', 'Helve', []],
  ['postgres', 'Helve', []],
  ['sqlite', 'its sandbox', ['--sandbox']],
] as const)(
  'R-durable-runs R-approval: a program that waits for approvals, answers and timers goes on (%s) when %s is killed',
  async (store, _, more) => {
    const given = ['--waiting', '--kills', `${waitingKills}`, '--store', store, ...more];
    const { code, output, report } = await campaign('kills.js', ...given);
    expect(report, output).toMatchObject({ failures: 0 });
    expect(report.kills).toBeGreaterThanOrEqual(waitingKills);
    expect(report.finished).toBeGreaterThan(0);
    expect(code).toBe(0);
  },
  timeoutMs,
);

test(
  'R-durable-runs: the kill campaign finds effects that happen twice when the service forgets keys',
  async () => {
    const { code, output } = await campaign('kills.js', '--kills', `${killsOfControl}`, '--programs', '2', '--control');
    expect(output).toContain('effects twice');
    expect(code).toBe(0);
  },
  timeoutMs,
);

test.each(['sqlite', 'postgres'])(
  'R-durable-runs: processes that approve, decide, cancel, resume and start one run make each call once (%s)',
  async (store) => {
    const { code, output, report } = await campaign('races.js', '--rounds', `${6 * racesEach}`, '--store', store);
    expect(report, output).toMatchObject({ processes: 4, approve: racesEach, failures: 0 });
    expect(code).toBe(0);
  },
  timeoutMs,
);

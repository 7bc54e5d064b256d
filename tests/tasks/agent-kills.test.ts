/**
 * The campaign of bench/tasks/agent-kills.js with few kills: whole processes whose agents work on issues. It runs the built package, so
 * `npm run build` comes first.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { rounds } from '../../src/testing/rounds.js';

const program = fileURLToPath(new URL('../../bench/tasks/agent-kills.js', import.meta.url));
const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

async function campaign(...parameters: string[]) {
  const child = spawn(process.execPath, [program, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, output, report: JSON.parse(output.split('\n')[0] ?? '') };
}

// On SQLite each of the eight stories is told. Every second kill hits a process that waits for an answer.
test.each([
  ['sqlite', 8, rounds(2, 20)],
  ['postgres', ...rounds([4, 2] as const, [20, 10] as const)],
] as const)(
  'R-agent-worker R-durable-runs: agents whose processes are killed end right: no effect is lost, doubled or out of order, and no answer that was used is paid for again (%s)',
  async (store, issues, kills) => {
    const { code, output, report } = await campaign(String(issues), String(kills), store);
    expect(report, output).toMatchObject({ problems: 0, effects: report.issues * 6 });
    expect(report.issues).toBeGreaterThanOrEqual(issues);
    // Kills that hit work that had begun.
    expect(report.repeated + report.askedAgain).toBeGreaterThan(0);
    expect(code).toBe(0);
  },
  180_000,
);

test('R-durable-runs: the campaign finds effects that happen twice when the services ignore keys', async () => {
  const { code, output } = await campaign('--control', '2', '1');
  expect(output).toContain('instead of');
  expect(code).toBe(0);
}, 180_000);

/**
 * All checks of `npm run check`, as many at the same time as there are processors. The output of a check is printed
 * when it has ended, so that the lines of two do not mix. All checks run even if one fails; then the exit code is 1,
 * and the last line names the failed ones.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The slowest checks start first. */
const checks = ['types', 'imports', 'dead', 'lint', 'promises', 'docs', 'house'];

const waiting = [...checks];
const failed = [];
await Promise.all(Array.from({ length: Math.min(availableParallelism(), checks.length) }, work));
if (failed.length > 0) {
  console.error(`failed: ${failed.map((name) => `check:${name}`).join(', ')}`);
  process.exitCode = 1;
}

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const from = performance.now();
    const { status, output } = await run(name);
    process.stdout.write(`> check:${name} (${((performance.now() - from) / 1000).toFixed(0)} s)\n${output}`);
    if (status !== 0) failed.push(name);
  }
}

function run(name) {
  const child = spawn('npm', ['run', '-s', `check:${name}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output: Buffer.concat(chunks).toString() }));
  });
}

/** The watch, tested on processes outside any sandbox. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { processTree, sharedOnce } from './process-tree.js';
import { watch } from './watch.js';

const roomy = { memoryMb: 1_000, cpuSeconds: 100, processes: 10, diskMb: 16 };

async function during<T>(script: string, act: (pid: number) => Promise<T>): Promise<T> {
  const child = spawn('/bin/sh', ['-c', script], { stdio: 'ignore', detached: true });
  await sleep(150);
  const pid = child.pid ?? Number.NaN;
  return act(pid).finally(() => process.kill(-pid, 'SIGKILL'));
}

test('R-shell: children and their children are counted, others are not', async () => {
  const usage = await during('sleep 9 & (sleep 9 & wait) & wait', async (pid) => {
    const tree = processTree(pid);
    tree.look();
    return tree.look();
  });
  expect(usage.processes).toBe(4);
  expect(usage.memory).toBeGreaterThan(0);
  expect(usage.memory).toBeLessThan(50 * 1_048_576);
  expect(await sharedOnce([process.pid])).toBeGreaterThan(1_048_576);
  expect(await sharedOnce([])).toBe(0);
});

test('R-shell: until the sandbox is set up, folders of the host do not count as its own', async () => {
  const seen = await during('sleep 9', async (pid) => {
    const exceeded: string[] = [];
    const watching = watch(pid, roomy, (what) => exceeded.push(what));
    await sleep(350);
    watching.stop();
    return exceeded;
  });
  expect(seen).toEqual([]);
});

test('R-shell: the watch limits the number of processes if the kernel does not', async () => {
  const seen = await during('sleep 9 & sleep 9 & sleep 9 & wait', async (pid) => {
    const exceeded: string[] = [];
    const watching = watch(pid, { ...roomy, processes: 2 }, (what) => exceeded.push(what));
    await sleep(350);
    watching.stop();
    return exceeded[0];
  });
  expect(seen).toBe('processes');
});

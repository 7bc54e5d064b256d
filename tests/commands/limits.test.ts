/** Bombs and commands that run too long: what ends them, that nothing remains, and that the host continues meanwhile. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { CommandResult } from '../../src/domain/reach.js';
import { alive, limits, missing, refusal, run, wall } from './ground.js';

afterAll(() => wall.close());

const why = missing ?? (existsSync('/usr/bin/python3') ? undefined : 'needs /usr/bin/python3');
const megabyte = 1_048_576;

function zombies(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+ \((bwrap|sh|prlimit|sleep)\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  });
}

/** Runs it with a mark in its arguments, which any remaining process would still have. */
async function bomb(code: string, more: Partial<typeof limits> = {}) {
  const mark = `mark-${randomUUID()}`;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const since = performance.now();
  const result = await run(['python3', '-c', `import os, sys, time\n${code}`, mark], {}, more);
  const tookMs = performance.now() - since;
  delay.disable();
  const stallMs = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
  if (process.env.HELVE_FIGURES)
    console.log(expect.getState().currentTestName, { tookMs, ...stallMs }, result.stoppedBy);
  expect(alive(mark)).toEqual([]);
  expect(stallMs.p99).toBeLessThan(1_000);
  return { result, tookMs };
}

const ending = ({ exitCode, signal, stoppedBy }: CommandResult) => ({ exitCode, signal, stoppedBy });
const killedFor = (stoppedBy: CommandResult['stoppedBy']) => ({ exitCode: null, signal: 'SIGKILL', stoppedBy });

describe.skipIf(why)(`bombs${why ? ` (skipped: ${why})` : ''}`, () => {
  test('R-shell: a fork bomb reaches the process limit', async () => {
    const code = `
made = 0
while True:
    try:
        if os.fork() == 0: time.sleep(60)
    except OSError as error:
        print(made, error.strerror)
        break
    made += 1`;
    const { result } = await bomb(code, { processes: 20 });
    expect(result).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^19 .*Resource temporarily unavailable/),
    });
  });

  test('R-shell: a fork bomb that never rests is ended in time', async () => {
    const code = `
while True:
    try: os.fork()
    except OSError: pass`;
    const { result, tookMs } = await bomb(code, { timeoutMs: 700 });
    expect(ending(result)).toEqual(killedFor('time'));
    expect(tookMs).toBeLessThan(3_000);
  });

  test('R-shell: one process gets no more memory than the limit', async () => {
    const { result } = await bomb('held = bytearray(400 * 1048576)', { memoryMb: 128 });
    expect([result.exitCode, result.stderr.includes('MemoryError')]).toEqual([1, true]);
  });

  const many = `
for _ in range(8):
    if os.fork() == 0:
        held = bytearray(b'x') * (60 * 1048576)
        time.sleep(60)
time.sleep(60)`;
  test('R-shell: many processes together get no more than the limit', async () => {
    const { result } = await bomb(many, { memoryMb: 128 });
    expect(ending(result)).toEqual(killedFor('memory'));
  });

  test('R-shell: memory that processes share is counted', async () => {
    const code = `
import mmap
held = [mmap.mmap(-1, 50 * 1048576) for _ in range(8)]
for each in held:
    for at in range(0, len(each), 4096): each[at] = 1
time.sleep(60)`;
    const { result } = await bomb(code, { memoryMb: 128 });
    expect(ending(result)).toEqual(killedFor('memory'));
  });

  test('R-shell: memory that forks have not changed is counted once', async () => {
    const code = `
held = bytearray(b'x') * (60 * 1048576)
for _ in range(5):
    if os.fork() == 0:
        time.sleep(0.5)
        os._exit(0)
for _ in range(5): os.wait()
print('done')`;
    const { result } = await bomb(code, { memoryMb: 128 });
    expect(result).toMatchObject({ exitCode: 0, stdout: 'done\n', stoppedBy: null });
  });

  test('R-shell: folders are full at their size, and everything else is read-only', async () => {
    const code = `
for folder in ('/work', '/tmp', '/dev/shm'):
    written = 0
    try:
        for number in range(200):
            with open('%s/%d' % (folder, number), 'wb') as file: written += file.write(b'x' * 1048576)
    except OSError as error: print(folder, written // 1048576, error.strerror)`;
    const { result } = await bomb(code, { diskMb: 4 });
    expect(result.stdout).toBe(
      '/work 4 No space left on device\n/tmp 4 No space left on device\n/dev/shm 4 No space left on device\n',
    );
  });

  test('R-shell: one file is no larger than the folder, whatever it claims', async () => {
    const { result } = await bomb(`
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try: os.truncate(os.open('f', os.O_CREAT | os.O_RDWR), 1 << 40)
except OSError as error: print(error.strerror)`);
    expect(result.stdout).toBe('File too large\n');
  });

  test('R-shell: files without content come to an end', async () => {
    const { result } = await bomb(`
number = 0
while True:
    os.close(os.open('f%d' % number, os.O_CREAT))
    number += 1`);
    expect(ending(result)).toEqual(killedFor('files'));
  });

  test('R-shell: an output without end is cut, counted and stopped', async () => {
    const { result } = await bomb(`
chunk = b'x' * 1048576
while True: os.write(1, chunk)`);
    expect(ending(result)).toEqual(killedFor('output'));
    expect(result.stdout.length).toBe(limits.outputBytes);
    expect(result.droppedStdout).toBeGreaterThan(200 * megabyte);
  });

  test('R-shell: a long output is cut and the rest counted, between two characters', async () => {
    const { result } = await bomb(`sys.stdout.buffer.write('é'.encode() * 100000 + b'x'); sys.stderr.write('e' * 50)`, {
      outputBytes: 11,
    });
    expect(result).toMatchObject({
      exitCode: 0,
      stdout: 'ééééé',
      droppedStdout: 199_990,
      stderr: 'eeeeeeeeeee',
      droppedStderr: 39,
    });
  });

  test('R-shell: open files come to an end', async () => {
    const { result } = await bomb(`
held = []
try:
    while True: held.append(os.open('/dev/null', 0))
except OSError as error: print(len(held), error.strerror)`);
    expect(result.stdout).toMatch(/^2\d\d Too many open files\n$/);
  });

  test('R-shell: a process that only calculates is ended', async () => {
    const { result, tookMs } = await bomb('while True: pass', { cpuSeconds: 1 });
    expect([result.exitCode, result.stoppedBy]).toEqual([null, 'cpu']);
    expect(tookMs).toBeLessThan(5_000);
  });

  test('R-shell: time is counted over processes that take turns', async () => {
    const { result, tookMs } = await bomb(
      `
while True:
    if os.fork() == 0:
        until = time.process_time() + 0.2
        while time.process_time() < until: pass
        os._exit(0)
    os.wait()`,
      { cpuSeconds: 1 },
    );
    expect(ending(result)).toEqual(killedFor('cpu'));
    expect(tookMs).toBeLessThan(8_000);
  });
});

describe.skipIf(why)('what outlives', () => {
  const stubborn = `
import signal
for number in range(1, 65):
    # The death of children aside, which the test itself waits for.
    if number == signal.SIGCHLD: continue
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
`;
  const daemon = `
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in range(3): os.close(fd)
        time.sleep(60)
    os._exit(0)
os.wait()
`;

  test('R-shell: a command past its time is killed, with everything that ignores signals or detached itself', async () => {
    const { result, tookMs } = await bomb(
      `${stubborn}${daemon}print('started', flush=True)\nos.fork()\ntime.sleep(60)`,
      { timeoutMs: 600 },
    );
    expect(result).toMatchObject({ ...killedFor('time'), timedOut: true, stdout: 'started\n' });
    expect(tookMs).toBeLessThan(1_100);
  });

  test('R-shell: a command that has ended leaves no daemon', async () => {
    const { result, tookMs } = await bomb(`${stubborn}${daemon}print('over')`);
    expect(result).toMatchObject({ exitCode: 0, stdout: 'over\n', timedOut: false });
    expect(tookMs).toBeLessThan(2_000);
  });

  test('R-shell: a daemon that keeps the output open does not block the call', async () => {
    const { result, tookMs } = await bomb(`
if os.fork() == 0:
    os.setsid()
    time.sleep(60)
print('over')`);
    expect(result).toMatchObject({ exitCode: 0, stdout: 'over\n' });
    expect(tookMs).toBeLessThan(2_000);
  });

  test('R-shell: processes that stop each other are killed all the same', async () => {
    const { result } = await bomb(`import signal\nos.fork()\nos.kill(0, signal.SIGSTOP)\ntime.sleep(60)`, {
      timeoutMs: 400,
    });
    expect(result.timedOut).toBe(true);
  });

  test('R-shell: no more than it asks for, and never more than the operator allows', async () => {
    const one = await run(['python3', '-c', 'import time; time.sleep(60)'], { timeoutMs: 300 });
    const other = await run(
      ['python3', '-c', 'import time; time.sleep(60)'],
      { timeoutMs: 60_000 },
      { timeoutMs: 300 },
    );
    for (const { timedOut, durationMs } of [one, other]) {
      expect(timedOut).toBe(true);
      expect(durationMs).toBeLessThan(1_500);
    }
  });

  test('R-shell: a cancelled call ends the command', async () => {
    const mark = `mark-${randomUUID()}`;
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    const outcome = run(['python3', '-c', 'import time; time.sleep(60)', mark], {}, {}, controller.signal);
    await sleep(200);
    expect(alive(mark).length).toBeGreaterThan(0);
    expect((await refusal(outcome)).code).toBe('cancelled');
    expect(alive(mark)).toEqual([]);
  });

  test('R-shell: commands leave no zombies', async () => {
    const before = zombies();
    await Promise.all(Array.from({ length: 8 }, () => run(['sh', '-c', 'sleep 60 & true'])));
    const found = zombies().filter((pid) => !before.includes(pid));
    // Any process of the machine is one for a moment, until its parent has looked; one that is left stays.
    await expect.poll(() => zombies().filter((pid) => found.includes(pid))).toEqual([]);
  });
});

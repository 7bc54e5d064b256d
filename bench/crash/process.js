/** One child under test: what it wrote, when, and how it ended. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('child.js', import.meta.url));

/**
 * @param {import('./child.js').ChildOptions} options
 * @returns the child's messages, updated as they arrive
 */
export function startChild(options) {
  const spawned = performance.now();
  // Its own process group: Ctrl-C reaches only the parent, which then ends its child itself.
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { detached: true });
  const running = {
    pid: child.pid,
    /** @type {import('./check.js').Acknowledgement[]} */
    acknowledged: [],
    /** Milliseconds from the spawn. @type {number | undefined} */
    openedAfter: undefined,
    /** @type {number | undefined} */
    answeredAfter: undefined,
    /** Processor time until `setUp` resolved: how long a start takes on an idle machine. */
    readyCpuMs: undefined,
    /** @type {{ ok: boolean, rows: number } | undefined} */
    verified: undefined,
    errors: '',
    answered: Promise.resolve(false),
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code))),
    kill: () => child.kill('SIGKILL'),
    /** Lets the child finish its calls, check the chain and close. */
    stop: () => child.stdin.end('stop\n'),
  };
  child.stdin.on('error', () => {});
  child.stderr.on('data', (chunk) => {
    running.errors += chunk;
  });
  /** True if a call was answered, false if the process ended first. */
  running.answered = new Promise((resolve) => {
    child.once('close', () => resolve(false));
    eachLine(child.stdout, (line) => {
      const message = JSON.parse(line);
      const after = performance.now() - spawned;
      if (message.event === 'open') running.openedAfter = after;
      else if (message.event === 'ready') running.readyCpuMs = message.cpuMs;
      else if (message.event === 'closed') running.verified = message.verified;
      else if (message.executionId !== undefined) {
        running.acknowledged.push(message);
        running.answeredAfter ??= after;
        resolve(true);
      }
    });
  });
  return running;
}

/** Only whole lines: a line that the kill cut short does not count. */
function eachLine(stream, take) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}

/**
 * The lines from this byte on, and the position where the next ones will begin.
 * @param {string} path
 * @returns {{ effects: import('./check.js').Effect[], end: number }}
 */
export function readEffects(path, from = 0) {
  if (!existsSync(path)) return { effects: [], end: from };
  const bytes = readFileSync(path).subarray(from);
  const end = bytes.lastIndexOf('\n') + 1;
  const lines = bytes.subarray(0, end).toString().split('\n').filter(Boolean);
  return { effects: lines.map((line) => JSON.parse(line)), end: from + end };
}

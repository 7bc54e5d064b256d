/** A `helve serve` that is killed and started again, and its storage. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type HelveClient } from '../../src/api/index.js';
import type { Composio } from '../counterparts/composio/index.js';
import { cleanEnvironment, program } from '../e2e/support/server.js';

export interface Place {
  readonly dataDir: string;
  /** A file or `postgres://…` */
  readonly location: string;
}

export interface Child {
  /** Resolves once the server has announced itself. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  output(): string;
}

const children = new Set<ChildProcess>();

export function killStrays(): void {
  for (const child of children) child.kill('SIGKILL');
}

/** `more`: options of `helve serve`; a second process on one data folder needs `--beside`. */
export function startChild(
  { dataDir, location }: Place,
  composio: Pick<Composio, 'url' | 'apiKey'>,
  more: readonly string[] = [],
): Child {
  const environment = cleanEnvironment({
    COMPOSIO_API_KEY: composio.apiKey,
    COMPOSIO_BASE_URL: composio.url,
    ...(location.startsWith('postgres') ? { HELVE_DATABASE_URL: location } : {}),
  });
  const started = spawn(process.execPath, [program, 'serve', '--port', '0', '--data', dataDir, ...more], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(started);
  let output = '';
  const ended = new Promise<void>((resolve) => {
    started.once('close', () => {
      children.delete(started);
      resolve();
    });
  });
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (chunk) => {
        output += chunk;
        if (output.includes('Stop with Ctrl-C')) resolve();
      });
    void ended.then(() => reject(new Error(`It ended:\n${output}`)));
  });
  // A test that kills it before it is ready does not wait for that.
  ready.catch(() => undefined);
  return {
    ready,
    ended,
    output: () => output,
    async kill(signal = 'SIGKILL') {
      started.kill(signal);
      await ended;
    },
  };
}

/** Sends a request as the command line of the same folder would. */
export function clientOf({ dataDir }: Place): HelveClient {
  const { url, key } = JSON.parse(readFileSync(join(dataDir, 'cli.json'), 'utf8')) as { url: string; key: string };
  return createClient({ url, token: key });
}

export async function until(
  isSo: () => boolean | Promise<boolean>,
  patienceMs = 60_000,
  what = 'it never came to that',
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(what);
    await sleep(5);
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

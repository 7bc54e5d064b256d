/**
 * A host with valuable data: a secret file that everyone may read, a folder that everyone may write, secrets in
 * Helve's environment and command line, services on the loopback and on an abstract socket. If any of it appears in
 * an output, changes or is contacted, the sandbox has been escaped.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HelveError } from '../../src/domain/errors.js';
import type { CommandRequest, CommandResult } from '../../src/domain/reach.js';
import { mayBeMissing } from '../../src/testing/needs.js';
import { createWorkers } from '../../src/util/sandbox/workers.js';
import { type CommandWallLimits, createCommandWall } from '../../src/walls/commands/index.js';

export const workers = createWorkers();
export const wall = createCommandWall(workers);
/** Why the tests that need a sandbox cannot run here; undefined if they can. */
export const missing = mayBeMissing((await wall.checks()).find(({ ok }) => !ok)?.detail);

export const limits: CommandWallLimits = {
  allowedCommands: ['sh', 'python3', 'perl', 'cat', 'true'],
  blockedPatterns: [],
  timeoutMs: 10_000,
  cpuSeconds: 20,
  memoryMb: 512,
  outputBytes: 100_000,
  diskMb: 16,
  processes: 64,
  network: false,
  readPaths: [],
  hidden: [],
};

export function run(
  argv: readonly string[],
  request: Partial<CommandRequest> = {},
  more: Partial<CommandWallLimits> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<CommandResult> {
  return wall.run({ argv, ...request }, { ...limits, ...more }, signal);
}

export async function refusal(outcome: Promise<unknown>): Promise<HelveError> {
  const thrown = await outcome.then(
    (value) => new Error(`It ran: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (!(thrown instanceof HelveError)) throw thrown;
  return thrown;
}

export interface Ground {
  readonly folder: string;
  readonly secretFile: string;
  readonly port: number;
  readonly abstract: string;
  /** Which data of the host a text contains. */
  leaks(text: string): string[];
  /** What has been changed or contacted since the last time. */
  touched(): string[];
  close(): Promise<void>;
}

export async function openGround(): Promise<Ground> {
  const secret = `canary-${randomUUID()}`;
  const folder = mkdtempSync(join(tmpdir(), 'helve-ground-'));
  chmodSync(folder, 0o777);
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, `${secret}\n`);
  chmodSync(secretFile, 0o666);
  process.env.HELVE_CANARY = secret;
  const knocks: string[] = [];
  const abstract = `helve-${randomUUID()}`;
  const { loopback, everywhere } = await openNeighbours(knocks);
  const unix = await listening(knocks, 'an abstract socket', { path: `\0${abstract}` });
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .filter((line) => /^(root|daemon|bin|www-data):/.test(line));
  const before = stateOf(folder);
  return {
    folder,
    secretFile,
    port: portOf(loopback),
    abstract,
    leaks: (text) => [secret, ...users].filter((mark) => text.includes(mark)),
    touched: () => [...knocks.splice(0), ...(stateOf(folder) === before ? [] : ['the folder of the host'])],
    async close() {
      delete process.env.HELVE_CANARY;
      for (const server of [loopback, everywhere, unix]) server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The probes know the port of the first; the second has the next one, which another process may hold. */
async function openNeighbours(knocks: string[], attempts = 20): Promise<{ loopback: Server; everywhere: Server }> {
  const loopback = await listening(knocks, 'a service on 127.0.0.1', { host: '127.0.0.1', port: 0 });
  try {
    const where = { host: '::', port: portOf(loopback) + 1 };
    return { loopback, everywhere: await listening(knocks, 'a service on all addresses', where) };
  } catch (error) {
    loopback.close();
    if (attempts === 1) throw error;
    return openNeighbours(knocks, attempts - 1);
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function listening(knocks: string[], name: string, where: object): Promise<Server> {
  const server = createServer((socket) => {
    knocks.push(name);
    socket.destroy();
  });
  return new Promise((resolve, reject) => server.once('error', reject).listen(where, () => resolve(server)));
}

function stateOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => `${name}:${readIfFile(join(folder, name))}`)
    .join('\n');
}

function readIfFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Living processes of this machine whose command line contains the mark. Zombies have none. */
export function alive(mark: string): string[] {
  const own = new Set([process.pid, process.ppid].map(String));
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || own.has(pid)) return false;
    return readIfFile(`/proc/${pid}/cmdline`).includes(mark);
  });
}

/** An archive with one member of this absolute name. */
export function tarOf(member: string): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'helve-tar-'));
  mkdirSync(join(folder, 'in'));
  writeFileSync(join(folder, 'in', 'x'), 'written\n');
  const transform = `--transform=s,^x$,${member},`;
  const bytes = execFileSync('tar', ['-cPf', '-', '-C', join(folder, 'in'), transform, 'x']);
  rmSync(folder, { recursive: true });
  return bytes;
}

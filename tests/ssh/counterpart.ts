/** A real sshd on the loopback, with its own keys in its own folder, run by the user of the tests. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { mayBeMissing } from '../../src/testing/needs.js';

const program = '/usr/sbin/sshd';

/** Why the tests that need sshd cannot run here; undefined if they can. */
export const missing = mayBeMissing(whyMissing());

function whyMissing(): string | undefined {
  if (!existsSync(program)) return `there is no ${program} (Debian: openssh-server)`;
  try {
    // Where root's sshd puts its unprivileged files; Debian creates it when the service starts.
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
    return undefined;
  } catch (error) {
    return `/run/sshd cannot be made: ${String(error)}`;
  }
}

export interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** A user with a shell who is not root, because sshd passes signals on only to such a user's commands; undefined if there is none. */
export const ordinaryUser = findOrdinaryUser();

function findOrdinaryUser(): User | undefined {
  const { username: name, uid, gid } = userInfo();
  if (uid !== 0) return { name, uid, gid };
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .filter((line) => /\/(?:ba|da)?sh$/.test(line))
    .map((line) => line.split(':'))
    .map(([other = '', , ...ids]) => ({ name: other, uid: Number(ids[0]), gid: Number(ids[1]) }))
    .find((user) => user.uid > 0);
}

export interface Sshd {
  readonly port: number;
  readonly user: string;
  readonly folder: string;
  /** Path of a key that may log in. */
  readonly key: string;
  /** By type: as in known_hosts, and the fingerprint. */
  readonly hostKeys: Readonly<
    Record<'ed25519' | 'ecdsa' | 'rsa', { readonly line: string; readonly fingerprint: string }>
  >;
  /** Its output at DEBUG1. */
  log(): string;
  /** Ends the processes of open connections, as a crash of the machine would. */
  dropConnections(): void;
  close(): Promise<void>;
}

export function makeKey(path: string, type: string, passphrase = '', more: readonly string[] = []): string {
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-C', '', ...more, '-f', path]);
  return readFileSync(path, 'utf8');
}

export function fingerprint(path: string): string {
  return execFileSync('ssh-keygen', ['-l', '-f', path], { encoding: 'utf8' }).split(' ')[1] ?? '';
}

/** Run by this user, it accepts no other user. */
export async function startSshd(user: User = { name: userInfo().username, ...userInfo() }): Promise<Sshd> {
  const folder = mkdtempSync(join(tmpdir(), 'helve-sshd-'));
  const types = ['ed25519', 'ecdsa', 'rsa'] as const;
  for (const type of types) makeKey(join(folder, `host-${type}`), type);
  const key = join(folder, 'user');
  makeKey(key, 'ed25519');
  writeFileSync(join(folder, 'authorized_keys'), readFileSync(`${key}.pub`), { mode: 0o600 });
  const port = await freePort();
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    ...types.map((type) => `HostKey ${join(folder, `host-${type}`)}`),
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    `PidFile ${join(folder, 'pid')}`,
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'MaxStartups 100',
    'LogLevel DEBUG1',
  ];
  writeFileSync(join(folder, 'config'), `${config.join('\n')}\n`);
  for (const name of ['.', ...readdirSync(folder)]) chownSync(join(folder, name), user.uid, user.gid);
  // Into a file, because the processes of sessions would write to the command's own stderr.
  const logFile = join(folder, 'log');
  const child = spawn(program, ['-D', '-E', logFile, '-f', join(folder, 'config')], {
    stdio: 'ignore',
    uid: user.uid,
    gid: user.gid,
  });
  const log = (): string => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');
  await listening(port, child, log);
  return {
    port,
    user: user.name,
    folder,
    key,
    hostKeys: Object.fromEntries(
      types.map((type) => {
        const path = join(folder, `host-${type}.pub`);
        return [type, { line: readFileSync(path, 'utf8').trim(), fingerprint: fingerprint(path) }];
      }),
    ) as Sshd['hostKeys'],
    log,
    dropConnections: () => {
      for (const pid of descendants(child.pid ?? 0)) endProcess(pid);
    },
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      const below = descendants(child.pid ?? 0);
      child.kill('SIGKILL');
      for (const pid of below) endProcess(pid);
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Nearest first. */
function descendants(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      parents.set(Number(name), Number(fields[1]));
    } catch {
      // It ended while we looked.
    }
  }
  const found = [root];
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return found.slice(1);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listening(port: number, child: ChildProcess, log: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`sshd ended: ${log()}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`sshd does not listen: ${log()}`);
}

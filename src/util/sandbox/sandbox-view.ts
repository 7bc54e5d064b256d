/**
 * What a command sees of the machine, as arguments of bubblewrap: programs and libraries, read-only; a work folder, a
 * `/tmp` and a `/dev/shm` of limited size, new for each call; small files of ours that replace those in `/etc` that name
 * users and hosts. Everything is mounted before any outside code runs, and nothing is mounted below a folder that such code
 * can write.
 */
import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import type { CommandLimits } from '../../domain/reach.js';

export const workFolder = '/work';
export const programPath = ['/usr/local/bin', '/usr/bin', '/bin'] as const;
/** Folders of the machine that every sandbox has. A name that is a link on the host is the same link inside. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
const systemFiles = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/mime.types',
  '/etc/magic',
  '/etc/ca-certificates.conf',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
];
export const visibleFolders: readonly string[] = [...systemFolders, '/etc/alternatives'];

/** They describe the whole machine, or contain data that only its operator should read. */
const toldOfMachine = [
  'kcore',
  'keys',
  'key-users',
  'kmsg',
  'kallsyms',
  'modules',
  'cmdline',
  'timer_list',
  'sched_debug',
];
/** Files of `/proc` that no process inside may read: those in the list that exist on this machine. */
export const maskedFiles: readonly string[] = toldOfMachine
  .map((name) => `/proc/${name}`)
  .filter((path) => existsSync(path));

const sandboxUser = '1000';
const nobody = '65534';
const smallFiles = {
  '/etc/passwd': `sandbox:x:${sandboxUser}:${sandboxUser}::${workFolder}:/usr/sbin/nologin\nnobody:x:${nobody}:${nobody}::/:/usr/sbin/nologin\n`,
  '/etc/group': `sandbox:x:${sandboxUser}:\nnogroup:x:${nobody}:\n`,
  '/etc/hosts': '127.0.0.1 localhost sandbox\n::1 localhost\n',
  '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
};

const environment = {
  PATH: programPath.join(':'),
  HOME: workFolder,
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  USER: 'sandbox',
};

/** `/dev/shm` is for small data shared between processes; large data belongs in the work folder. */
const mostSharedMemoryMb = 16;
const megabyte = 1_048_576;

/** The writable folders, with their sizes in bytes. They are held in memory, unless a folder of the machine is the work folder. */
export function memoryFolders({ diskMb }: Pick<CommandLimits, 'diskMb'>): Readonly<Record<string, number>> {
  return {
    '/dev/shm': Math.min(mostSharedMemoryMb, diskMb) * megabyte,
    '/tmp': diskMb * megabyte,
    [workFolder]: diskMb * megabyte,
  };
}

export interface View {
  readonly limits: Pick<CommandLimits, 'diskMb' | 'network' | 'readPaths'>;
  /** An absolute path inside the sandbox. */
  readonly cwd: string;
  /**
   * A folder of the machine that is the work folder, as this same user can reach it. What is in it may have been left by an
   * earlier command, links too, so bubblewrap itself must write nothing into it: `files` is empty then. Undefined: a new one.
   */
  readonly work?: string | undefined;
  /** By their paths relative to the work folder. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Returns the number of a descriptor from which bubblewrap reads these bytes. */
  readonly attach: (bytes: Uint8Array) => string;
}

export function viewArguments({ limits, cwd, files, work, attach }: View): string[] {
  return [
    ...namespaces(limits.network),
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...systemFolders.flatMap(sameAsHost),
    ...systemFiles.flatMap((path) => ['--ro-bind-try', path, path]),
    ...Object.entries(etcFiles(limits.network)).flatMap(([path, text]) => [
      '--perms',
      '0444',
      '--ro-bind-data',
      attach(Buffer.from(text)),
      path,
    ]),
    '--proc',
    '/proc',
    ...maskedFiles.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    '--dev',
    '/dev',
    ...Object.entries(memoryFolders(limits)).flatMap(([path, size]) =>
      path === workFolder && work !== undefined
        ? ['--bind', work, path]
        : ['--perms', path === workFolder ? '0755' : '1777', '--size', String(size), '--tmpfs', path],
    ),
    ...limits.readPaths.flatMap((path) => ['--ro-bind', path, path]),
    ...(work === undefined && cwd.startsWith(`${workFolder}/`) ? ['--dir', cwd] : []),
    ...Object.entries(files).flatMap(([path, bytes]) => ['--file', attach(bytes), `${workFolder}/${path}`]),
    // Both use memory that has no separate limit.
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    cwd,
  ];
}

function namespaces(network: boolean): string[] {
  return [
    '--unshare-all',
    '--unshare-user',
    ...(network ? ['--share-net'] : []),
    '--disable-userns',
    '--die-with-parent',
    '--new-session',
    '--as-pid-1',
    '--clearenv',
    '--hostname',
    'sandbox',
    '--uid',
    sandboxUser,
    '--gid',
    sandboxUser,
  ];
}

/** A link on the host is the same link inside; a path that does not exist on the host is left out. */
export function sameAsHost(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

function etcFiles(network: boolean): Record<string, string> {
  const resolver = '/etc/resolv.conf';
  if (!network || !existsSync(resolver)) return smallFiles;
  return { ...smallFiles, [resolver]: readFileSync(resolver, 'utf8') };
}

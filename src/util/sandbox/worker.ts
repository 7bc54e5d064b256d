/**
 * Starts the processes that work on bytes from outside: the SQL of an agent, documents, HTML, XML. A worker sees Node,
 * Helve's own code and libraries, and the files it is given; it has no network and no environment, and sees no other process.
 * Where bubblewrap is not available, Node's permission model is used for workers that need less protection: it keeps a
 * worker from other files and from starting programs, but it cannot confine native code and does not block the network.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HelveError } from '../../domain/errors.js';
import type { MachineCheck } from '../../domain/reach.js';
import type { WorkerFile } from '../../domain/workers.js';
import { descriptors } from './inherited.js';
import { feed, prlimit } from './launch.js';
import { type Confinement, examineMachine, hostFacts } from './machine.js';
import { maskedFiles, sameAsHost } from './sandbox-view.js';
import { seccompFilter } from './seccomp.js';

export interface WorkerPlan {
  /** Path of the script that Node runs, and its arguments. */
  readonly program: readonly string[];
  /** Maximum size of the JavaScript heap, in megabytes. */
  readonly heapMb: number;
  /** Maximum memory of any kind, in megabytes; enforced by the kernel, and only under bubblewrap. */
  readonly memoryMb: number;
  readonly files: readonly WorkerFile[];
}

/** `bubblewrap` undefined: the machine cannot confine, for the reason given. */
export type WorkerConfinement =
  | { readonly bubblewrap: Confinement }
  | { readonly bubblewrap: undefined; readonly reason: HelveError };

const examined = new Map<string, Promise<WorkerConfinement>>();
/** A machine that could not confine may be repaired while Helve runs. */
const askAgainMs = 10_000;

/** What confines the workers on this machine. Found out once for each path of bubblewrap. */
export function findWorkerConfinement(): Promise<WorkerConfinement> {
  const facts = hostFacts();
  const place = facts.find('bwrap') ?? '';
  const known = examined.get(place);
  if (known) return known;
  const asking = examineMachine(facts).then(
    // The user is root outside, without root's privileges: a worker must be able to read a file of root's that it is given.
    (bubblewrap): WorkerConfinement => ({ bubblewrap: { ...bubblewrap, identity: undefined } }),
    (reason: HelveError): WorkerConfinement => {
      setTimeout(() => examined.delete(place), askAgainMs).unref();
      return { bubblewrap: undefined, reason };
    },
  );
  examined.set(place, asking);
  return asking;
}

/** For `helve doctor`. */
export async function checkWorkers(): Promise<MachineCheck> {
  const confinement = await findWorkerConfinement();
  const check = 'workers';
  if (confinement.bubblewrap) {
    const detail = 'what reads documents, HTML, XML and SQLite databases is confined by bubblewrap';
    return { check, ok: true, detail };
  }
  const { message, hint } = confinement.reason;
  const detail = `query_database is off for SQLite; workers that read documents, HTML and XML are confined only by Node's permission model. ${message}. ${hint ?? ''}`;
  return { check, ok: false, detail: detail.trim() };
}

export function startWorker({ bubblewrap }: WorkerConfinement, plan: WorkerPlan): ChildProcess {
  return bubblewrap ? startInBubblewrap(bubblewrap, plan) : startUnderPermissions(plan);
}

/**
 * V8 compiles a function of WebAssembly a second time after this much work, by default after 1,800,000. Each step back in a
 * function counts with its length in bytes, and the loop of the engine of programs is one huge function, whose second
 * compilation takes 0.15 s and makes programs 8 % faster. Most workers end before that is worth its price. This is the maximum.
 */
const wasmTieringBudget = 2_147_483_647;

const nodeArguments = ({ heapMb, program }: WorkerPlan): string[] => [
  `--max-old-space-size=${heapMb}`,
  '--stack-size=3000',
  `--wasm-tiering-budget=${wasmTieringBudget}`,
  ...program,
];

const argumentsAt = 3;
const filterAt = 4;
const channelAt = 5;
/** `/tmp` of a worker, held in memory. */
const scratchMb = 64;
const sandboxUser = '1000';

function startInBubblewrap(confinement: Confinement, plan: WorkerPlan): ChildProcess {
  const stdio: ('pipe' | 'ignore' | 'ipc' | number)[] = descriptors(channelAt + 1, confinement.inherited);
  stdio[0] = 'ignore';
  stdio[1] = 'ignore';
  stdio[channelAt] = 'ipc';
  const node = realpathSync(process.execPath);
  const command = [node, ...nodeArguments(plan)];
  const child = spawn(
    prlimit,
    [...kernelLimits(plan), '--', confinement.bubblewrap, '--args', String(argumentsAt), '--', ...command],
    { cwd: '/', env: {}, detached: true, serialization: 'advanced', stdio },
  );
  if (child.pid === undefined) return child;
  feed(child, argumentsAt, Buffer.from(`${view(node, plan.files).join('\0')}\0`));
  feed(child, filterAt, seccompFilter(confinement.architecture));
  return child;
}

function kernelLimits({ memoryMb }: WorkerPlan): string[] {
  return [`--data=${memoryMb * 1_048_576}`, '--nofile=256', '--core=0', '--memlock=65536', '--msgqueue=0'];
}

/** Where `require` looks for packages that are not beside Helve's code. */
function packagePath(files: readonly WorkerFile[]): Record<string, string> {
  const places = files.flatMap(({ source, packages }) => (packages ? [source] : []));
  return places.length === 0 ? {} : { NODE_PATH: places.join(delimiter) };
}

/** Libraries that Node itself needs. No programs: only Node can be started inside. */
const systemLibraries = [
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/usr/local/lib',
];

function view(node: string, files: readonly WorkerFile[]): string[] {
  return [
    '--seccomp',
    String(filterAt),
    '--unshare-all',
    '--unshare-user',
    '--disable-userns',
    '--die-with-parent',
    '--new-session',
    '--clearenv',
    '--hostname',
    'sandbox',
    '--uid',
    sandboxUser,
    '--gid',
    sandboxUser,
    '--setenv',
    'NODE_CHANNEL_FD',
    String(channelAt),
    '--setenv',
    'NODE_CHANNEL_SERIALIZATION_MODE',
    'advanced',
    ...Object.entries(packagePath(files)).flatMap(([name, value]) => ['--setenv', name, value]),
    ...systemLibraries.flatMap(sameAsHost),
    ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d'].flatMap((path) => ['--ro-bind-try', path, path]),
    '--proc',
    '/proc',
    ...maskedFiles.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    '--dev',
    '/dev',
    '--perms',
    '1777',
    '--size',
    String(scratchMb * 1_048_576),
    '--tmpfs',
    '/tmp',
    '--ro-bind',
    node,
    node,
    ...codePaths().flatMap((path) => ['--ro-bind', path, path]),
    ...files.flatMap(({ source, target = source, writable }) => [writable ? '--bind' : '--ro-bind', source, target]),
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    '/tmp',
  ];
}

/** Helve's code and its libraries: its `dist` (or `src`), its `package.json`, and `node_modules` in each folder above. */
function codePaths(): string[] {
  const code = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  const above: string[] = [];
  for (let folder = dirname(code); ; folder = dirname(folder)) {
    above.push(join(folder, 'node_modules'));
    if (folder === dirname(folder)) break;
  }
  const found = [code, join(dirname(code), 'package.json'), ...above].filter((path) => existsSync(path));
  return [...new Set(found.flatMap((path) => [path, realpathSync(path)]))];
}

/** In Node 20 and 22 the flag still has its older name. */
const permissionFlag =
  Number(process.versions.node.split('.', 1)[0]) >= 24 ? '--permission' : '--experimental-permission';

function startUnderPermissions(plan: WorkerPlan): ChildProcess {
  const read = [...codePaths(), ...plan.files.map(({ source }) => source)];
  const flags = [permissionFlag, '--allow-worker', ...read.map((path) => `--allow-fs-read=${path}`)];
  return spawn(process.execPath, [...flags, ...nodeArguments(plan)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    env: packagePath(plan.files),
    cwd: tmpdir(),
  });
}

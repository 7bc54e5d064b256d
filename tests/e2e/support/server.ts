/** A real `bin/helve.js` as a child process, with its output, and the command line beside it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
export const program = join(root, 'bin/helve.js');

/** These tests run the shipped code, which is the built one. */
function requireBuild(): void {
  if (!existsSync(join(root, 'dist/surfaces/cli/main.js'))) {
    throw new Error('dist/ is missing: run `npm run build` first (`npm test` does)');
  }
}

/** Passes none of the developer's own settings to the child. */
export function cleanEnvironment(more: Record<string, string> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => !/^(HELVE_|TOOL_RESULT)/.test(entry[0]) && entry[1] !== undefined,
  );
  return { ...Object.fromEntries(kept), ...more };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Child {
  readonly process: ChildProcess;
  stdout: string;
  stderr: string;
  readonly ended: Promise<Ended>;
}

const running = new Set<ChildProcess>();

function start(args: readonly string[], environment: Record<string, string>): Child {
  requireBuild();
  const started = spawn(process.execPath, [program, ...args], {
    env: cleanEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(started);
  const child: Child = { process: started, stdout: '', stderr: '', ended: new Promise(() => undefined) };
  started.stdout?.on('data', (chunk) => {
    child.stdout += chunk;
  });
  started.stderr?.on('data', (chunk) => {
    child.stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    started.once('error', reject);
    started.once('close', (code) => {
      running.delete(started);
      resolve({ code, stdout: child.stdout, stderr: child.stderr });
    });
  });
  return Object.assign(child, { ended });
}

/** Runs one command to its end. */
export function run(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  return start(args, environment).ended;
}

export interface Server {
  readonly url: string;
  readonly mcpUrl: string;
  /** The one-time link as printed. */
  readonly adminLink: string;
  /** Only at the first start. */
  readonly token: string | undefined;
  readonly pid: number;
  output(): string;
  stop(signal?: NodeJS.Signals): Promise<Ended & { readonly milliseconds: number }>;
}

/** Waits until the server has announced its start. Rejects, with its output, if the process ends before. */
export async function serve(
  dataDir: string,
  more: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<Server> {
  const child = start(['serve', '--port', '0', '--data', dataDir, ...more], environment);
  await new Promise<void>((resolve, reject) => {
    child.process.stdout?.on('data', () => child.stdout.includes('Stop with Ctrl-C') && resolve());
    child.ended.then(({ stdout, stderr }) => reject(new Error(`It did not start:\n${stdout}${stderr}`)), reject);
  });
  const word = (label: string): string | undefined =>
    new RegExp(`^${label}\\s+(\\S+)`, 'm').exec(child.stdout)?.[1] ?? undefined;
  return {
    url: word('Helve serves at') ?? '',
    mcpUrl: word('MCP') ?? '',
    adminLink: word('Admin \\(once\\)') ?? '',
    token: word('Agent token')?.startsWith('helve_') ? word('Agent token') : undefined,
    pid: child.process.pid ?? 0,
    output: () => child.stdout,
    async stop(signal = 'SIGTERM') {
      const from = performance.now();
      child.process.kill(signal);
      const ended = await child.ended;
      return { ...ended, milliseconds: performance.now() - from };
    },
  };
}

/** Ends the processes that a failed test left behind. */
export function killChildren(): void {
  for (const child of running) child.kill('SIGKILL');
}

const folders: string[] = [];

export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `helve-${name}-`));
  folders.push(folder);
  return folder;
}

export async function removeTemporaryFolders(): Promise<void> {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
}

/**
 * A person who has only Node and follows a page word for word: one shell, and other terminals in the same folder. Put in the place
 * of what the page says are the package, which comes from this repository instead of the registry, and a free port.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '../e2e/support/packed.js';
import { readSnippets } from './snippets.js';

export interface Walk {
  /** The commands of the page, block by block. */
  readonly blocks: readonly string[];
  /** Runs commands and returns what they print. The shell keeps its folder and variables. Throws if one fails. */
  run(commands: string): Promise<string>;
  /** Runs a block of the page: in another terminal if its first line says so, until it is there. */
  follow(block: string): Promise<string>;
  end(): Promise<void>;
}

/** `environment`: what the person has set before. */
export async function startWalk(page: string, environment: Record<string, string> = {}): Promise<Walk> {
  const base = await mkdtemp(join(tmpdir(), 'helve-walk-'));
  const packed = await pack(base);
  const port = await freePort();
  const env = { ...packed.environment, HELVE_PORT: port, ...environment };
  const state = join(base, 'state.sh');
  const others: ChildProcess[] = [];

  async function run(commands: string): Promise<string> {
    const script = `[ -f ${state} ] && . ${state}; set -e\n${commands}\n{ echo "cd $PWD"; export -p; } > ${state}`;
    const { child, said } = start(script, base, env);
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`Exit code ${code}:\n${commands}\n${said()}`);
    return said();
  }

  async function open(commands: string): Promise<string> {
    const folder = /^cd (.*)$/m.exec(await readFile(state, 'utf8'))?.[1] ?? base;
    const { child, said } = start(commands, folder, env);
    others.push(child);
    return new Promise((resolve, reject) => {
      const look = (): void => (/Server started|Stop with Ctrl-C/.test(said()) ? resolve(said()) : undefined);
      child.stdout?.on('data', look);
      child.stderr?.on('data', look);
      child.once('close', () => reject(new Error(`It ended:\n${commands}\n${said()}`)));
    });
  }

  return {
    blocks: readSnippets(page).flatMap(({ language, text }) => (language === 'sh' ? [text] : [])),
    run,
    follow(block) {
      const commands = block.replace('npm install helve', `npm install ${packed.tarball}`).replaceAll('4870', port);
      return /^# in a (?:second|third) terminal/.test(commands) ? open(commands) : run(commands);
    },
    async end() {
      for (const { pid } of others) if (pid !== undefined) endGroup(pid);
      await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function start(script: string, cwd: string, env: Record<string, string>) {
  const child = spawn('bash', ['-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const add = (chunk: Buffer): void => {
    text += chunk;
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  return { child: child as ChildProcess, said: () => text };
}

/** Each terminal has a process group of its own. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

export async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

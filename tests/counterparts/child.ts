/** Counterparts run in separate processes, on loopback and a free port. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface Counterpart {
  readonly url: string;
  close(): Promise<void>;
}

const patienceMs = 60_000;

/** Starts Node with these arguments and waits until it prints its address. */
export async function startChild(
  args: readonly string[],
  says: RegExp,
  environment: Readonly<Record<string, string>> = {},
): Promise<Counterpart> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...environment },
  });
  const url = await addressOf(child, says).catch(async (error: unknown) => {
    await stop(child);
    throw error;
  });
  return { url, close: () => stop(child) };
}

function addressOf(child: ChildProcess, says: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`It did not start in time: ${said}`)), patienceMs);
    const listen = (chunk: Buffer) => {
      // After the start its output is read and dropped, so that it never blocks.
      if (said.length < 100_000) said += chunk.toString('utf8');
      const address = says.exec(said)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`It ended with ${code}: ${said}`));
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** prism answers for a document on loopback, and refuses what the document does not allow. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Prism {
  readonly url: string;
  close(): Promise<void>;
}

export async function startPrism(document: unknown): Promise<Prism> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-openapi-'));
  const file = join(folder, 'document.json');
  await writeFile(file, JSON.stringify(document));
  const command = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
  const child = spawn(process.execPath, [command, 'mock', '-h', '127.0.0.1', '-p', '0', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH },
  });
  const close = async (): Promise<void> => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { url: await addressOf(child), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`prism did not start in time: ${said}`)), 25_000);
    const listen = (chunk: Buffer): void => {
      if (said.length < 100_000) said += chunk.toString();
      const address = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`prism ended with ${code}: ${said}`));
    });
  });
}

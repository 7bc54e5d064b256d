/**
 * docs/start.md, word for word: each command in its order, in a shell of a person who has only Node. Put in their place are the
 * package, which comes from this repository instead of the registry, free ports, and the id that a list has just shown. The model is
 * scripted; the AI SDK, its HTTP and MCP, and the service with its accounts are real.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startScriptedModel } from '../../examples/support/scripted-model.js';
import { type Packed, pack } from '../e2e/support/packed.js';
import { root } from './snippets.js';

let base: string;
let packed: Packed;
const running: ChildProcess[] = [];
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'helve-start-'));
  packed = await pack(base);
}, 120_000);
afterAll(async () => {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  await rm(base, { recursive: true, force: true });
});

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

/** Starts a program of another terminal; resolves when it has said that it is there. */
async function open(commands: string, cwd: string, environment: Record<string, string>): Promise<void> {
  const child = spawn('bash', ['-c', commands], {
    cwd,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  await new Promise<void>((resolve, reject) => {
    let said = '';
    const read = (chunk: Buffer): void => {
      said += chunk;
      if (/Server started|Stop with Ctrl-C/.test(said)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('close', () => reject(new Error(`It ended:\n${commands}\n${said}`)));
  });
}

/** A shell that keeps its folder and its variables from one block to the next. Fails with a command that fails. */
function createShell(environment: Record<string, string>) {
  const state = join(base, 'state.sh');
  return async (commands: string): Promise<string> => {
    const script = `[ -f ${state} ] && . ${state}; set -e\n${commands}\n{ echo "cd $PWD"; export -p; } > ${state}`;
    const child = spawn('bash', ['-c', script], { cwd: base, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`Exit code ${code}:\n${commands}\n${said}`);
    return said;
  };
}

test('R-operate: who follows docs/start.md word for word has an agent with two accounts, and a call that a person approved', async () => {
  const page = await readFile(`${root}docs/start.md`, 'utf8');
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  expect(blocks).toHaveLength(9);
  const customer = { name: 'america__create_customer', arguments: { email: 'ada@example.com' } };
  const lists = ['europe__list_customers', 'america__list_customers'].map((name) => ({ name, arguments: {} }));
  const model = await startScriptedModel([{ calls: lists }, { calls: [customer] }, { text: 'Asked for.' }]);
  const [port, servicePort] = [await freePort(), await freePort()];
  const environment = {
    ...packed.environment,
    OPENAI_API_KEY: 'scripted',
    OPENAI_BASE_URL: `${model.url}/v1`,
    HELVE_PORT: port,
  };
  const shell = createShell(environment);
  const customers = async (): Promise<string[]> => {
    const headers = { authorization: 'Bearer sk_test_america123' };
    const answer = await (await fetch(`http://127.0.0.1:${servicePort}/v1/customers`, { headers })).json();
    return answer.data.map(({ email }: { email: string }) => email);
  };
  const said: string[] = [];
  for (const block of blocks) {
    const waiting = block.includes('approve ID') ? await shell('npx helve approvals') : '';
    if (waiting !== '') expect(await customers()).toEqual([]);
    const commands = block
      .replace('npm install helve', `npm install ${packed.tarball}`)
      .replaceAll('8011', servicePort)
      .replaceAll('4870', port)
      .replace('approve ID', `approve ${/^[0-9a-f-]{36}/m.exec(waiting)?.[0]}`);
    const isOther = /^# in a (?:second|third) terminal/.test(commands);
    if (isOther) await open(commands, join(base, 'my-tools'), environment);
    else said.push(await shell(commands));
  }
  expect(await customers()).toEqual(['ada@example.com']);
  expect(said.at(-1)).toMatch(/approval\.decided[\s\S]* rows, unbroken/);
  // The approval was for one call.
  expect(await shell('npx helve approvals')).not.toContain('america');
  await shell('node agent.mjs');
  expect(await customers()).toEqual(['ada@example.com']);
  expect(await shell('npx helve approvals')).toContain('america');
  await model.stop();
}, 240_000);

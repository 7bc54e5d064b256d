/**
 * The Inspector's command line. Version 0.15.0, the last that runs on Node 20.19, cannot send a header: over HTTP it
 * uses a forwarder here that adds the caller's token and changes nothing else.
 */
import { spawn } from 'node:child_process';
import { createServer, request as send } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { cleanEnvironment, program } from './server.js';

const folder = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/cli/build/cli.js'));

async function inspect(target: readonly string[], tool: string, input: Record<string, unknown>): Promise<unknown> {
  const pairs = Object.entries(input).flatMap(([name, value]) => ['--tool-arg', `${name}=${value}`]);
  const args = [...target, '--method', 'tools/call', '--tool-name', tool, ...pairs];
  const child = spawn(process.execPath, [join(folder, 'cli.js'), '--cli', ...args], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  try {
    return JSON.parse(stdout);
  } catch (cause) {
    throw new Error(`The Inspector said: ${stdout}${stderr}`, { cause });
  }
}

export function inspectStdio(dataDir: string, agent: string, tool: string, input: Record<string, unknown>) {
  const server = ['node', program, 'serve', '--stdio', '--agent', agent, '--data', dataDir];
  return inspect(server, tool, input);
}

export async function inspectHttp(mcpUrl: string, token: string, tool: string, input: Record<string, unknown>) {
  const target = new URL(mcpUrl);
  const forwarder = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: target.host, authorization: `Bearer ${token}` };
    const onward = send(target, { method: incoming.method ?? 'GET', headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => forwarder.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = forwarder.address() as AddressInfo;
    return await inspect([`http://127.0.0.1:${port}${target.pathname}`, '--transport', 'http'], tool, input);
  } finally {
    forwarder.closeAllConnections();
    await new Promise((resolve) => forwarder.close(resolve));
  }
}

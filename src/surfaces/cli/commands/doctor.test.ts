/** What `helve doctor` says of a server that cannot give its list. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import type { CliSettings } from '../context.js';
import { addDoctor } from './doctor.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  process.exitCode = 0;
  for (const end of ends.splice(0)) await end();
});

async function askDoctor(url: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'helve-doctor-'));
  ends.push(() => rm(dataDir, { recursive: true }));
  await writeFile(join(dataDir, 'cli.json'), JSON.stringify({ url, key: 'helve_key_a' }), { mode: 0o600 });
  let printed = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  const program = new Command();
  addDoctor(program, { dataDir } as CliSettings);
  await program.parseAsync(['doctor'], { from: 'user' }).finally(() => write.mockRestore());
  return printed.split('\n').find((line) => line.includes('failed')) ?? '';
}

async function serve(status: number, code: string, detail: string): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ code, detail, status }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ends.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('R-operate: a server that runs without its store, or with other keys, is not said to be down', async () => {
  const gone = await serve(503, 'storage_failed', 'The store cannot be read or written.');
  expect(await askDoctor(gone)).toMatch(/cannot be read or written\. Look at the log of the server/);
  const other = await serve(401, 'unauthenticated', 'The credential is unknown.');
  expect(await askDoctor(other)).toMatch(/credential is unknown\. .*start helve serve again/);
  expect(await askDoctor('http://127.0.0.1:1')).toMatch(/does not respond\. Is it running\?/);
});

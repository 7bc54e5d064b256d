/** What a tool's configuration may open, and the endpoints to which a tool connects. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createReach } from './reach.js';

let server: Server;
let port: number;
beforeEach(async () => {
  server = createServer((socket) => socket.end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as { port: number }).port;
});
afterEach(() => new Promise((done) => server.close(done)));

type Endpoints = Parameters<ReturnType<typeof createReach>['connector']>[0];

async function connect(host: string, to: number, { named = [], own = [] }: { named?: Endpoints; own?: Endpoints }) {
  const reach = createReach({ keptFiles: { secret: [], plain: [] } } as never, (limits) => limits);
  const connector = reach.connector(named, own, new AbortController().signal);
  return connector.connect({ host, port: to, tls: false } as never).then(
    (socket) => {
      socket.destroy();
      return 'connected';
    },
    (error) => `${error.code}: ${error.message}`,
  );
}

test('attack: another host or another port than those in the settings is not reached', async () => {
  const named = [{ host: '127.0.0.1', port, tls: false }] as never;
  expect(await connect('127.0.0.1', port, { named })).toBe('connected');
  for (const [host, to] of [
    ['127.0.0.1', port + 1],
    ['localhost', port],
  ] as const)
    for (const given of [{ named }, { own: named }, {}])
      expect(await connect(host, to, given)).toBe(`egress_blocked: ${host}:${to} is not in the settings`);
  // An account's own endpoints may be public ones only.
  expect(await connect('127.0.0.1', port, { own: named })).toMatch(/^egress_blocked: (?!.*settings)/);
});

test('attack: a configuration that opens a file of Helve, for files or for commands, is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'helve-reach-'));
  const [own, other] = ['own', 'other'].map((name) => join(folder, name)) as [string, string];
  for (const path of [own, other]) mkdirSync(path);
  const { checkReach } = createReach({ keptFiles: { secret: [own], plain: [] } } as never, (limits) => limits);
  const files = (path: string) => ({ files: { allowedPaths: [`${path}/**`], maxBytes: 1, writable: false } });
  const commands = (path: string) => ({ commands: { readPaths: [path] } }) as never;
  for (const opening of [files, commands]) {
    await expect(checkReach(opening(own))).rejects.toMatchObject({ code: 'invalid_config' });
    await checkReach(opening(other));
  }
  rmSync(folder, { recursive: true });
});

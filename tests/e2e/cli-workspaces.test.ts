/** `helve workspaces`, against a real server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killChildren, removeTemporaryFolders, run, type Server, serve, temporaryFolder } from './support/server.js';

let dataDir: string;
let server: Server;
beforeAll(async () => {
  dataDir = await temporaryFolder('cli-workspaces');
  server = await serve(dataDir);
});
afterAll(async () => {
  await server.stop();
  killChildren();
  await removeTemporaryFolders();
});

test('R-people R-cli: a workspace is added while the server runs, and its admin signs in to it alone', async () => {
  const helve = (...args: string[]) => run([...args, '--data', dataDir]);
  const added = await helve('workspaces', 'create', 'team', '--admin', 'Ben', '--email', 'ben@example.com');
  expect([added.code, added.stdout]).toEqual([0, expect.stringContaining('Created team. Ben signs in')]);
  const { origin, searchParams } = new URL(/http:\S+/.exec(added.stdout)?.[0] ?? '');
  const redeemed = await fetch(`${origin}/admin/login`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ token: searchParams.get('token') ?? '' }),
    redirect: 'manual',
  });
  const cookie = redeemed.headers.get('set-cookie')?.split(';')[0] ?? '';
  const ask = async (path: string) => (await fetch(origin + path, { headers: { cookie } })).json();
  expect(await ask('/api/session')).toMatchObject({
    user: { name: 'Ben', role: 'admin' },
    workspace: { name: 'team' },
  });
  expect(await ask('/api/agents')).toEqual({ agents: [] });
  expect((await helve('workspaces')).stdout).toMatch(/default[\s\S]+team/);
  expect((await helve('workspaces', 'create', 'team', '--admin', 'Eve')).code).toBe(1);
  expect((await helve('workspaces', 'create', 'more')).code).toBe(2);
});

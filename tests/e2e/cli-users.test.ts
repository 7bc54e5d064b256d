/** `helve users` and the sign-in link, against a real server: a browser's requests, by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killChildren, removeTemporaryFolders, run, type Server, serve, temporaryFolder } from './support/server.js';

let dataDir: string;
let server: Server;
beforeAll(async () => {
  dataDir = await temporaryFolder('cli-users');
  server = await serve(dataDir);
});
afterAll(async () => {
  await server.stop();
  killChildren();
  await removeTemporaryFolders();
});

const helve = (...args: string[]) => run([...args, '--data', dataDir]);

/** Opens the link as a browser does. Returns its session cookie. */
async function signIn(link: string): Promise<string> {
  const { origin, searchParams } = new URL(link);
  const body = new URLSearchParams({ token: searchParams.get('token') ?? '' });
  const reply = await fetch(`${origin}/admin/login`, {
    method: 'POST',
    headers: { origin },
    body,
    redirect: 'manual',
  });
  return reply.headers.get('set-cookie')?.split(';')[0] ?? '';
}

test('R-people R-cli: a key with a role may do what the role may', async () => {
  const made = await helve('key', 'reports', '--role', 'auditor');
  expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^helve_key_[\w-]{43}\n$/)]);
  const { origin } = new URL((await helve('admin')).stdout.match(/http:\S+/)?.[0] ?? '');
  const ask = async (method: string, path: string) =>
    (await fetch(origin + path, { method, headers: { authorization: `Bearer ${made.stdout.trim()}` } })).status;
  expect([await ask('GET', '/api/agents'), await ask('DELETE', '/api/agents/first')]).toEqual([200, 403]);
  expect((await helve('key', 'both', '--role', 'admin', '--permissions', 'tools:read')).code).toBe(2);
  expect((await helve('key', 'none')).code).toBe(2);
});

test('R-people R-cli: somebody is invited, signs in with the link once, is disabled and removed', async () => {
  const added = await helve('users', 'add', 'Ada', '--role', 'auditor', '--email', 'ada@example.com');
  expect([added.code, added.stdout]).toEqual([0, expect.stringContaining('Invited Ada as auditor.\nhttp://')]);
  const link = /http:\S+/.exec(added.stdout)?.[0] ?? '';
  const { origin } = new URL(link);
  const cookie = await signIn(link);
  expect(await signIn(link)).toBe('');
  const ask = (path: string, more: RequestInit = {}) => fetch(origin + path, { ...more, headers: { cookie, origin } });
  const session = (await (await ask('/api/session')).json()) as { user: { id: string } };
  expect(session).toMatchObject({
    user: { name: 'Ada', role: 'auditor' },
    permissions: expect.arrayContaining(['audit:read']),
  });
  const { id } = session.user;
  expect((await ask('/api/agents')).status).toBe(200);
  expect((await ask('/api/agents/first', { method: 'DELETE' })).status).toBe(403);
  expect((await helve('users')).stdout).toMatch(new RegExp(`${id} +Ada +ada@example.com +auditor +active`));
  expect((await helve('users', 'change', 'Ada', '--role', 'member')).stdout).toBe('Ada: member, active\n');
  expect((await ask('/api/agents')).status).toBe(403);
  expect((await helve('users', 'change', id, '--disable')).stdout).toBe('Ada: member, disabled\n');
  expect((await ask('/api/session')).status).toBe(401);
  expect((await helve('users', 'link', id)).code).toBe(1);
  expect((await helve('users', 'remove', id)).stdout).toBe('Removed.\n');
  expect((await helve('users', 'remove', id)).code).toBe(5);
  expect((await helve('users', 'add', 'Ben', '--role', 'king')).code).toBe(2);
});

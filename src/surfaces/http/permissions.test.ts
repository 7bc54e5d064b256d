/** What a key can create, over REST: never more permissions than its own, never for longer than it lives. */
import { beforeEach, describe, expect, test } from 'vitest';
import { allPermissions, type Permission } from '../../domain/principal.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { createHttpApp, type HttpApp } from './index.js';

let helve: TestHelve;
let app: HttpApp;
let ran: number;

beforeEach(async () => {
  ran = 0;
  const execute = async () => {
    ran += 1;
    return {};
  };
  helve = await createTestHelve({ tools: [testTool({ name: 'echo', execute })] });
  app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
});

async function keyWith(permissions: readonly Permission[], expiresInSeconds?: number) {
  return helve.plane.createApiKey(helve.admin, {
    permissions,
    ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
  });
}

async function send(secret: string, method: string, path: string, body?: unknown) {
  const response = await app.request(path, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const isGood = async (secret: string): Promise<boolean> => {
  const { status } = await send(secret, 'GET', '/api/tools/workspace');
  return status !== 401;
};

describe('minting the token of an agent', () => {
  const needed: readonly Permission[] = ['agents:write', 'agents:act', 'tools:read', 'tools:call'];

  test.each(needed)('R-rest: a key without %s is refused, and no token exists afterwards', async (missing) => {
    const { secret } = await keyWith(needed.filter((permission) => permission !== missing));
    const before = (await helve.plane.credentials(helve.admin)).length;
    expect((await send(secret, 'POST', '/api/agents/tester/tokens', {})).status).toBe(403);
    expect(await helve.plane.credentials(helve.admin)).toHaveLength(before);
  });

  test('R-rest: a key that holds all that the token allows gets one, and it calls', async () => {
    const { secret } = await keyWith(needed);
    const minted = await send(secret, 'POST', '/api/agents/tester/tokens', {});
    expect(minted.status).toBe(201);
    expect((await send(minted.body.secret, 'POST', '/api/tools/execute', { tool: 'echo' })).status).toBe(200);
    expect(ran).toBe(1);
  });
});

describe('acting as an agent', () => {
  test('R-rest: agents:act without tools:call calls nothing, by REST and by the plane', async () => {
    for (const permissions of [['agents:act'], ['agents:act', 'tools:read']] as const) {
      const { secret } = await keyWith(permissions);
      const { status } = await send(secret, 'POST', '/api/tools/execute', { tool: 'echo', agent: 'tester' });
      expect(status).toBe(403);
      const actor = await helve.plane.actAs(await helve.plane.authenticate(secret), 'tester');
      const result = await helve.plane.execute({ principal: actor, tool: 'echo', input: {} });
      expect(result).toMatchObject({ ok: false, error: { code: 'not_granted' } });
    }
    expect(ran).toBe(0);
  });

  test('R-rest: agents:act without tools:read lists nothing', async () => {
    const { secret } = await keyWith(['agents:act', 'tools:call']);
    const actor = await helve.plane.actAs(await helve.plane.authenticate(secret), 'tester');
    await expect(helve.plane.tools(actor)).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('R-rest: with both, the call is made', async () => {
    const { secret } = await keyWith(['agents:act', 'tools:call']);
    const { status } = await send(secret, 'POST', '/api/tools/execute', { tool: 'echo', agent: 'tester' });
    expect([status, ran]).toEqual([200, 1]);
  });
});

describe('a child and its parent', () => {
  /** Everything a key can create, and a proof that it works: each is created by a key with every permission. */
  const children: Readonly<Record<string, (parent: string) => Promise<string>>> = {
    'an API key': async (parent) =>
      (await send(parent, 'POST', '/api/keys', { permissions: ['tools:read'] })).body.secret,
    "an agent's token": async (parent) => (await send(parent, 'POST', '/api/agents/tester/tokens', {})).body.secret,
    'a session': async (parent) => sessionOf(parent),
    'a key of a key': async (parent) => {
      const child = await send(parent, 'POST', '/api/keys', { permissions: allPermissions });
      return (await send(child.body.secret, 'POST', '/api/keys', { permissions: ['tools:read'] })).body.secret;
    },
    'a key of a session': async (parent) =>
      (await send(await sessionOf(parent), 'POST', '/api/keys', { permissions: ['tools:read'] })).body.secret,
  };

  async function sessionOf(parent: string): Promise<string> {
    const link = await send(parent, 'POST', '/api/admin-links');
    return (await helve.plane.redeemAdminLink(link.body.secret)).session;
  }

  test.each(Object.entries(children))('R-rest: %s ends with a key of 60 seconds', async (_, make) => {
    const { secret } = await keyWith(allPermissions, 60);
    const child = await make(secret);
    helve.advance(59_000);
    expect(await isGood(child)).toBe(true);
    helve.advance(2_000);
    expect(await isGood(child)).toBe(false);
  });

  test.each(Object.entries(children))('R-rest: %s ends when its key is revoked', async (_, make) => {
    const { secret, credential } = await keyWith(allPermissions);
    const other = await keyWith(allPermissions);
    const [child, stranger] = [await make(secret), await make(other.secret)];
    expect([await isGood(child), await isGood(stranger)]).toEqual([true, true]);
    await helve.plane.revokeCredential(helve.admin, credential.id);
    expect([await isGood(child), await isGood(stranger)]).toEqual([false, true]);
  });

  test('R-rest: an unused link ends with the key that created it', async () => {
    const { secret, credential } = await keyWith(allPermissions);
    const link = await send(secret, 'POST', '/api/admin-links');
    await helve.plane.revokeCredential(helve.admin, credential.id);
    await expect(helve.plane.redeemAdminLink(link.body.secret)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('R-rest: a key that is revoked while it makes another leaves none behind', async () => {
    const { secret, credential } = await keyWith(allPermissions);
    const parent = await helve.plane.authenticate(secret);
    await helve.plane.revokeCredential(helve.admin, credential.id);
    await expect(helve.plane.createApiKey(parent, { permissions: ['tools:read'] })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    const live = (await helve.plane.credentials(helve.admin)).filter(({ revokedAt }) => revokedAt === undefined);
    expect(live.filter(({ kind }) => kind === 'api_key')).toEqual([]);
  });

  test('R-rest: what a person creates outlives the session in which it was created', async () => {
    const { session } = await helve.plane.redeemAdminLink(await helve.adminLink(helve.workspaceId));
    const made = await send(session, 'POST', '/api/keys', { permissions: ['tools:read'] });
    const { id } = (await helve.plane.credentials(helve.admin)).filter(({ kind }) => kind === 'session').at(-1)!;
    await helve.plane.revokeCredential(helve.admin, id);
    expect([await isGood(session), await isGood(made.body.secret)]).toEqual([false, true]);
  });
});

describe('revoking', () => {
  const minting = ['agents:write', 'agents:act', 'tools:read', 'tools:call'] as const;

  async function victims() {
    const { session } = await helve.plane.redeemAdminLink(await helve.adminLink(helve.workspaceId));
    const key = await keyWith(['tools:read', 'audit:read']);
    const token = await helve.plane.issueAgentToken(helve.admin, 'tester', {});
    const sessions = (await helve.plane.credentials(helve.admin)).filter(({ kind }) => kind === 'session');
    return {
      session: { secret: session, id: sessions.at(-1)!.id },
      key: { secret: key.secret, id: key.credential.id },
      token: { secret: token.secret, id: token.credential.id },
    };
  }

  test.each([
    ['session', allPermissions.filter((one) => one !== 'audit:read')],
    ['key', ['keys:write', 'tools:read']],
    ['token', ['keys:write', ...minting.slice(1)]],
  ] as const)('R-rest: a %s that the key could not have made stays', async (kind, permissions) => {
    const victim = (await victims())[kind];
    const { secret } = await keyWith(permissions);
    expect((await send(secret, 'DELETE', `/api/credentials/${victim.id}`)).status).toBe(403);
    expect(await isGood(victim.secret)).toBe(true);
  });

  test.each([
    ['session', allPermissions],
    ['key', ['keys:write', 'tools:read', 'audit:read']],
    ['token', ['keys:write', ...minting]],
  ] as const)('R-rest: a %s that the key could have made ends', async (kind, permissions) => {
    const victim = (await victims())[kind];
    const { secret } = await keyWith(permissions);
    expect((await send(secret, 'DELETE', `/api/credentials/${victim.id}`)).status).toBe(204);
    expect(await isGood(victim.secret)).toBe(false);
  });

  test('R-rest: a key revokes itself', async () => {
    const { secret, credential } = await keyWith(['keys:write']);
    expect((await send(secret, 'DELETE', `/api/credentials/${credential.id}`)).status).toBe(204);
    expect(await isGood(secret)).toBe(false);
  });
});

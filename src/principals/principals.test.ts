/** Which secrets authenticate whom, and until when. The store is a few maps that count the queries. */
import { describe, expect, test } from 'vitest';
import { agentPermissions, allPermissions, type Credential, type CredentialKind } from '../domain/principal.js';
import type { ConfigurationTables, Storage, WorkspaceStorage } from '../domain/storage.js';
import { sha256 } from '../util/hash.js';
import { createCredentialActs } from './credentials.js';
import { createAuthenticator, createDirectory, isLive, keyBehind, Misdirected, newCredential } from './index.js';

const start = Date.parse('2026-01-01T00:00:00.000Z');
const user = { kind: 'user', id: 'ada', name: 'Ada' } as const;
const limits = { idleSeconds: 600, absoluteSeconds: 3_600 };

function createScene() {
  let ahead = 0;
  const now = (): Date => new Date(start + ahead);
  const credentials = new Map<string, Credential>();
  const agents = new Map([['a1', { id: 'a1', slug: 'scout', name: 'scout', createdAt: '', managedBy: 'api' }]]);
  const users = new Map([['ada', { id: 'ada', name: 'Ada', role: 'admin', status: 'active' }]]);
  const authorizations = new Map<string, object>();
  const counts = { lookups: 0, uses: 0 };
  const rows: { type: string; body: Record<string, unknown> }[] = [];
  const revoke = async (id: string, at: string): Promise<boolean> => {
    const one = credentials.get(id);
    if (!one || !isLive(one, now())) return false;
    credentials.set(id, { ...one, revokedAt: at });
    return true;
  };
  const workspace = {
    workspaceId: 'w',
    change: async (drafts: never[], work: (tables: ConfigurationTables) => Promise<unknown>) => {
      rows.push(...drafts);
      return work({
        insertCredential: async (one: Credential) => void credentials.set(one.id, one),
        revokeCredential: revoke,
        insertAgent: async (one: { id: string }) => void agents.set(one.id, one as never),
      } as never);
    },
    findAgent: async (id: string) => agents.get(id),
    findUser: async (id: string) => users.get(id),
    listCredentials: async () => [...credentials.values()],
    findCredential: async (id: string) => credentials.get(id),
    takeCredential: revoke,
    noteUse: async (id: string, at: string) => {
      counts.uses += 1;
      const one = credentials.get(id);
      if (one) credentials.set(id, { ...one, lastUsedAt: at });
    },
    authorizations: { find: async (id: string) => authorizations.get(id) },
  } as unknown as WorkspaceStorage;
  const storage = {
    system: {
      findCredential: async (hash: string) => {
        counts.lookups += 1;
        const credential = [...credentials.values()].find((one) => one.hash === hash);
        return credential && { workspaceId: 'w', credential };
      },
    },
    workspace: () => workspace,
  } as unknown as Storage;
  return {
    ...createAuthenticator(storage, now, limits),
    workspace,
    now,
    credentials,
    agents,
    users,
    authorizations,
    counts,
    rows,
    advance: (seconds: number) => {
      ahead += seconds * 1_000;
    },
    add(kind: CredentialKind, more: Partial<Credential> = {}, expiresInSeconds?: number) {
      const of = {
        agent_token: 'a1',
        refresh_token: 'a1',
        user_token: 'ada',
        api_key: undefined,
        admin_link: 'ada',
        session: 'ada',
      }[kind];
      const options = expiresInSeconds === undefined ? {} : { expiresInSeconds };
      const { stored, issued } = newCredential(kind, of, ['tools:read'], options, now());
      credentials.set(stored.id, { ...stored, ...more });
      return { secret: issued.secret, id: stored.id };
    },
  };
}

const refused = { code: 'unauthenticated' };

describe('a secret authenticates a principal', () => {
  test('R-grants: an agent’s token, a key and a session, each authenticates its own principal', async () => {
    const scene = createScene();
    const [token, key, session] = [scene.add('agent_token'), scene.add('api_key'), scene.add('session')];
    expect(await scene.authenticate(token.secret)).toMatchObject({
      kind: 'agent',
      id: 'a1',
      permissions: agentPermissions,
    });
    expect(await scene.authenticate(key.secret)).toMatchObject({
      kind: 'api_key',
      id: key.id,
      credentialId: key.id,
      permissions: ['tools:read'],
    });
    expect(await scene.authenticateSession(session.secret)).toMatchObject({
      kind: 'user',
      id: 'ada',
      permissions: allPermissions,
    });
  });

  test.each([
    'agent_token',
    'api_key',
    'session',
  ] as const)('attack: a %s that has expired, was revoked or is unknown is refused', async (kind) => {
    const scene = createScene();
    const revoked = scene.add(kind, { revokedAt: scene.now().toISOString() });
    const short = scene.add(kind, {}, 60);
    const good = scene.add(kind);
    await expect(scene.authenticate(revoked.secret)).rejects.toMatchObject(refused);
    await expect(
      scene.authenticate(good.secret.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A'))),
    ).rejects.toMatchObject(refused);
    expect(await scene.authenticate(short.secret)).toBeDefined();
    scene.advance(60);
    await expect(scene.authenticate(short.secret)).rejects.toMatchObject(refused);
    expect(await scene.authenticate(good.secret)).toBeDefined();
  });

  test('attack: text without the shape of a secret is refused before the store is queried', async () => {
    const scene = createScene();
    for (const junk of ['', 'x', `helve_other_${'a'.repeat(43)}`, `helve_key_${'a'.repeat(1_000_000)}`])
      await expect(scene.authenticate(junk)).rejects.toMatchObject(refused);
    expect(scene.counts.lookups).toBe(0);
    await expect(scene.authenticate(`helve_key_${'a'.repeat(43)}`)).rejects.toMatchObject(refused);
    expect(scene.counts.lookups).toBe(1);
  });

  test('attack: a token of an agent, and a session of a person, that no longer exist are refused', async () => {
    const scene = createScene();
    const [token, session] = [scene.add('agent_token'), scene.add('session')];
    scene.agents.clear();
    scene.users.clear();
    for (const { secret } of [token, session]) await expect(scene.authenticate(secret)).rejects.toMatchObject(refused);
  });

  test('attack: a link and a refresh token do not authenticate; the cookie accepts only a session; a link is accepted only as a link', async () => {
    const scene = createScene();
    for (const kind of ['admin_link', 'refresh_token'] as const)
      await expect(scene.authenticate(scene.add(kind).secret), kind).rejects.toMatchObject(refused);
    const { secret: renewing } = scene.add('refresh_token', { principalId: 'ada' });
    await expect(scene.authenticate(renewing)).rejects.toMatchObject(refused);
    for (const kind of ['agent_token', 'api_key', 'admin_link', 'refresh_token'] as const)
      await expect(scene.authenticateSession(scene.add(kind).secret), kind).rejects.toMatchObject(refused);
    for (const kind of ['agent_token', 'api_key', 'session', 'refresh_token'] as const) {
      const { secret, id } = scene.add(kind);
      await expect(scene.takeLink(secret), kind).rejects.toMatchObject(refused);
      expect(scene.credentials.get(id)?.revokedAt).toBeUndefined();
    }
  });

  test('attack: a link works once, also for two simultaneous requests', async () => {
    const scene = createScene();
    const { secret } = scene.add('admin_link');
    const both = await Promise.allSettled([scene.takeLink(secret), scene.takeLink(secret)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(scene.takeLink(secret)).rejects.toMatchObject(refused);
  });
});

describe('caching', () => {
  test('R-grants: the store is queried once per second; after that, or after a change, again', async () => {
    const scene = createScene();
    const { secret, id } = scene.add('api_key');
    for (let call = 0; call < 3; call++) await scene.authenticate(secret);
    expect(scene.counts.lookups).toBe(1);
    scene.advance(1);
    await scene.authenticate(secret);
    expect(scene.counts.lookups).toBe(2);
    scene.credentials.delete(id);
    scene.forget('another workspace');
    await scene.authenticate(secret);
    scene.forget('w');
    await expect(scene.authenticate(secret)).rejects.toMatchObject(refused);
  });

  test('attack: what was looked up while a change was made is not cached', async () => {
    const scene = createScene();
    const { secret, id } = scene.add('agent_token');
    const { findAgent } = scene.workspace;
    scene.workspace.findAgent = async (name) => {
      scene.workspace.findAgent = findAgent;
      scene.credentials.delete(id);
      scene.forget('w');
      return findAgent(name);
    };
    expect(await scene.authenticate(secret)).toMatchObject({ id: 'a1' });
    await expect(scene.authenticate(secret)).rejects.toMatchObject(refused);
  });

  test('attack: a clock that is put back does not make what is cached last longer', async () => {
    const scene = createScene();
    const { secret, id } = scene.add('api_key');
    await scene.authenticate(secret);
    scene.credentials.delete(id);
    scene.advance(-3_600);
    await expect(scene.authenticate(secret)).rejects.toMatchObject(refused);
  });

  test('attack: a credential that ends within the second is not cached longer', async () => {
    const scene = createScene();
    const { secret } = scene.add('api_key', {}, 0.5);
    await scene.authenticate(secret);
    scene.advance(0.5);
    await expect(scene.authenticate(secret)).rejects.toMatchObject(refused);
  });
});

describe('an authorized program', () => {
  const resource = 'http://localhost/mcp/scout';
  const letIn = (status: string) => {
    const scene = createScene();
    scene.authorizations.set('auth', { status, user, resource });
    return { scene, secret: scene.add('agent_token', { authorizationId: 'auth' }).secret };
  };

  test('R-mcp-server: it is the agent acting for that person, with the authorized permissions, at one address', async () => {
    const { scene, secret } = letIn('exchanged');
    expect(await scene.authenticate(secret, resource)).toMatchObject({
      kind: 'agent',
      id: 'a1',
      onBehalfOf: user,
      permissions: ['tools:read'],
    });
    for (const elsewhere of ['http://localhost/mcp/other', undefined])
      await expect(scene.authenticate(secret, elsewhere)).rejects.toMatchObject({
        ...refused,
        cause: expect.any(Misdirected),
      });
    // A token without an authorization is valid at every address.
    expect(await scene.authenticate(scene.add('agent_token').secret, 'http://localhost/mcp/other')).toBeDefined();
  });

  test.each([
    'pending',
    'approved',
    'rejected',
    'ended',
  ])('attack: a token of an authorization that is %s is refused', async (status) => {
    const { scene, secret } = letIn(status);
    await expect(scene.authenticate(secret, resource)).rejects.toMatchObject(refused);
    scene.authorizations.clear();
    await expect(scene.authenticate(secret, resource)).rejects.toMatchObject(refused);
  });
});

describe('a session', () => {
  test('attack: a session that was not used for its idle time has ended, with an audit row; one in use continues', async () => {
    const scene = createScene();
    const [used, idle] = [scene.add('session'), scene.add('session')];
    for (let minute = 0; minute < 11; minute++) {
      scene.advance(60.5);
      await scene.authenticateSession(used.secret);
    }
    await expect(scene.authenticateSession(idle.secret)).rejects.toMatchObject(refused);
    expect(scene.credentials.get(idle.id)?.revokedAt).toBeDefined();
    expect(scene.rows).toMatchObject([{ type: 'credential.revoked', body: { credentialId: idle.id, reason: 'idle' } }]);
    // Not every use is recorded.
    const before = scene.counts.uses;
    for (let call = 0; call < 5; call++) {
      scene.advance(2);
      await scene.authenticateSession(used.secret);
    }
    expect([before, scene.counts.uses]).toEqual([11, 11]);
  });
});

test('R-grants: only a session ends because it was not used', async () => {
  const scene = createScene();
  const others = [scene.add('agent_token'), scene.add('api_key')];
  scene.advance(limits.idleSeconds + 1);
  for (const { secret } of others) expect(await scene.authenticate(secret)).toBeDefined();
  expect([scene.rows, scene.counts.uses]).toEqual([[], 0]);
});

describe('credentials of a workspace', () => {
  const by = { kind: 'user', id: 'ada', name: 'Ada' } as const;

  test('attack: ending the sessions of one person ends only theirs', async () => {
    const scene = createScene();
    const acts = createCredentialActs(scene.workspace, scene.now);
    const mine = [scene.add('session'), scene.add('session')].map(({ id }) => id);
    const ended = scene.add('session', { revokedAt: 'before' });
    const others = [scene.add('session', { principalId: 'bo' }), scene.add('agent_token'), scene.add('admin_link')];
    expect(await acts.endSessions(by, 'ada')).toBe(2);
    expect(mine.map((id) => isLive(scene.credentials.get(id)!, scene.now()))).toEqual([false, false]);
    expect(others.map(({ id }) => isLive(scene.credentials.get(id)!, scene.now()))).toEqual([true, true, true]);
    expect(scene.credentials.get(ended.id)?.revokedAt).toBe('before');
    expect(scene.rows.map(({ body }) => body.credentialId)).toEqual(mine);
  });

  test('R-grants: the list has no hashes, and only live credentials of programs', async () => {
    const scene = createScene();
    const acts = createCredentialActs(scene.workspace, scene.now);
    const shown = [
      scene.add('api_key'),
      scene.add('agent_token', { revokedAt: 'before' }),
      scene.add('agent_token', { authorizationId: 'auth' }),
    ];
    scene.add('agent_token', { authorizationId: 'auth', revokedAt: 'before' });
    const listed = await acts.credentials();
    expect(listed.map(({ id }) => id)).toEqual(shown.map(({ id }) => id));
    expect(JSON.stringify(listed)).not.toContain(sha256(shown[0]?.secret ?? ''));
    expect([...scene.credentials.values()].map(({ hash }) => hash)).toContain(sha256(shown[0]?.secret ?? ''));
  });

  test('R-grants: an unknown or ended credential is not revoked again', async () => {
    const scene = createScene();
    const acts = createCredentialActs(scene.workspace, scene.now);
    const { id } = scene.add('api_key');
    expect(await acts.credential(id)).toMatchObject({ id });
    await acts.revoke(by, id);
    for (const gone of [id, 'none']) await expect(acts.revoke(by, gone)).rejects.toMatchObject({ code: 'not_found' });
    await expect(acts.credential('none')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('attack: what is created from a key, directly or through a link or a session, ends with it at the latest', async () => {
    const scene = createScene();
    const acts = createCredentialActs(scene.workspace, scene.now);
    const key = scene.add('api_key', {}, 60);
    const ends = scene.credentials.get(key.id)?.expiresAt;
    const link = scene.add('admin_link', { parentId: key.id });
    for (const credentialId of [key.id, link.id]) {
      for (const options of [{}, { expiresInSeconds: 3_600 }]) {
        const { credential } = await acts.issue({ ...by, credentialId }, 'session', 'ada', options);
        expect(credential).toMatchObject({ parentId: key.id, expiresAt: ends });
      }
      const sooner = await acts.issue({ ...by, credentialId }, 'session', 'ada', { expiresInSeconds: 5 });
      expect(sooner.credential.expiresAt).toBe(new Date(start + 5_000).toISOString());
    }
    const own = await acts.issue({ ...by, credentialId: scene.add('session').id }, 'session', 'ada', {});
    expect([own.credential.parentId, own.credential.expiresAt]).toEqual([undefined, undefined]);
    expect(await keyBehind(scene.workspace, {})).toBeUndefined();
    expect(await keyBehind(scene.workspace, { credentialId: 'gone' })).toBeUndefined();
  });

  test('R-grants: by default an agent’s token has the permissions of agents, and a key has none', async () => {
    const scene = createScene();
    const acts = createCredentialActs(scene.workspace, scene.now);
    const held = async (kind: CredentialKind) => (await acts.issue(by, kind, 'a1', {})).credential.permissions;
    expect([await held('agent_token'), await held('api_key')]).toEqual([agentPermissions, []]);
    expect(await held('session')).toEqual(allPermissions);
  });

  test('R-grants: the tool mode of an agent is stored unless it is the default', async () => {
    const scene = createScene();
    const directory = createDirectory(scene.workspace, scene.now);
    const made = await Promise.all(
      ([undefined, 'auto', 'direct'] as const).map((toolMode, at) =>
        directory.createAgent(by, { slug: `a${at}`, ...(toolMode === undefined ? {} : { toolMode }) }, 'api'),
      ),
    );
    const kept = made.map((agent) => ('toolMode' in agent ? agent.toolMode : 'not kept'));
    expect(kept).toEqual(['not kept', 'not kept', 'direct']);
  });

  test.each([
    '',
    'A',
    '1a',
    'a b',
    'a/b',
    '../a',
    'a'.repeat(49),
    'tasks',
  ])('R-grants: %j is not an agent name', async (slug) => {
    const scene = createScene();
    const directory = createDirectory(scene.workspace, scene.now);
    await expect(directory.createAgent(by, { slug }, 'api')).rejects.toMatchObject({ code: 'invalid_input' });
    expect(scene.agents.size).toBe(1);
    await directory.createAgent(by, { slug: 'a-1' }, 'api');
    expect([...scene.agents.values()].at(-1)).toMatchObject({ slug: 'a-1', name: 'a-1' });
  });
});

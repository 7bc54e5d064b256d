/** When its declaration is removed, an agent loses what the declaration gave it, and the operator manages it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seal } from '../../audit/index.js';
import type { AuditEvent } from '../../domain/audit.js';
import type { Principal } from '../../domain/principal.js';
import { createHelve, type Helve } from '../../helve.js';
import { openStorage } from '../../storage/index.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'helve-undeclared-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const declaration = (...names: string[]) =>
  `agents:\n${names.map((name) => `  - { name: ${name}, tools: [calculate] }\n`).join('')}`;

interface Started {
  readonly helve: Helve;
  readonly admin: Principal;
  readonly workspaceId: string;
  readonly released: readonly string[];
  rows(): Promise<AuditEvent[]>;
}

/** Starts with this file, like `helve serve`, and stops again. */
async function start<T>(config: string, use: (started: Started) => Promise<T>): Promise<T> {
  const helve = await createHelve({ dataDir, config });
  try {
    const { workspaceId, released } = await helve.setUp();
    const admin = (await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
    const rows = () => helve.plane.audit(admin, { limit: 500 });
    return await use({ helve, admin, workspaceId, released, rows });
  } finally {
    await helve.close();
  }
}

const code = (error: { code: string }) => error.code;
const sum = { expression: '2+3' };

/** Scout's own token, and the tokens and the open code of a program that a person authorized as scout. */
async function giveAccess({ helve, admin, workspaceId }: Started): Promise<string> {
  const { secret } = await helve.plane.issueAgentToken(admin, 'scout', {});
  await helve.plane.issueAgentToken(admin, 'keeper', {});
  const scout = (await helve.plane.agents(admin)).find(({ slug }) => slug === 'scout');
  const storage = await openStorage({ location: join(dataDir, 'helve.db'), seal });
  const workspace = storage.workspace(workspaceId);
  for (const status of ['agreed', 'exchanged'] as const)
    await workspace.authorizations.insert({
      id: `program-${status}`,
      workspaceId,
      status,
      clientId: 'c',
      clientName: 'Program',
      redirectUri: 'http://127.0.0.1/back',
      agentId: scout?.id ?? '',
      user: { kind: 'user', id: admin.id, name: admin.name },
      resource: 'http://127.0.0.1/mcp/scout',
      scopes: ['tools:call'],
      challenge: 'x',
      secretHash: status,
      createdAt: new Date().toISOString(),
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
  await storage.close();
  return secret;
}

test('R-grants: an agent that helve.yaml no longer declares has no token, authorization or grant left', async () => {
  const token = await start(declaration('scout', 'keeper'), async (started) => {
    const secret = await giveAccess(started);
    expect(started.released).toEqual([]);
    // The control: with its declaration, the token calls.
    expect(await started.helve.execute({ principal: secret, tool: 'calculate', input: sum })).toMatchObject({
      ok: true,
    });
    return secret;
  });
  // Declared as before: nothing ends.
  await start(declaration('scout', 'keeper'), async ({ helve, released }) => {
    expect(released).toEqual([]);
    expect(await helve.execute({ principal: token, tool: 'calculate', input: sum })).toMatchObject({ ok: true });
  });

  await start(declaration('keeper'), async (started) => {
    const { helve, admin, released, rows } = started;
    expect(released).toEqual(['scout']);
    expect(await helve.plane.authenticate(token).catch(code)).toBe('unauthenticated');
    expect((await helve.plane.grantCatalogue(admin, 'scout')).grants).toEqual([]);
    const byName = { agent: 'scout' } as const;
    const called = await helve.execute({ principal: byName, tool: 'calculate', input: sum });
    expect(called).toMatchObject({ ok: false, error: { code: 'not_granted' } });
    const storage = await openStorage({ location: join(dataDir, 'helve.db'), seal });
    const { authorizations } = storage.workspace(started.workspaceId);
    for (const id of ['program-agreed', 'program-exchanged'])
      expect(await authorizations.find(id)).toMatchObject({ status: 'ended' });
    await storage.close();
    const left = (await rows()).filter(({ body }) => body.reason === 'no longer declared in helve.yaml');
    expect(left.map(({ type }) => type).sort()).toEqual([
      'agent.changed',
      'authorization.ended',
      'authorization.ended',
      'credential.revoked',
      'grants.replaced',
    ]);
    expect(await helve.plane.verifyAudit(admin)).toMatchObject({ ok: true });
    // Its neighbour, which is still declared, lost nothing and is still managed by the file.
    expect((await helve.plane.grantCatalogue(admin, 'keeper')).grants).toHaveLength(1);
    await expect(helve.plane.removeAgent(admin, 'keeper')).rejects.toMatchObject({ code: 'conflict' });
  });
});

test('R-grants: the operator manages a released agent, and the file can claim it again', async () => {
  await start(declaration('scout', 'keeper'), giveAccess);
  await start(declaration('keeper'), async ({ helve, admin }) => {
    await helve.plane.replaceGrants(admin, 'scout', [
      { toolkit: 'key_value', tools: ['key_value_get'], limits: {}, config: {} },
    ]);
    await helve.plane.changeAgent(admin, 'scout', { toolMode: 'meta' });
  });
  await start(declaration('keeper'), async ({ released, helve, admin }) => {
    // Released once, not at every start: what the operator has granted since then stays.
    expect(released).toEqual([]);
    expect((await helve.plane.grantCatalogue(admin, 'scout')).grants).toHaveLength(1);
  });
  await start(declaration('scout', 'keeper'), async ({ helve, admin }) => {
    const { agent, grants } = await helve.plane.grantCatalogue(admin, 'scout');
    expect(agent.managedBy).toBe('file');
    expect(grants.map(({ tools }) => tools)).toEqual([['calculate']]);
  });
  await start('', async ({ helve, admin, released }) => {
    expect([...released].sort()).toEqual(['keeper', 'scout']);
    await helve.plane.removeAgent(admin, 'scout');
  });
  await start(declaration('keeper'), async ({ helve, admin }) =>
    expect(await helve.plane.agents(admin)).toMatchObject([{ slug: 'keeper', managedBy: 'file' }]),
  );
});

/**
 * All keys of the vault change while calls continue: on both stores, with a second process on the same data. With
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { seal } from '../../src/audit/index.js';
import type { Storage } from '../../src/domain/storage.js';
import { defineTool, defineToolkit } from '../../src/domain/tool.js';
import { createHelve, type Helve } from '../../src/helve.js';
import { openStorage } from '../../src/storage/index.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { startPostgres } from '../../src/testing/postgres.js';
import { rounds } from '../../src/testing/rounds.js';
import { createVault, keyringFromText, keyringInFile } from '../../src/vault/index.js';

const breathMs = 25;
// Several pages of what a rotation reads at a time.
const rows = rounds(250, 10_000);
const settingsSchema = z.strictObject({ base_url: z.string() });

const ask = defineTool({
  name: 'ask',
  title: 'Ask',
  description: 'Asks with the account',
  capabilities: ['get answer'],
  inputSchema: z.strictObject({}),
  settingsSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  execute: async (_, { service }) => service.json({ path: '/' }),
});
const vendor = defineToolkit({
  slug: 'vendor',
  title: 'Vendor',
  description: 'A service for tests',
  category: 'tests',
  auth: {
    schemes: [
      {
        id: 'token',
        kind: 'api_key',
        title: 'Token',
        fields: [{ name: 'token', title: 'Token', secret: true }],
        placement: [{ in: 'header', name: 'x-token', value: '{token}' }],
      },
    ],
  },
  service: { servers: (settings) => ({ default: { url: String(settings.base_url), named: true } }) },
  load: async () => [ask],
});

let server: Server;
let config = '';
let folder = '';
const postgres = await startPostgres();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helve-rotation-'));
  server = createServer((request, response) => {
    const known = request.headers['x-token'] === 'a-token-that-is-right';
    response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' }).end('{"answer":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  config = `toolkits:\n  vendor:\n    base_url: http://127.0.0.1:${(server.address() as AddressInfo).port}\n`;
});
afterAll(async () => {
  server.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Scene {
  readonly helve: TestHelve;
  readonly other: Helve;
  readonly storage: Storage;
  readonly keys: string;
}

/** A plane with one account in use, a second one on the same store, and many secrets of many accounts and workspaces. */
async function openScene(database: string, name: string): Promise<Scene> {
  const dataDir = join(folder, name);
  const options = { database, dataDir, config, toolkits: [vendor], nativeToolkits: [] };
  const helve = await createTestHelve({
    ...options,
    connections: [{ toolkit: 'vendor', name: 'Work', credentials: { token: 'a-token-that-is-right' } }],
  });
  const other = await createHelve({ ...options, limits: { perIp: null, perPrincipal: null, perTool: null } });
  const storage = await openStorage({ location: database, seal });
  const keys = join(dataDir, 'vault-keys.json');
  const vault = createVault(keyringInFile(keys));
  const spaces = [helve.workspaceId, (await helve.ensureWorkspace('second')).workspaceId];
  for (const workspaceId of spaces) {
    const sealed = await Promise.all(
      Array.from({ length: rows / 2 }, async (_, index) => {
        const subject = `connection:filler-${index}`;
        return { subject, content: await vault.seal({ workspaceId, subject }, `secret ${workspaceId} ${index}`) };
      }),
    );
    await storage.workspace(workspaceId).change([], async (tables) => {
      for (const { subject, content } of sealed) await tables.putSecret(subject, content, new Date().toISOString());
    });
  }
  return { helve, other, storage, keys };
}

async function everyRow(storage: Storage) {
  return storage.system.listSecrets({ keyIdNot: '', limit: rows + 100 });
}

/** Calls through both planes, sequentially in each of several lanes, until `stop` is called. A result that is right is `true`. */
function keepCalling({ helve, other }: Scene) {
  let running = true;
  const results: unknown[] = [];
  const line = async (call: () => Promise<{ ok: boolean }>): Promise<void> => {
    while (running) {
      const result = await call().catch((thrown: unknown) => ({ ok: false, thrown }));
      results.push(result.ok ? true : result);
      // SQLite has only one writer at a time: without a pause the rotation would never get its turn.
      await setTimeout(breathMs);
    }
  };
  const agent = { agent: 'tester' };
  const lines = [
    ...Array.from({ length: 3 }, () => line(() => helve.call('work__ask'))),
    ...Array.from({ length: 3 }, () => line(() => other.execute({ principal: agent, tool: 'work__ask', input: {} }))),
  ];
  return {
    results,
    async stop(): Promise<void> {
      running = false;
      await Promise.all(lines);
    },
  };
}

async function rotatesUnderLoad(database: string, name: string): Promise<void> {
  const scene = await openScene(database, name);
  const { helve, other, storage, keys } = scene;
  const old = JSON.parse(await readFile(keys, 'utf8')) as { current: string; keys: Record<string, string> };
  const before = await everyRow(storage);
  expect(before).toHaveLength(rows + 1);
  const { results, stop } = keepCalling(scene);
  await expect.poll(() => results.length).toBeGreaterThan(10);
  const earlier = results.length;
  const report = await helve.plane.rotateVault(helve.admin);
  expect(results.length).toBeGreaterThan(earlier);
  // Old rows may be read and opened for a moment longer.
  await setTimeout(300);
  await expect.poll(() => results.length).toBeGreaterThan(50);
  await stop();
  expect(results.filter((result) => result !== true)).toEqual([]);

  expect(report).toMatchObject({ resealed: rows + 1, unreadable: 0 });
  const after = await everyRow(storage);
  expect(new Set(after.map(({ keyId }) => keyId))).toEqual(new Set([report.keyId]));
  expect(after.map(({ sealed }) => sealed.split('.')[1]).every((id) => id === report.keyId)).toBe(true);
  const kept = JSON.parse(await readFile(keys, 'utf8')) as { current: string; keys: Record<string, string> };
  expect(Object.keys(kept.keys)).toEqual([report.keyId]);
  expect(Object.values(kept.keys)).not.toContain(old.keys[old.current]);

  const withOld = createVault(keyringFromText(`${old.current}:${old.keys[old.current]}`));
  const withNew = createVault(keyringInFile(keys));
  for (const [index, row] of after.entries()) {
    await expect(withOld.open(row, row)).rejects.toMatchObject({ code: 'connection_inaccessible' });
    // And nothing new opens old data, should someone have a copy.
    const past = before[index];
    if (past) await expect(withNew.open(past, past)).rejects.toMatchObject({ code: 'connection_inaccessible' });
    const plain = await withNew.open(row, row);
    if (row.subject.startsWith('connection:filler-'))
      expect(plain).toBe(`secret ${row.workspaceId} ${row.subject.slice('connection:filler-'.length)}`);
  }
  expect((await helve.audited()).filter(({ type }) => type === 'vault.rotated')).toHaveLength(1);
  for (const plane of [helve, other, storage]) await plane.close();
}

describe('rotation under load', () => {
  test(`R-vault: ${rows} secrets in SQLite, with calls in two planes, none fails`, async () => {
    await rotatesUnderLoad(join(folder, 'rotation.db'), 'sqlite');
  }, 300_000);

  test(`R-vault: ${rows} secrets in PostgreSQL, with calls in two planes, none fails`, async () => {
    await rotatesUnderLoad(await postgres.storeUrl(), 'postgres');
  }, 300_000);
});

describe('rotation in odd hours', () => {
  async function few(name: string): Promise<{ storage: Storage; keys: string; ids: string[] }> {
    const keys = join(folder, `${name}.json`);
    const storage = await openStorage({ location: ':memory:', seal });
    const vault = createVault(keyringInFile(keys));
    await storage.system.createWorkspace({ id: 'w', slug: 'w', name: 'w', createdAt: new Date().toISOString() }, []);
    const ids = Array.from({ length: 30 }, (_, index) => `connection:${index}`);
    await storage.workspace('w').change([], async (tables) => {
      for (const subject of ids)
        await tables.putSecret(
          subject,
          await vault.seal({ workspaceId: 'w', subject }, subject),
          '2026-01-01T00:00:00.000Z',
        );
    });
    return { storage, keys, ids };
  }
  async function allOpen({ storage, keys, ids }: Awaited<ReturnType<typeof few>>): Promise<void> {
    const vault = createVault(keyringInFile(keys));
    for (const subject of ids) {
      const stored = await storage.workspace('w').secrets.find(subject);
      expect(await vault.open({ workspaceId: 'w', subject }, stored ?? { sealed: '' })).toBe(subject);
    }
  }

  test('R-vault: two parallel rotations lose nothing', async () => {
    const scene = await few('twice');
    const vaults = [1, 2, 3].map(() => createVault(keyringInFile(scene.keys)));
    await Promise.all(vaults.map((vault) => vault.rotate(scene.storage)));
    await allOpen(scene);
    await scene.storage.close();
  });

  test('R-vault: a rotation that stops half-way leaves everything readable, and the next one continues', async () => {
    const scene = await few('stopped');
    const stop = new AbortController();
    let seen = 0;
    const counting: Storage = {
      ...scene.storage,
      workspace: (id) => {
        seen += 1;
        if (seen === 10) stop.abort(new Error('stopped'));
        return scene.storage.workspace(id);
      },
    };
    const vault = createVault(keyringInFile(scene.keys));
    await expect(vault.rotate(counting, { signal: stop.signal })).rejects.toThrow('stopped');
    await allOpen(scene);
    expect(await vault.rotate(scene.storage)).toMatchObject({ resealed: 30, unreadable: 0 });
    await allOpen(scene);
    await scene.storage.close();
  });

  test('R-vault: an unreadable row is counted, left unchanged, and keeps no old key alive', async () => {
    const scene = await few('unreadable');
    const rowBefore = { sealed: 'v1.gone.AAAA.AAAA', keyId: 'gone' };
    await scene.storage
      .workspace('w')
      .change([], (tables) => tables.putSecret('connection:x', rowBefore, '2026-01-01T00:00:00.000Z'));
    const report = await createVault(keyringInFile(scene.keys)).rotate(scene.storage);
    expect(report).toMatchObject({ resealed: 30, unreadable: 1, retired: [expect.any(String)] });
    expect(await scene.storage.workspace('w').secrets.find('connection:x')).toMatchObject(rowBefore);
    await scene.storage.close();
  });

  test('R-vault: with the keys in HELVE_VAULT_KEYS, everything is sealed under the first of them', async () => {
    const scene = await few('environment');
    const { current, keys } = JSON.parse(await readFile(scene.keys, 'utf8')) as {
      current: string;
      keys: Record<string, string>;
    };
    const fresh = Buffer.alloc(32, 5).toString('base64');
    const vault = createVault(keyringFromText(`fresh:${fresh},${current}:${keys[current]}`));
    expect(await vault.rotate(scene.storage)).toEqual({ keyId: 'fresh', resealed: 30, unreadable: 0, retired: [] });
    const alone = createVault(keyringFromText(`fresh:${fresh}`));
    for (const subject of scene.ids) {
      const stored = await scene.storage.workspace('w').secrets.find(subject);
      expect(await alone.open({ workspaceId: 'w', subject }, stored ?? { sealed: '' })).toBe(subject);
    }
    await scene.storage.close();
  });
});

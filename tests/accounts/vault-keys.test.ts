/** The vault's keys from the environment, through a real server: `HELVE_VAULT_KEYS` instead of a file in the data folder. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { seal } from '../../src/audit/index.js';
import { readEnvironment } from '../../src/config/index.js';
import { openStorage } from '../../src/storage/index.js';
import { createTestHelve } from '../../src/testing/index.js';
import { createVault, keyringFromText } from '../../src/vault/index.js';
import { killChildren, removeTemporaryFolders, run, serve, temporaryFolder } from '../e2e/support/server.js';
import { vendor } from './support/vendor.js';

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
afterAll(async () => {
  killChildren();
  await removeTemporaryFolders();
});

describe('HELVE_VAULT_KEYS', () => {
  test('R-vault: is read, and an empty one counts as unset', () => {
    expect(readEnvironment({ HELVE_VAULT_KEYS: `a:${key(1)}` }).vaultKeys).toBe(`a:${key(1)}`);
    expect([readEnvironment({}).vaultKeys, readEnvironment({ HELVE_VAULT_KEYS: '' }).vaultKeys]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('R-vault: a server seals with the first of them, creates no file, and reads what the second has sealed', async () => {
    const dataDir = await temporaryFolder('vault-keys');
    const first = await serve(dataDir, [], { HELVE_VAULT_KEYS: `old:${key(1)}` });
    const { key: apiKey } = JSON.parse(readFileSync(join(dataDir, 'cli.json'), 'utf8')) as { key: string };
    const put = (url: string, secret: string) =>
      fetch(`${url}/api/auth-clients/github`, {
        method: 'PUT',
        body: JSON.stringify({ clientId: 'id', clientSecret: secret }),
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      });
    expect((await put(first.url, 'a-secret-of-the-client')).status).toBeLessThan(300);
    await first.stop();
    expect(existsSync(join(dataDir, 'vault-keys.json'))).toBe(false);

    const keys = `new:${key(2)},old:${key(1)}`;
    const second = await serve(dataDir, [], { HELVE_VAULT_KEYS: keys });
    const { stdout } = await run(['auth', 'doctor', '--json', '--data', dataDir]);
    expect(stdout).not.toContain('cannot be read');
    const headers = { authorization: `Bearer ${apiKey}` };
    const rotated = await fetch(`${second.url}/api/vault/rotate`, { method: 'POST', headers });
    expect(await rotated.json()).toMatchObject({ keyId: 'new', resealed: 1, unreadable: 0 });
    const { stdout: said, stderr } = await second.stop();
    expect(said + stderr).not.toContain(key(2).slice(0, 12));

    const storage = await openStorage({ location: join(dataDir, 'helve.db'), seal });
    const [row] = await storage.system.listSecrets({ keyIdNot: '', limit: 10 });
    await storage.close();
    expect(row?.keyId).toBe('new');
    expect(row && (await createVault(keyringFromText(`new:${key(2)}`)).open(row, row))).toBe('a-secret-of-the-client');
  }, 60_000);

  test('R-vault: one that is malformed stops the start, naming the variable and not its content', async () => {
    const dataDir = await temporaryFolder('vault-keys');
    const wrong = `a:${key(1).slice(0, 30)}`;
    const failed = serve(dataDir, [], { HELVE_VAULT_KEYS: wrong });
    const error = await failed.then(
      () => '',
      (thrown: Error) => thrown.message,
    );
    expect(error).toContain('HELVE_VAULT_KEYS');
    expect(error).not.toContain(wrong.slice(2, 14));
  });

  test('R-vault: a damaged file of keys stops the start, and stays as it is', async () => {
    const dataDir = await temporaryFolder('vault-keys');
    const path = join(dataDir, 'vault-keys.json');
    writeFileSync(path, 'damaged');
    const start = createTestHelve({ dataDir, nativeToolkits: [] }).then((helve) => helve.close());
    await expect(start).rejects.toMatchObject({ code: 'invalid_config', message: expect.stringContaining(path) });
    expect(readFileSync(path, 'utf8')).toBe('damaged');
  });

  test('R-vault: the doctor names a file of keys that can no longer be read, and the rest of its list stays', async () => {
    const dataDir = await temporaryFolder('vault-keys');
    const path = join(dataDir, 'vault-keys.json');
    const helve = await createTestHelve({ dataDir, nativeToolkits: [] });
    mkdirSync(path);
    const checks = await helve.plane.doctor(helve.admin);
    expect(checks.find(({ check }) => check === 'vault')).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/vault-keys\.json, which has the vault's keys, cannot be read \(EISDIR\)/),
    });
    await helve.close();
  });

  test('R-vault: without the key that sealed them, accounts say that they must be connected again, and nothing crashes', async () => {
    const dataDir = await temporaryFolder('vault-keys');
    const config = 'toolkits:\n  vendor:\n    base_url: http://127.0.0.1:1\n';
    const options = { dataDir, config, toolkits: [vendor], nativeToolkits: [] };
    const before = await createTestHelve({
      ...options,
      vaultKeys: `a:${key(1)}`,
      connections: [{ toolkit: 'vendor', name: 'Work', credentials: { access_token: 'a-token-0123456789' } }],
    });
    const principal = { agent: 'tester' };
    await before.close();
    const reported: unknown[] = [];
    const after = await createTestHelve({
      ...options,
      vaultKeys: `b:${key(2)}`,
      workspace: 'another',
      reportError: (error) => reported.push(error),
    });
    expect(reported).toMatchObject([
      { code: 'invalid_config', message: expect.stringContaining('under the key a of') },
    ]);
    const result = await after.execute({ principal, tool: 'work__who_am_i', input: {} });
    expect(result).toMatchObject({ ok: false, error: { code: 'connection_inaccessible' } });
    await after.close();
  });
});

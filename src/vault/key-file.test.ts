/** The key file: private, complete, and consistent for all processes that create or change it. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transform } from '@swc/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createVault, keyringInFile } from './index.js';

const run = promisify(execFile);
const sources = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'helve-keys-'));
const place = { workspaceId: 'w1', subject: 'connection:c1' };
let count = 0;
const fresh = () => join(folder, `keys-${++count}.json`);

/** Real processes: the sources with types removed, since plain Node cannot run TypeScript. */
beforeAll(async () => {
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const file of ['vault/keyring.ts', 'vault/key-file.ts', 'vault/seal.ts', 'domain/errors.ts']) {
    const out = join(folder, file.replace(/\.ts$/, '.js'));
    await mkdir(dirname(out), { recursive: true });
    const source = await readFile(join(sources, file), 'utf8');
    const options = { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } } as const;
    await writeFile(out, (await transform(source, options)).code);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function inProcess(program: string, path: string): Promise<string> {
  const code = `import { keyringInFile } from './vault/keyring.js'; const ring = keyringInFile(${JSON.stringify(path)});
    ${program}`;
  return (await run(process.execPath, ['--input-type=module', '-e', code], { cwd: folder })).stdout.trim();
}

describe('the key file', () => {
  test('R-vault: only its owner can read it, also after a change, for any umask', async () => {
    const path = fresh();
    const before = process.umask(0);
    try {
      const ring = keyringInFile(path);
      await ring.current();
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      await ring.add();
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
    const left = (await readdir(folder)).filter((name) => name.startsWith(`keys-${count}.json.`));
    expect(left).toEqual([]);
  });

  test('R-vault: processes that create it simultaneously have the same key', async () => {
    const path = fresh();
    const ids = await Promise.all(
      Array.from({ length: 6 }, () => inProcess('console.log((await ring.current()).id)', path)),
    );
    expect(new Set(ids).size).toBe(1);
    expect((await keyringInFile(path).current()).id).toBe(ids[0]);
  });

  test('R-vault: processes that each add a key lose none of them', async () => {
    const path = fresh();
    const first = (await keyringInFile(path).current()).id;
    const added = await Promise.all(
      Array.from({ length: 4 }, () =>
        inProcess('for (let n = 0; n < 5; n++) console.log((await ring.add()).id)', path),
      ),
    );
    const ids = added.flatMap((lines) => lines.split('\n'));
    expect(new Set(ids).size).toBe(20);
    const ring = keyringInFile(path);
    for (const id of [first, ...ids]) expect((await ring.find(id))?.key).toHaveLength(32);
    expect(ids).toContain((await ring.current()).id);
  });

  test('R-vault: a key that another process has added is found when it is needed', async () => {
    const path = fresh();
    const ring = keyringInFile(path);
    await ring.current();
    const id = await inProcess('console.log((await ring.add()).id)', path);
    expect((await ring.find(id))?.id).toBe(id);
    expect((await ring.current()).id).toBe(id);
  });

  test('R-vault: files left behind by a killed process block no one', async () => {
    const path = fresh();
    await writeFile(`${path}.0011.new`, '{"current"');
    const vault = createVault(keyringInFile(path));
    const { sealed } = await vault.seal(place, 'x');
    await writeFile(`${path}.lock`, '');
    await utimes(`${path}.lock`, new Date(0), new Date(0));
    await keyringInFile(path).add();
    expect(await vault.open(place, { sealed })).toBe('x');
  });

  test.each([
    ['nothing', ''],
    ['half a file', '{"current":"a","keys":{"a":"'],
    ['another thing', '[]'],
    ['no current key', '{"current":"b","keys":{"a":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}'],
    ['a short key', '{"current":"a","keys":{"a":"AAAA"}}'],
    ['a key that is no text', '{"current":"a","keys":{"a":["x"]}}'],
    ['a name from elsewhere', '{"current":"__proto__","keys":{}}'],
  ])('R-vault: with %s in it nothing is sealed or opened, and nothing is overwritten', async (_what, text) => {
    const path = fresh();
    await writeFile(path, text);
    const ring = keyringInFile(path);
    for (const act of [() => ring.current(), () => ring.add(), () => ring.find('a')])
      await expect(act()).rejects.toMatchObject({ code: 'invalid_config', hint: expect.stringContaining('backup') });
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  test('R-vault: looking for a key creates no file, and sealing does', async () => {
    const path = fresh();
    const ring = keyringInFile(path);
    expect([await ring.find('a'), await ring.findCurrent()]).toEqual([undefined, undefined]);
    expect(existsSync(path)).toBe(false);
    const made = await ring.current();
    expect(await ring.findCurrent()).toEqual(made);
  });

  test('R-vault: a file that is gone is not replaced by one with a new key, and works when it is back', async () => {
    const path = fresh();
    const vault = createVault(keyringInFile(path));
    const { sealed } = await vault.seal(place, 'x');
    await rename(path, `${path}.away`);
    await expect(vault.seal(place, 'y')).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(/is gone$/),
    });
    await expect(keyringInFile(path).findCurrent()).resolves.toBe(undefined);
    expect(existsSync(path)).toBe(false);
    await rename(`${path}.away`, path);
    expect(await vault.open(place, { sealed })).toBe('x');
  });

  test('R-vault: a folder that is not writable is reported as such', async () => {
    const closed = join(folder, 'closed');
    await writeFile(closed, 'a file');
    await expect(keyringInFile(join(closed, 'keys.json')).current()).rejects.toThrow(/ENOTDIR|EEXIST/);
    await chmod(closed, 0o600);
  });
});

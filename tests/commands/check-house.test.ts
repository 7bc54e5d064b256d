/** The house check finds what it forbids: a breach is planted in a folder of its own. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/check-house.js', import.meta.url));
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'helve-house-'));
  await mkdir(join(root, 'src/flows/connecting'), { recursive: true });
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** What the check says of one file with this text. */
async function check(name: string, text: string): Promise<string> {
  const file = join(root, 'src', name);
  await writeFile(file, text);
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [script, root], (_error, stdout, stderr) => resolve(stdout + stderr));
  });
  await rm(file);
  return said;
}

test('R-registry: URL.canParse is refused in code and in tests, because Node 20 answers it wrongly', async () => {
  const breach = 'export const isAddress = (text: string): boolean => URL.canParse(text);\n';
  for (const name of ['planted.ts', 'planted.test.ts'])
    expect(await check(name, breach)).toContain(`src/${name}: uses URL.canParse`);
  expect(await check('plain.ts', '// Not URL.canParse.\nexport const one = 1;\n')).not.toContain('canParse');
});

test('a flow that imports a value from an adapter is refused, and a type is not', async () => {
  const name = 'flows/connecting/planted.ts';
  const from = "from '../../vault/index.js';\nexport const one = 1;\n";
  expect(await check(name, `import { createVault } ${from}`)).toContain(`src/${name}: imports a value`);
  expect(await check(name, `import { createVault, type Vault } ${from}`)).toContain(`src/${name}: imports a value`);
  for (const types of ['import type { Vault }', 'import { type Vault }'])
    expect(await check(name, `${types} ${from}`)).not.toContain('imports a value');
});

/** The linter refuses a promise that nobody waits for: the breach is planted in a folder of its own. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const biome = join(repository, 'node_modules/@biomejs/biome/bin/biome');

const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const command: readonly string[] = scripts['check:promises'].split(' ').slice(1);

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'helve-lint-'));
  const settings = JSON.parse(await readFile(join(repository, 'biome.json'), 'utf8'));
  // The folder is not under version control.
  delete settings.vcs;
  delete settings.$schema;
  await writeFile(join(root, 'biome.json'), JSON.stringify(settings));
  await cp(join(repository, 'biome.promises.json'), join(root, 'biome.promises.json'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function lint(text: string): Promise<string> {
  await writeFile(join(root, 'planted.ts'), text);
  return new Promise((resolve) => {
    execFile(process.execPath, [biome, ...command], { cwd: root }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

const work = 'export async function work(): Promise<void> {}\n';

test('a promise that nobody waits for is refused', async () => {
  expect(await lint(`${work}export function begin(): void {\n  work();\n}\n`)).toContain('noFloatingPromises');
  for (const handled of ['await work();', 'void work();', 'return work();', 'work().catch(() => undefined);'])
    expect(await lint(`${work}export async function begin(): Promise<void> {\n  ${handled}\n}\n`)).not.toContain(
      'noFloatingPromises',
    );
});

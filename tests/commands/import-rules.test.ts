/** The import rules refuse what docs/house.md forbids: each breach is planted in a small tree of its own. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const depcruise = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

/** The rule, and the import that breaks it: `from` imports `to`. */
const breaches: readonly (readonly [rule: string, from: string, to: string])[] = [
  ['direction-domain', 'src/domain/planted.ts', 'src/util/index.ts'],
  ['direction-util', 'src/util/planted.ts', 'src/schema/index.ts'],
  ['direction-schema', 'src/schema/planted.ts', 'src/registry/index.ts'],
  ['direction-grants', 'src/grants/planted.ts', 'src/policies/index.ts'],
  ['direction-audit', 'src/audit/planted.ts', 'src/storage/index.ts'],
  ['direction-tasks', 'src/tasks/planted.ts', 'src/grants/index.ts'],
  ['direction-storage', 'src/storage/planted.ts', 'src/vault/index.ts'],
  ['direction-walls-files', 'src/walls/files/planted.ts', 'src/walls/egress/index.ts'],
  ['direction-walls-sandbox', 'src/walls/sandbox/planted.ts', 'src/walls/egress/index.ts'],
  ['direction-providers-mcp', 'src/providers/mcp/planted.ts', 'src/providers/openapi/index.ts'],
  ['direction-checker', 'src/checker/planted.ts', 'src/schema/index.ts'],
  ['direction-actors', 'src/actors/planted.ts', 'src/storage/index.ts'],
  ['direction-telemetry', 'src/telemetry/planted.ts', 'src/audit/index.ts'],
  ['direction-toolkits', 'src/toolkits/one/planted.ts', 'src/walls/files/index.ts'],
  ['toolkits-stand-alone', 'src/toolkits/one/other.ts', 'src/toolkits/two/index.ts'],
  ['direction-flows', 'src/flows/calling/planted.ts', 'src/storage/index.ts'],
  ['direction-flows', 'src/flows/finding/planted.ts', 'src/plane/acts/index.ts'],
  ['direction-plane', 'src/plane/acts/planted.ts', 'src/surfaces/http/index.ts'],
  ['direction-root', 'src/helve.ts', 'src/surfaces/http/index.ts'],
  ['direction-formats', 'src/formats/planted.ts', 'src/api/index.ts'],
  ['direction-sdk', 'src/sdk/planted.ts', 'src/grants/index.ts'],
  ['direction-surfaces-http', 'src/surfaces/http/planted.ts', 'src/surfaces/mcp/index.ts'],
  ['direction-surfaces-cli', 'src/surfaces/cli/planted.ts', 'src/storage/index.ts'],
  ['direction-surfaces-cli', 'src/surfaces/cli/other.ts', 'src/helve.ts'],
  ['direction-surfaces-cli', 'src/surfaces/cli/third.ts', 'src/flows/calling/index.ts'],
  ['direction-serve', 'src/surfaces/cli/commands/serve.ts', 'src/storage/index.ts'],
  ['no-folder-without-rules', 'src/leftovers/planted.ts', 'src/domain/index.ts'],
  ['one-door-a-folder', 'src/plane/acts/inside.ts', 'src/schema/checks.ts'],
  ['one-door-a-folder', 'src/plane/acts/grants.ts', 'src/grants/decide.ts'],
  ['one-door-a-folder', 'src/surfaces/cli/inside.ts', 'src/api/shapes.ts'],
  ['one-door-a-room', 'src/flows/calling/inside.ts', 'src/flows/finding/search.ts'],
  ['one-door-a-room', 'src/plane/wiring/inside.ts', 'src/walls/egress/policy.ts'],
  ['tests-are-not-imported', 'src/registry/planted.ts', 'src/testing/index.ts'],
];
/** Imports that are allowed: the rules do not refuse everything. */
const allowed: readonly (readonly [from: string, to: string])[] = [
  ['src/flows/finding/fine.ts', 'src/flows/calling/index.ts'],
  ['src/plane/acts/fine.ts', 'src/schema/index.ts'],
  ['src/surfaces/http/fine.ts', 'src/api/index.ts'],
  ['src/surfaces/cli/quick.ts', 'src/api/client.ts'],
  ['src/surfaces/cli/fine.ts', 'src/plane/maintenance/index.ts'],
  ['src/registry/fine.test.ts', 'src/testing/index.ts'],
];

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'helve-imports-'));
  for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json']) await cp(join(repository, file), join(root, file));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function plant(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text, { flag: 'a' });
}

async function violations(): Promise<readonly Violation[]> {
  const args = [depcruise, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'];
  const json = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: 50_000_000 }, (_error, stdout, stderr) =>
      stdout === '' ? reject(new Error(stderr)) : resolve(stdout),
    );
  });
  return (JSON.parse(json) as { summary: { violations: readonly Violation[] } }).summary.violations;
}

test('each breach of the import rules is found, cycles too, and what is allowed is not', async () => {
  for (const [from, to] of [...breaches.map(([, ...pair]) => pair), ...allowed]) {
    await plant(to, 'export const one = 1;\n'.replace('one', `one${Math.random().toString(36).slice(2)}`));
    const upwards = '../'.repeat(from.split('/').length - 1);
    await plant(from, `import '${upwards}${to.replace(/\.ts$/, '.js')}';\n`);
  }
  await plant('src/registry/first.ts', "import './second.js';\n");
  await plant('src/registry/second.ts', "import './first.js';\n");
  const found = await violations();
  const named = found.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  for (const [rule, from, to] of breaches) expect(named).toContain(`${rule}: ${from} -> ${to}`);
  expect(found.filter(({ rule }) => rule.name === 'no-cycles').length).toBeGreaterThan(0);
  const fine = new Set(allowed.map(([from]) => from));
  expect(found.filter(({ from }) => fine.has(from))).toEqual([]);
});

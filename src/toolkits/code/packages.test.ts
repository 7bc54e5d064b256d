/** Packages from a registry to a program: real ones as npm packs them, and ones that try something. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callTwice } from '../../../tests/counterparts/lost-answers.js';
import type { JsonObject } from '../../domain/json.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { type Registry, startRegistry } from './testing/registry.js';

let registry: Registry;
let folder: string;
let helve: TestHelve;
const granted = ['execute_code', 'install_package'];

const configOf = (packages: Registry['packages']): string =>
  JSON.stringify({ toolkits: { code: { registry: registry.url, packages } } });

beforeAll(async () => {
  registry = await startRegistry();
  folder = mkdtempSync(join(tmpdir(), 'helve-packages-'));
  const canary = join(folder, 'canary');
  for (const name of ['picomatch', 'marked', 'minisearch', 'graceful-fs']) registry.addInstalled(name);
  registry.add('with-scripts', {
    'package.json': JSON.stringify({
      scripts: { preinstall: `touch ${canary}`, install: `touch ${canary}`, postinstall: `touch ${canary}` },
    }),
    'index.js': `try { require('fs').writeFileSync(${JSON.stringify(canary)}, '') } catch {}\nmodule.exports = 1;`,
  });
  registry.add('reaching', {
    'index.js': `let reached = [];
for (const name of ['process', 'require', 'fetch', 'WebAssembly']) if (typeof globalThis[name] !== 'undefined') reached.push(name);
try { reached.push(new Function('return process')().pid) } catch {}
exports.reached = reached;`,
  });
  registry.add('@scope/needs', {
    'package.json': JSON.stringify({ dependencies: { needed: '*', optional: '*' }, exports: { import: './es.mjs' } }),
    'es.mjs': "import { value } from 'needed';\nexport const doubled = value * 2;\nexport default (x) => x + value;",
    'cjs.js': 'throw new Error("not this one")',
  });
  registry.add('needed', { 'index.js': 'exports.value = 21;' });
  registry.add('needs-more', { 'index.js': "require('not-allowed')" });
  registry.add('for-browsers', {
    'package.json': JSON.stringify({ browser: { fs: false, './node.js': './browser.js' } }),
    'index.js': "exports.kind = require('./node.js'); exports.fs = Object.keys(require('fs'));",
    'node.js': "module.exports = require('os').hostname()",
    'browser.js': "module.exports = 'browser'",
  });
  registry.add('endless', { 'index.js': 'for (;;);' });
  registry.add('broken', { 'index.js': 'let =' });
  registry.add('without-main', { 'package.json': '{"main":"./nothing.js"}', 'README.md': '' });
  helve = await createTestHelve({ granted, config: configOf(registry.packages) });
}, 120_000);
afterAll(async () => {
  await helve?.close();
  await registry?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(code: string, on = helve): Promise<JsonObject> {
  const result = await on.call('execute_code', { code });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.output as JsonObject;
}
const install = (name: string, more: JsonObject = {}, on = helve) => on.call('install_package', { name, ...more });

describe('packages', { timeout: 120_000 }, () => {
  test('R-code-tools: what is not installed cannot be imported, and then it can', async () => {
    const code = `import picomatch, { makeRe, type Matcher } from 'picomatch';
const matches: Matcher = picomatch('*.js');
return [matches('a.js'), matches('a.ts'), makeRe('*.md').test('b.md'), (await import('picomatch')).default === picomatch]`;
    expect((await run(code)).error).toMatchObject({
      message: expect.stringContaining('There is no package "picomatch"'),
      hint: expect.stringContaining('install_package'),
    });
    const output = { name: 'picomatch', exports: expect.arrayContaining(['makeRe']) };
    expect(await install('picomatch')).toMatchObject({ ok: true, output });
    expect((await run(code)).result).toEqual([true, false, true, true]);
  });

  test('R-code-tools: a package of ECMAScript modules, and one with several files', async () => {
    for (const name of ['marked', 'minisearch']) expect(await install(name)).toMatchObject({ ok: true });
    const code = `import { marked } from 'marked'; import MiniSearch from 'minisearch';
const index = new MiniSearch({ fields: ['text'] });
index.add({ id: 7, text: 'a helve is a handle' });
return [marked.parse('*a*'), index.search('handel', { fuzzy: 0.4 })[0]!.id]`;
    expect((await run(code)).result).toEqual(['<p><em>a</em></p>\n', 7]);
  });

  test('R-code-tools: a dependency comes along if it is allowed, and its other one is not missed', async () => {
    expect(await install('@scope/needs')).toMatchObject({ ok: true, output: { exports: ['doubled'] } });
    expect((await run("import add, { doubled } from '@scope/needs'; return [add(1), doubled]")).result).toEqual([
      22, 42,
    ]);
    // It came along, and is not installed itself.
    expect((await run("import 'needed'")).error).toMatchObject({ message: expect.stringContaining('"needed"') });
  });

  test('R-code-tools: a package takes its parts for browsers', async () => {
    expect(await install('for-browsers')).toMatchObject({ ok: true });
    expect((await run("import { kind, fs } from 'for-browsers'; return [kind, fs]")).result).toEqual(['browser', []]);
  });

  test.each([
    ['graceful-fs', 'invalid_input', /imports "(?:fs|constants|stream|util|assert)" of Node/],
    ['needs-more', 'invalid_input', /"not-allowed", which .* toolkits\.code\.packages does not allow/],
    ['with-scripts', 'invalid_input', /imports "fs" of Node/],
    ['endless', 'invalid_input', /does not run in the sandbox: LimitError/],
    ['broken', 'invalid_input', /cannot be used in the sandbox/],
    ['without-main', 'invalid_input', /cannot be used in the sandbox/],
    ['left-pad', 'forbidden', /not allowed/],
    ['constructor', 'forbidden', /not allowed/],
    ['../needed', 'invalid_input', /./],
    ['needed/index.js', 'invalid_input', /./],
  ])('R-code-tools: %s is refused', async (name, code, message) => {
    const before = registry.asked.length;
    const result = await install(name);
    expect(result).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(message) } });
    expect((await run(`return await import(${JSON.stringify(name)})`)).error).toBeDefined();
    if (code === 'forbidden') expect(registry.asked).toHaveLength(before);
  });

  test('R-code-tools: no script of a package runs, and what it does when it is loaded happens in the sandbox', async () => {
    const canary = join(folder, 'canary');
    expect(existsSync(canary)).toBe(false);
    // Control: where its script or its code runs outside of the sandbox, there is a file.
    const options = { cwd: registry.sourceOf('with-scripts'), stdio: 'pipe' } as const;
    for (const [program, ...rest] of [
      ['npm', 'run', 'preinstall'],
      [process.execPath, 'index.js'],
    ] as const) {
      execFileSync(program, rest, options);
      expect(existsSync(canary)).toBe(true);
      rmSync(canary);
    }
    expect(await install('reaching')).toMatchObject({ ok: true });
    expect((await run("import { reached } from 'reaching'; return reached")).result).toEqual([]);
  });

  test('R-durable-runs: a package whose answer was lost is installed again, and is there once', async () => {
    const { first, second } = await callTwice({ helve, tool: 'install_package', input: { name: 'needed' } });
    expect(second).toEqual({ ...second, ok: true, output: (first as { output?: unknown }).output });
    expect((await run("import { value } from 'needed'; return value")).result).toBe(21);
  });

  test('R-code-tools: only the version that is allowed', async () => {
    expect(await install('needed', { version: '1.0.1' })).toMatchObject({
      ok: false,
      error: { code: 'forbidden', message: 'needed is allowed in version 1.0.0 only' },
    });
    expect(await install('needed', { version: '1.0.0' })).toMatchObject({ ok: true });
  });

  test('R-code-tools: a registry that sends something else is noticed, and nothing is installed', async () => {
    registry.add('swapped', { 'index.js': 'exports.good = 1' });
    const other = await createTestHelve({ granted, config: configOf(registry.packages) });
    const path = { name: 'package/index.js', data: 'exports.evil = 1' };
    registry.replace('swapped', gzipSync(createTar([path, { name: 'package/package.json', data: '{}' }])));
    expect(await install('swapped', {}, other)).toMatchObject({
      ok: false,
      error: { code: 'egress_blocked', message: expect.stringContaining('is not what was allowed') },
    });
    expect((await run("import 'swapped'", other)).error).toBeDefined();
    await other.close();
  });

  test('R-code-tools: the paths in a tarball cannot leave its folder, and an invalid tarball is refused', async () => {
    const serve = async (name: string, bytes: Uint8Array): Promise<TestHelve> => {
      registry.add(name, { 'index.js': '' });
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      const packages = { ...registry.packages, [name]: { version: '1.0.0', integrity } };
      registry.replace(name, bytes);
      return createTestHelve({ granted, config: configOf(packages) });
    };
    const entries = [
      { name: 'package/../../needed/index.js', data: 'exports.value = "evil"' },
      { name: 'package/index.js', data: 'exports.value = require("./../../../../../../etc/passwd")' },
      { name: 'package/package.json', data: '{"dependencies":{"needed":"*"}}' },
    ];
    const climbing = await serve('climbing', gzipSync(createTar(entries)));
    expect(await install('climbing', {}, climbing)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    await climbing.close();
    const bomb = await serve('bomb', gzipSync(Buffer.alloc(80 * 1_048_576)));
    expect(await install('bomb', {}, bomb)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    await bomb.close();
    const rubbish = await serve('rubbish', Buffer.from('no tarball'));
    expect(await install('rubbish', {}, rubbish)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    await rubbish.close();
  });

  test('R-code-tools: a package is importable only in its workspace, and only while it is allowed', async () => {
    const dataDir = join(folder, 'data');
    const first = await createTestHelve({ granted, dataDir, config: configOf(registry.packages) });
    expect(await install('needed', {}, first)).toMatchObject({ ok: true });
    expect((await run("import { value } from 'needed'; return value", first)).result).toBe(21);
    const { workspaceId } = await first.ensureWorkspace('other');
    expect(workspaceId).not.toBe(first.workspaceId);
    const { principal } = await first.plane.redeemAdminLink(await first.adminLink(workspaceId));
    const code = "import { value } from 'needed'; return value";
    const elsewhere = await first.execute({ principal, tool: 'execute_code', input: { code } });
    expect(elsewhere).toMatchObject({ output: { error: { message: expect.stringContaining('"needed"') } } });
    await first.close();
    const { needed, ...others } = registry.packages;
    expect(needed).toBeDefined();
    const second = await createTestHelve({ granted, dataDir, workspace: 'third', config: configOf(others) });
    const { workspaceId: same } = await second.ensureWorkspace('default');
    const again = (await second.plane.redeemAdminLink(await second.adminLink(same))).principal;
    const later = await second.execute({ principal: again, tool: 'execute_code', input: { code } });
    expect(later).toMatchObject({ output: { error: { message: expect.stringContaining('"needed"') } } });
    await second.close();
  });

  test.each([
    ['a version that is a range', { a: { version: '^1.0.0', integrity: 'x' } }],
    ['an integrity that is weak', { a: { version: '1.0.0', integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' } }],
    ['a name that is a path', { '../a': { version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` } }],
  ])('R-code-tools: the configuration refuses %s', async (_name, packages) => {
    await expect(createTestHelve({ granted, config: configOf(packages) })).rejects.toMatchObject({
      code: 'invalid_config',
    });
  });
});

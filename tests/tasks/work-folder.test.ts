/** The folder of an issue: shared by the tools for files and for commands, reached by its workers alone, and removed in the end. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolResult } from '../../src/domain/execution.js';
import type { Principal } from '../../src/domain/principal.js';
import { createWorkFolders, type WorkFolder } from '../../src/plane/wiring/work-folders.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../src/testing/index.js';
import { untilIssue } from '../../src/testing/until-issue.js';
import { missing } from '../commands/ground.js';

let dataDir: string;
let helve: TestHelve;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'helve-work-'));
});
afterEach(async () => {
  await helve?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const programs = { allowed_commands: ['sh', 'cat', 'ls', 'git', 'ln', 'rm', 'dd'], disk_mb: 4 };

async function open(run_command: object = programs, more: TestHelveOptions = {}): Promise<void> {
  const toolConfig = { run_command } as unknown as NonNullable<TestHelveOptions['toolConfig']>;
  helve = await createTestHelve({ dataDir, toolConfig, ...more });
}

const scope = { apps: 'all', disabled: [], includeDefaults: true, requiredApps: [], impossible: [], why: {} } as const;
const workerOn = (issueId: string): Principal => ({ ...helve.agent, task: { issueId, ...scope } });
const call = (principal: Principal, tool: string, input: object): Promise<ToolResult> =>
  helve.plane.execute({ principal, tool, input });
const output = async (principal: Principal, tool: string, input: object) => {
  const result = await call(principal, tool, input);
  if (!result.ok) throw new Error(`${tool}: ${result.error.code} ${result.error.message}`);
  return result.output as Record<string, unknown>;
};
const refusal = async (principal: Principal, tool: string, input: object) => {
  const result = await call(principal, tool, input);
  return result.ok ? `it did: ${JSON.stringify(result.output)}` : result.error.code;
};
const shell = (principal: Principal, script: string) =>
  output(principal, 'run_command', { argv: ['sh', '-c', script] });

const folders = () => createWorkFolders({ dataDir, keepMs: 3_600_000, now: () => new Date() });
const folderOf = (issueId: string, workspaceId = helve.workspaceId): WorkFolder => {
  const folder = folders().find({ workspaceId, issueId });
  if (!folder) throw new Error('no folder');
  return folder;
};

describe('the tools for files', () => {
  test('R-agent-worker: reach the folder of the issue and nothing of another, of the workspace or of Helve', async () => {
    await open();
    const [one, two] = [workerOn('iss_1'), workerOn('github:acme/shop#2')];
    const free = helve.agent;
    expect(await output(one, 'write_file', { path: 'a.txt', content: 'one' })).toMatchObject({ path: '/work/a.txt' });
    await output(two, 'write_file', { path: '/work/b.txt', content: 'two' });
    await output(free, 'write_file', { path: 'c.txt', content: 'free' });
    const listed = async (who: Principal) => JSON.stringify(await output(who, 'list_dir', { path: '.' }));
    for (const [who, own, others] of [
      [one, 'a.txt', ['b.txt', 'c.txt']],
      [two, 'b.txt', ['a.txt', 'c.txt']],
      [free, 'c.txt', ['a.txt', 'b.txt']],
    ] as const) {
      expect(await listed(who)).toContain(own);
      for (const other of others) expect(await listed(who)).not.toContain(other);
    }
    const [ofOne, ofTwo] = [folderOf('iss_1'), folderOf('github:acme/shop#2')];
    expect(readFileSync(join(ofOne.files, 'a.txt'), 'utf8')).toBe('one');
    for (const path of [
      join(ofTwo.files, 'b.txt'),
      '../../iss_1/files/a.txt',
      '/work/../b.txt',
      join(ofOne.files, '..', 'issue'),
      join(dataDir, 'helve.db'),
      join(dataDir, 'files'),
    ])
      expect(await refusal(one, 'read_file', { path }), path).toBe('forbidden');
    // The path of the folder on the machine is never shown.
    expect(await listed(one)).not.toContain(dataDir);
  });

  test('attack: a link in the folder leads nowhere else', async () => {
    await open();
    const one = workerOn('iss_1');
    await output(one, 'write_file', { path: 'a.txt', content: 'one' });
    symlinkSync(dataDir, join(folderOf('iss_1').files, 'out'));
    expect(await refusal(one, 'list_dir', { path: 'out' })).toBe('forbidden');
    expect(await refusal(one, 'write_file', { path: 'out/new', content: 'x' })).toBe('forbidden');
    expect(existsSync(join(dataDir, 'new'))).toBe(false);
  });

  test('attack: an issue with the same name in another workspace has another folder', async () => {
    await open();
    expect(folderOf('iss_1').files).not.toBe(folderOf('iss_1', 'another').files);
  });

  test('R-files: where the operator allows paths, those are used', async () => {
    const allowed = mkdtempSync(join(tmpdir(), 'helve-allowed-'));
    const config = { allowed_paths: [`${allowed}/**`] };
    await open({}, { toolConfig: { write_file: config } as never });
    await output(workerOn('iss_1'), 'write_file', { path: 'a.txt', content: 'one' });
    expect(readdirSync(allowed)).toEqual(['a.txt']);
    rmSync(allowed, { recursive: true });
  });
});

describe.skipIf(missing)(`commands${missing ? ` (skipped: ${missing})` : ''}`, () => {
  test('R-agent-worker: share the folder with the tools for files, and with each other', async () => {
    await open();
    const one = workerOn('iss_1');
    await output(one, 'write_file', { path: 'in.txt', content: 'from a file tool\n' });
    await output(one, 'create_directory', { path: 'sub' });
    expect(await shell(one, 'cat in.txt; echo more >> in.txt; echo deep > sub/new; pwd')).toMatchObject({
      exit_code: 0,
      stdout: 'from a file tool\n/work\n',
    });
    expect(await output(one, 'read_file', { path: '/work/in.txt' })).toMatchObject({
      content: 'from a file tool\nmore\n',
      path: '/work/in.txt',
    });
    await output(one, 'write_file', { path: 'sub/new', content: 'over' });
    expect(await output(one, 'run_command', { argv: ['cat', 'new'], cwd: 'sub' })).toMatchObject({ stdout: 'over' });
    // Another issue, and whoever works on none, start in another folder: the control.
    expect(await shell(workerOn('iss_2'), 'ls')).toMatchObject({ stdout: '' });
    expect(await shell(helve.agent, 'ls; echo x > kept')).toMatchObject({ stdout: '' });
    expect(await shell(helve.agent, 'ls')).toMatchObject({ stdout: '' });
  });

  test('R-agent-worker: git works in it', async () => {
    await open();
    const one = workerOn('iss_1');
    await output(one, 'write_file', { path: 'readme', content: 'hello' });
    const script =
      'git init -q . && git config user.email a@example.com && git config user.name a && git add . && git commit -qm first';
    expect(await shell(one, script)).toMatchObject({ exit_code: 0 });
    expect(await shell(one, 'git log --format=%s')).toMatchObject({ stdout: 'first\n' });
  });

  test('attack: files of a command follow no link that an earlier command left, and links lead nowhere inside', async () => {
    await open();
    const one = workerOn('iss_1');
    const outside = mkdtempSync(join(tmpdir(), 'helve-outside-'));
    await shell(one, `ln -s ${outside} out; ln -s /oldroot${outside} old; ln -s ${join(dataDir, 'helve.db')} db`);
    for (const path of ['out/x', 'old/x'])
      expect(await call(one, 'run_command', { argv: ['ls'], files: { [path]: 'x' } }), path).toMatchObject({
        ok: false,
      });
    expect(readdirSync(outside)).toEqual([]);
    expect(await shell(one, 'cat db || echo none')).toMatchObject({ stdout: 'none\n' });
    expect(await refusal(one, 'read_file', { path: 'db' })).toBe('forbidden');
    expect(await output(one, 'run_command', { argv: ['cat', 'in/a'], files: { 'in/a': 'given' } })).toMatchObject({
      stdout: 'given',
    });
    rmSync(outside, { recursive: true });
  });

  test.skipIf(process.getuid?.() !== 0)(
    'R-agent-worker: as root, below a folder that is closed, commands say so, and files work (root only)',
    async () => {
      const outer = dataDir;
      dataDir = join(outer, 'data');
      await open();
      const one = workerOn('iss_1');
      expect(await output(one, 'write_file', { path: 'a', content: 'a' })).toMatchObject({ path: '/work/a' });
      const result = await call(one, 'run_command', { argv: ['ls'] });
      expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining(outer) } });
      chmodSync(outer, 0o711);
      expect(await shell(one, 'ls')).toMatchObject({ stdout: 'a\n' });
      await helve.close();
      rmSync(outer, { recursive: true });
    },
  );

  test('R-shell: what it holds is limited, and what is too much can be removed', async () => {
    await open();
    const one = workerOn('iss_1');
    const fill = 'for n in 1 2 3 4; do dd if=/dev/zero of=f$n bs=1M count=3 2>/dev/null; done; sleep 20';
    expect(await shell(one, fill)).toMatchObject({ stopped_by: 'disk' });
    expect(await shell(one, 'rm f*; sleep 1.5; ls')).toMatchObject({ exit_code: 0, stdout: '' });
    expect(await shell(one, 'dd if=/dev/zero of=f bs=1M count=9')).not.toMatchObject({ exit_code: 0 });
  });

  test('R-durable-runs: a command whose answer was lost is not run again: its result is found, or that it was cut short', async () => {
    await open();
    const { provider, tool } = (await helve.registry.find('shell', 'run_command')) ?? {};
    if (!provider?.probe || !tool) throw new Error('no tool');
    const ask = (effectKey: string, network = false) => ({
      tool,
      input: { argv: ['sh', '-c', 'echo ran >> log; cat log'], timeout: 10 },
      config: { ...programs, network },
      executionId: 'e1',
      effectKey,
      progress: () => undefined,
      caller: { kind: 'agent', id: 'a', name: 'a', workspaceId: helve.workspaceId, issueId: 'iss_1' } as const,
      signal: new AbortController().signal,
    });
    const since = new Date().toISOString();
    expect(await provider.probe(ask('one'), since)).toBeUndefined();
    const first = await provider.execute(ask('one'));
    expect(first.output).toMatchObject({ stdout: 'ran\n' });
    expect(await provider.probe(ask('one'), since)).toEqual(first);
    // A process that dies leaves the mark of the beginning.
    const { calls } = folderOf('iss_1');
    const [name = ''] = readdirSync(calls);
    (await import('node:fs')).writeFileSync(join(calls, name), 'begun');
    const cut = await provider.probe(ask('one'), since);
    expect(cut?.output).toMatchObject({ exit_code: 137, stderr: expect.stringContaining('/work') });
    await expect(provider.probe(ask('one', true), since)).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(await shell(workerOn('iss_1'), 'cat log')).toMatchObject({ stdout: 'ran\n' });
  });
});

describe('removal', () => {
  test('R-agent-worker: a folder outlives its issue for as long as it is kept, and no longer', async () => {
    await open();
    const { actors } = helve.storage.workspace(helve.workspaceId);
    const read = async (address: { readonly id: string }) =>
      (await actors.find({ kind: 'issue', id: address.id }))?.view;
    const [open1, ended] = await Promise.all(
      ['open', 'ended'].map(async (title) => (await helve.plane.createIssue(helve.admin, { title })).id),
    );
    const gone = 'iss_gone';
    for (const id of [open1, ended, gone]) await output(workerOn(id ?? ''), 'write_file', { path: 'a', content: 'a' });
    await helve.plane.cancelIssue(helve.admin, ended ?? '');
    await untilIssue(helve, ended ?? '', ({ state }) => state === 'cancelled');
    const at = (ms: number) => createWorkFolders({ dataDir, keepMs: 3_600_000, now: () => new Date(Date.now() + ms) });
    await at(0).sweep({ read } as never);
    expect(existsSync(folderOf(ended ?? '').files)).toBe(true);
    // The store may be the wrong one: it is not enough that it does not know the issue.
    expect(existsSync(folderOf(gone).files)).toBe(true);
    await at(3_700_000).sweep({ read } as never);
    expect(existsSync(folderOf(ended ?? '').files)).toBe(false);
    expect(existsSync(folderOf(gone).files)).toBe(false);
    expect(statSync(folderOf(open1 ?? '').files).isDirectory()).toBe(true);
  });
});

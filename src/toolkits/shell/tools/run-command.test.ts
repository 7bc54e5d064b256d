/** `run_command` through the whole pipeline and through a real MCP client. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, test } from 'vitest';
import { missing } from '../../../../tests/commands/ground.js';
import { atEnd, bearer, endAll, openRealDoor } from '../../../../tests/mcp/real-door.js';
import { createTestHelve, type TestHelve, type TestHelveOptions } from '../../../testing/index.js';

afterEach(endAll);

async function helveWith(run_command: Record<string, unknown> = {}): Promise<TestHelve> {
  const toolConfig = { run_command } as TestHelveOptions['toolConfig'];
  const helve = await createTestHelve({ granted: ['run_command'], ...(toolConfig && { toolConfig }) });
  atEnd(() => helve.close());
  return helve;
}
const programs = { allowed_commands: ['ls', 'sort', 'cat', 'sh', 'sleep', 'git'] };

describe.skipIf(missing)(`runs${missing ? ` (skipped: ${missing})` : ''}`, () => {
  test('R-shell: a command line, or words', async () => {
    const helve = await helveWith(programs);
    const line = await helve.call('run_command', { command: `sort -n 'my file'`, files: { 'my file': '10\n9\n' } });
    expect(line).toMatchObject({ ok: true });
    const { duration_ms, ...output } = (line.ok ? line.output : {}) as Record<string, unknown>;
    expect(output).toEqual({
      exit_code: 0,
      stdout: '9\n10\n',
      stderr: '',
      timed_out: false,
      signal: null,
      stopped_by: null,
      truncated: null,
    });
    expect(duration_ms).toBeGreaterThan(0);
    const words = await helve.call('run_command', {
      argv: ['cat', '-', 'a/b c'],
      stdin: 'in;',
      cwd: '.',
      files: { 'a/b c': '$x' },
    });
    expect(words).toMatchObject({ ok: true, output: { stdout: 'in;$x' } });
  });

  test('R-shell: the other name of the tool', async () => {
    const helve = await helveWith(programs);
    expect(await helve.call('execute_command', { command: 'ls -a' })).toMatchObject({
      ok: true,
      output: { stdout: '.\n..\n' },
    });
  });

  test('R-shell: how it ended', async () => {
    const helve = await helveWith({ ...programs, output_bytes: 4 });
    expect(await helve.call('run_command', { argv: ['sleep', '60'], timeout: 0.3 })).toMatchObject({
      ok: true,
      output: { exit_code: 137, timed_out: true, signal: 'SIGKILL', stopped_by: 'time' },
    });
    expect(await helve.call('run_command', { argv: ['sh', '-c', 'echo too long; exit 4'] })).toMatchObject({
      ok: true,
      output: { exit_code: 4, stdout: 'too ', truncated: { stdout_bytes: 5, stderr_bytes: 0 } },
    });
  });

  test('R-shell: the operator’s limit is above the caller’s', async () => {
    const helve = await helveWith({ ...programs, timeout_seconds: 0.3 });
    const result = await helve.call('run_command', { argv: ['sleep', '60'], timeout: 60 });
    expect(result).toMatchObject({ ok: true, output: { timed_out: true } });
    expect(result.durationMs).toBeLessThan(3_000);
  });

  test('R-shell: a real MCP client', async () => {
    const { alice } = await openRealDoor({
      granted: ['run_command'],
      toolConfig: { run_command: programs } as TestHelveOptions['toolConfig'],
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(alice.address), { requestInit: { headers: bearer(alice) } }),
    );
    atEnd(() => client.close());
    const ok = await client.callTool({ name: 'run_command', arguments: { command: 'sort', stdin: 'b\na\n' } });
    expect(ok).toMatchObject({ structuredContent: { exit_code: 0, stdout: 'a\nb\n' } });
    const refused = await client.callTool({ name: 'run_command', arguments: { command: 'cat /etc/passwd | sort' } });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain('Pipes are not run');
  });
});

describe('refuses', () => {
  const refusalOf = async (input: unknown, config: Record<string, unknown> = programs) => {
    const result = await (await helveWith(config)).call('run_command', input);
    return result.ok ? { code: 'it ran', message: JSON.stringify(result.output), hint: '' } : result.error;
  };

  test('R-shell: everything, until the operator lists programs', async () => {
    expect(await refusalOf({ command: 'ls' }, {})).toMatchObject({
      code: 'forbidden',
      hint: expect.stringContaining('allowed_commands'),
    });
  });

  test('R-shell: programs that are not listed, also by path', async () => {
    for (const command of ['rm -rf /', './ls', '/tmp/ls', 'LS', 'FOO=1 ls']) {
      const { code, hint } = await refusalOf({ command });
      expect([code, hint], command).toEqual(['forbidden', expect.stringContaining('ls, sort, cat')]);
    }
  });

  test('R-shell: what a shell would make more of', async () => {
    const { code, message, hint } = await refusalOf({ command: 'cat a; id' });
    expect([code, message, hint]).toEqual([
      'invalid_input',
      expect.stringContaining('";" at character 6'),
      expect.stringContaining('one command'),
    ]);
  });

  test('R-shell: blocked patterns, and invalid patterns', async () => {
    expect(
      await refusalOf({ command: 'git push origin --force' }, { ...programs, blocked_patterns: ['git push.*--force'] }),
    ).toMatchObject({ code: 'forbidden' });
    expect(await refusalOf({ command: 'ls' }, { ...programs, blocked_patterns: ['('] })).toMatchObject({
      code: 'invalid_config',
      hint: expect.stringContaining('blocked_patterns'),
    });
  });

  test('R-shell: places outside', async () => {
    expect(await refusalOf({ command: 'ls', cwd: '../..' })).toMatchObject({ code: 'forbidden' });
    expect(await refusalOf({ command: 'ls', files: { '../x': 'x' } })).toMatchObject({ code: 'invalid_input' });
    // That one is no fault of a call: the grant itself is refused.
    await expect(helveWith({ ...programs, read_paths: ['/etc'] })).rejects.toMatchObject({
      code: 'invalid_config',
      hint: expect.stringContaining('read_paths'),
    });
  });

  test('R-shell: both ways together, neither, and unknown inputs', async () => {
    for (const input of [
      {},
      { command: 'ls', argv: ['ls'] },
      { argv: [] },
      { command: '' },
      { command: 'ls', env: { PATH: '/tmp' } },
      { command: 'ls', timeout: 0 },
    ])
      expect(await refusalOf(input), JSON.stringify(input)).toMatchObject({ code: 'invalid_input' });
  });

  test('R-shell: a configuration that allows a path', async () => {
    await expect(helveWith({ allowed_commands: ['/bin/ls'] })).rejects.toMatchObject({
      code: expect.stringMatching(/invalid_/),
    });
  });
});

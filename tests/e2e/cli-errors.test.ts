/** How the command line ends: exit codes by kind, one form of errors, help on request, and its version. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  killChildren,
  program,
  removeTemporaryFolders,
  run,
  type Server,
  serve,
  temporaryFolder,
} from './support/server.js';

let server: Server;
let dataDir: string;
beforeAll(async () => {
  dataDir = await temporaryFolder('cli-errors');
  server = await serve(dataDir);
});
afterAll(async () => {
  await server?.stop();
  killChildren();
  await removeTemporaryFolders();
});

const helve = (...args: string[]) => run([...args, '--data', dataDir]);
const said = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await helve(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

/** One line with the error, at most one with the remedy, and nothing after them. */
const oneForm = /^error: [^\n]+ \([a-z_]+\)\n(?:hint: {2}[^\n]+\n)?$/;

describe('exit codes by kind', () => {
  test.each<[string, number, string, string[]]>([
    ['an unknown command', 2, 'invalid_input', ['sing']],
    ['an unknown option', 2, 'invalid_input', ['agents', '--nme', 'x']],
    ['a missing argument', 2, 'invalid_input', ['tools', 'search']],
    ['an option that is not a number', 2, 'invalid_input', ['serve', '--port', 'many']],
    ['days that are not a number', 2, 'invalid_input', ['key', 'x', '--role', 'admin', '--days', 'many']],
    ['arguments that are no JSON', 2, 'invalid_input', ['call', 'calculate', '{expression}']],
    ['arguments that do not fit', 2, 'invalid_input', ['call', 'calculate', '{"nothing":1}']],
    [
      'a tool that was not granted',
      3,
      'not_granted',
      ['call', 'fetch_url', '{"url":"https://x.example"}', '--agent', 'bare'],
    ],
    ['a name that is taken', 1, 'conflict', ['agents', 'create', 'bare']],
    [
      'a call that a person must approve',
      4,
      'approval_required',
      ['call', 'key_value_set', '{"key":"k","value":1}', '--agent', 'first'],
    ],
    ['a tool that does not exist', 5, 'tool_not_found', ['call', 'nothing']],
    ['an agent that does not exist', 5, 'not_found', ['grants', 'nobody']],
    ['a policy that does not exist', 5, 'not_found', ['policies', 'remove', 'nothing']],
    ['a description of an unknown tool', 5, 'tool_not_found', ['tools', 'describe', 'calculat']],
  ])('R-cli: %s ends with %i', async (_what, exit, code, args) => {
    if (args.includes('bare') && args[0] === 'call') await helve('agents', 'create', 'bare');
    if (exit === 4) await said('policies', 'set', 'ask', '--effect', 'require_approval', '--tool', 'key_value_set');
    const { code: found, stdout, stderr } = await helve(...args);
    expect([found, stdout]).toEqual([exit, '']);
    expect(stderr).toMatch(oneForm);
    expect(stderr).toContain(`(${code})`);
    const programs = await helve(...args, '--json');
    expect(programs.code).toBe(exit);
    expect(JSON.parse(programs.stderr).error).toMatchObject({ code });
    if (exit === 4) await said('policies', 'remove', 'ask');
  });

  test.each<[string, string[], string, string]>([
    [
      'an unknown command of a group',
      ['agents', 'creat', 'x'],
      "Unknown command 'agents creat'",
      'There are list, create',
    ],
    ['a group without a command', ['vault'], 'Name a command of helve vault', 'helve vault --help'],
    ['a missing argument of a command', ['users', 'add'], "Missing required argument 'name'", 'helve users add --help'],
    ['an option before the command', ['--data', 'x', 'tools'], "Unknown option '--data'", 'Options come after'],
    ['an account without its secret', ['connect', 'github'], 'The sign-in needs token', '--secret-file token='],
    [
      'a secret in no file',
      ['connect', 'github', '--secret-file', 'token=no/file'],
      'no/file cannot be read',
      'Name a file',
    ],
    ['a recipe in no file', ['recipe', 'set', 'fix', '--file', 'no/file'], 'no/file: it does not exist', 'Name a file'],
    ['a recipe that is a folder', ['recipe', 'set', 'fix', '--file', tmpdir()], 'it is a folder', 'Name a file'],
    ['a key without rights', ['key', 'ci'], 'either permissions or a role', '--permissions or --role'],
    ['an unknown approval', ['approve', 'nothing'], 'There is no such approval', 'List the approvals'],
  ])('R-cli: the error for %s names the remedy', async (_what, args, message, hint) => {
    const { stderr } = ['--data', 'vault'].includes(args[0] ?? '') ? await run(args) : await helve(...args);
    expect(stderr).toMatch(oneForm);
    const [first, second] = stderr.split('\n');
    expect(first).toContain(message);
    expect(second).toContain(hint);
  });

  test('R-cli: a server that does not exist or does not respond ends with 6', async () => {
    const never = await run(['tools', '--data', join(tmpdir(), 'no-helve-was-here')]);
    expect(never).toMatchObject({ code: 6, stdout: '', stderr: expect.stringMatching(oneForm) });
    const gone = await run(['tools', '--url', 'http://127.0.0.1:9', '--token', 'x']);
    expect(gone).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/^error: Helve does not respond .*\nhint: {2}/),
    });
  });

  test('R-cli: a connection that is lost before the answer is an unknown outcome', async () => {
    const server = createServer((request) => void request.socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const lost = await run(['call', 'calculate', '{}', '--url', `http://127.0.0.1:${port}`, '--token', 'x']);
    expect(lost).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^error: The connection to Helve was lost before it answered \(outcome_unknown\)\nhint: {2}/,
      ),
    });
    server.close();
  });

  test('R-cli: help is printed on request, on standard output, and so is the version', async () => {
    for (const args of [['--help'], ['agents', '--help'], ['help', 'call']]) {
      const { code, stdout, stderr } = await run(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^Usage: helve/);
    }
    expect((await run([])).stderr).not.toContain('Usage');
    expect(await run(['--version'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
    expect((await run([])).stderr).toMatch(oneForm);
  });
});

describe('policies', () => {
  test('R-cli: set, list, try and remove', async () => {
    expect(await said('policies', 'try', 'calculate', '--agent', 'first')).toMatch(/^allow: /);
    const set = ['policies', 'set', 'no-sums', '--effect', 'deny', '--agent', 'first', '--tool', 'MATH_CALCULATE'];
    const when = '{"properties":{"expression":{"const":"1+1"}},"required":["expression"]}';
    expect(await said(...set, '--arguments', when, '--reason', 'No sums')).toBe('Added the policy no-sums.\n');
    expect(await said('policies')).toMatch(/no-sums\s+deny\s+.*math\.calculate.*No sums/);
    const tried = await said('policies', 'try', 'calculate', '{"expression":"1+1"}', '--agent', 'first');
    expect(tried).toMatch(/^deny: No sums \(policy:no-sums\)/);
    expect(await said('policies', 'try', 'calculate', '{"expression":"2+2"}', '--agent', 'first')).toMatch(/^allow: /);
    expect((await helve('call', 'calculate', '{"expression":"1+1"}', '--agent', 'first')).code).toBe(3);
    const mistyped = await helve('policies', 'try', 'calculat', '--agent', 'first');
    expect(mistyped).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringMatching(/Did you mean calculate\?\n$/),
    });
    expect(await said(...set, '--rate', '10/60')).toBe('Replaced the policy no-sums.\n');
    expect(await said('policies', 'set', 'stop', '--effect', 'deny')).toBe(
      'Added the policy stop. It has no conditions: it applies to every call.\n',
    );
    expect(await said('tools', '--agent', 'first')).toMatch(/^No tools\. A policy may deny them/);
    expect(await said('policies', 'remove', 'stop')).toBe('Removed the policy stop.\n');
    expect(JSON.parse(await said('policies', 'list', '--json')).policies).toMatchObject([
      { id: 'no-sums', rateLimit: { calls: 10, seconds: 60 } },
    ]);
    expect(await said('policies', 'remove', 'no-sums')).toBe('Removed the policy no-sums.\n');
    expect(await said('policies')).toBe('No policies.\n');
  });

  test.each<[string, string[], RegExp]>([
    ['an unknown effect', ['--effect', 'maybe'], /Use allow, require_approval, deny/],
    ['an unknown tier', ['--effect', 'deny', '--risk', 'wild'], /Use read, write, destructive/],
    ['an invalid rate', ['--effect', 'deny', '--rate', 'often'], /10\/60/],
    ['arguments that are not a schema', ['--effect', 'deny', '--arguments', '[]'], /must be a JSON object/],
    ['a tool that does not exist', ['--effect', 'deny', '--tool', 'calculat'], /Did you mean calculate/],
    ['a pattern that matches nothing', ['--effect', 'deny', '--tool', 'nothing.*'], /^error: There is no tool/],
  ])('R-cli: %s is refused and nothing is set', async (_what, options, said_) => {
    const { code, stderr } = await helve('policies', 'set', 'bad', ...options);
    expect([code, stderr]).toEqual([2, expect.stringMatching(said_)]);
    expect(JSON.parse(await said('policies', '--json')).policies).toEqual([]);
  });
});

test('R-cli R-grants: tools are granted by toolkit, tier and pattern, and a choice that means nothing is refused', async () => {
  const tokenFile = join(dataDir, 'token');
  await writeFile(tokenFile, 'ghp_0123456789');
  await said('agents', 'create', 'reader');
  expect(await said('grant', 'reader', 'files', '--risk', 'read')).toBe(
    'reader may now use file_info, list_dir, read_file, search_files.\n',
  );
  expect(await said('grant', 'reader', '--risk', 'read')).toMatch(
    /^reader may now use \d+ tools, newly (?:[\w-]+, )*[\w-]+(?: and \d+ more)? \(all: helve grants reader --granted\)\.\n$/,
  );
  expect(await said('ungrant', 'reader', '--risk', 'read')).toBe('reader may now use nothing.\n');
  expect(await said('grant', 'reader', 'key_value_*', 'calculate')).toMatch(
    /calculate, key_value_delete, key_value_get/,
  );
  await said('connect', 'github', '--name', 'Work', '--secret-file', `token=${tokenFile}`, '--no-check');
  expect(await said('grant', 'reader', 'work__get_issue')).toMatch(
    /calculate, .*, work__get_issue\.\n {2}acts with work \(workspace, added by command line\)\n$/,
  );
  expect(await said('grants', 'reader', '--toolkit', 'github')).toMatch(
    /^reader +github +work \(workspace, added by command line\) +1 +\d+ +work__get_issue$/m,
  );
  for (const args of [['nothing__list_*'], ['--toolkit', 'garden'], ['files', '--risk', 'wild'], []]) {
    const { code, stderr } = await helve('grant', 'reader', ...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(oneForm)]);
  }
});

describe('completion', () => {
  const run_ = promisify(execFile);
  const has = async (shell: string) =>
    run_(shell, ['--version']).then(
      () => true,
      () => false,
    );

  test('R-cli: bash completes commands, what comes below them, and options', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'helve-completion-'));
    const script = join(folder, 'completion.bash');
    await writeFile(script, (await run(['completion', 'bash'])).stdout);
    const completed = async (...words: string[]): Promise<string[]> => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const line = `source '${script}'; COMP_WORDS=(helve ${list}); COMP_CWORD=${words.length}; _helve; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return (await run_('bash', ['-c', line])).stdout.trim().split('\n');
    };
    expect(await completed('po')).toEqual(['policies']);
    expect(await completed('policies', '')).toEqual(expect.arrayContaining(['list', 'set', 'remove', 'try']));
    expect(await completed('policies', 'set', '--e')).toEqual(['--effect', '--elicitation']);
    expect(await completed('grant', 'reader', '--ri')).toEqual(['--risk']);
  });

  test.each(['zsh', 'fish'])('R-cli: %s gets a script with every command', async (shell) => {
    const { code, stdout } = await run(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['policies', 'serve', '--effect'.replace('--', ''), 'try']) expect(stdout).toContain(word);
    if (!(await has(shell))) return;
    const folder = await mkdtemp(join(tmpdir(), 'helve-completion-'));
    await writeFile(join(folder, 'script'), stdout);
    await run_(shell, ['-n', join(folder, 'script')]);
  });

  test('R-cli: another shell is refused with those that there are', async () => {
    const { code, stderr } = await run(['completion', 'tcsh']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
  });
});

test('R-cli: a value that only the server can judge sends a person to the help of the command', async () => {
  const { code, stderr } = await helve('audit', '--since', 'yesterday');
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^error: since: .*\nhint: {2}For help: helve audit list --help\n$/),
  ]);
});

test('R-cli: a program that is not built says how to build it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'helve-unbuilt-'));
  const { readFile, mkdir } = await import('node:fs/promises');
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/helve.mjs'), await readFile(program));
  const ended = await promisify(execFile)(process.execPath, [join(folder, 'bin/helve.mjs')]).catch((error) => error);
  expect([ended.code, ended.stderr]).toEqual([
    1,
    'error: Helve is not built yet\nhint:  Run npm start, which builds it and serves, or npm run build\n',
  ]);
});

describe('a data folder that this user may not read', () => {
  /** The command as another user if this is root, to whom nothing is closed. */
  async function runShutOut(niceness: number, ...args: string[]) {
    const closed = await temporaryFolder('closed');
    await chmod(closed, 0o000);
    const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const command = ['-n', String(niceness), process.execPath, program, ...args, '--data', closed];
    const ended = await promisify(execFile)('nice', command, {
      ...as,
      env: { PATH: process.env.PATH },
    }).catch((failed) => failed as { code: number; stderr: string });
    await chmod(closed, 0o700);
    return { closed, ended };
  }

  test.each([
    ['tools'],
    ['backup', '/tmp/helve-never-made.backup'],
    ['upgrade', '--check'],
  ])('R-cli: %s says so, and not that nothing is there', async (...args) => {
    const { closed, ended } = await runShutOut(0, ...args);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`This user may not read ${closed}`) });
  });

  test('R-operate: a backup that runs at a lower priority than its own does not try to raise it', async () => {
    const { closed, ended } = await runShutOut(15, 'backup', '/tmp/helve-never-made.backup');
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`This user may not read ${closed}`) });
  });
});

/** What the wall allows and refuses, and the environment that a command sees. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Ground,
  limits,
  missing,
  openGround,
  refusal,
  run,
  wall,
  workers,
} from '../../../tests/commands/ground.js';
import { checkArguments, checkBlocked, resolveProgram } from './allowed.js';
import { checkCwd, checkFiles, checkReadPaths } from './read-paths.js';
import { createCommandWall } from './wall.js';

let ground: Ground;
let data: string;
beforeAll(async () => {
  ground = await openGround();
  data = mkdtempSync(join(tmpdir(), 'helve-data-'));
  makeReadable(data);
});
afterAll(async () => {
  await ground.close();
  await wall.close();
  rmSync(data, { recursive: true });
});

function makeReadable(folder: string): void {
  rmSync(folder, { recursive: true });
  mkdirSync(join(folder, 'sub'), { recursive: true, mode: 0o755 });
  writeFileSync(join(folder, 'sub', 'data.csv'), 'a,b\n');
}

const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'passed';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('which program', () => {
  test('R-shell: only a listed name, or the path that it means', () => {
    const allowed = ['cat', 'sort'];
    const path = resolveProgram('cat', allowed);
    expect(path).toMatch(/^\/(usr\/)?(local\/)?bin\/cat$/);
    expect(resolveProgram(path, allowed)).toBe(path);
    const refused = [
      'rm',
      './cat',
      '../cat',
      'bin/cat',
      '/tmp/cat',
      '/usr/bin/../bin/cat',
      '/usr/bin/rm',
      'Cat',
      'cat.exe',
      'cat ',
      ' cat',
      '.',
      '..',
      '/',
      '',
      'ca\u0074\u200b',
    ];
    expect(refused.filter((name) => codeOf(() => resolveProgram(name, allowed)) !== 'forbidden')).toEqual([]);
  });

  test('R-shell: a refusal names what is allowed, or what the operator must set', async () => {
    const other = await refusal(run(['rm', '-rf', '/']));
    expect([other.code, other.hint]).toEqual([
      'forbidden',
      'Allowed programs: sh, python3, perl, cat, true. Name the program without a path.',
    ]);
    const none = await refusal(run(['cat'], {}, { allowedCommands: [] }));
    expect([none.code, none.hint]).toEqual(['forbidden', expect.stringContaining('`allowed_commands`')]);
    const absent = await refusal(run(['no-such-program'], {}, { allowedCommands: ['no-such-program'] }));
    expect([absent.code, absent.message]).toEqual(['invalid_config', expect.stringContaining('"no-such-program"')]);
  });

  test('R-shell: arguments without a program, with NUL or too long', () => {
    expect(codeOf(() => checkArguments([]))).toBe('invalid_input');
    expect(codeOf(() => checkArguments(['']))).toBe('invalid_input');
    expect(codeOf(() => checkArguments(['cat', 'a\0b']))).toBe('invalid_input');
    expect(codeOf(() => checkArguments(['cat', 'a'.repeat(100_000)]))).toBe('too_large');
    expect(codeOf(() => checkArguments(['cat', ...Array(1_024).fill('a')]))).toBe('too_large');
  });

  test('R-shell: blocked patterns are matched against the whole line, in linear time', async () => {
    const blocked = (argv: string[], patterns: string[]) =>
      checkBlocked(argv, patterns, { workers }).then(
        () => 'passed',
        (error) => error.code,
      );
    expect(await blocked(['git', 'push', '--force'], ['push.*--force'])).toBe('forbidden');
    expect(await blocked(['git', 'push'], ['push.*--force', '^rm '])).toBe('passed');
    expect(await blocked(['cat'], ['(unclosed'])).toBe('invalid_config');
    expect(await blocked(['cat'], ['(?=x)'])).toBe('invalid_config');
    const since = performance.now();
    expect(await blocked(['cat', `${'a'.repeat(50_000)}!`], ['(a+)+$'])).toBe('passed');
    expect(performance.now() - since).toBeLessThan(3_000);
  });
});

describe('which places', () => {
  test('R-shell: the operator cannot expose what commands must not see', () => {
    const hidden = join(data, 'sub');
    const link = `${data}-link`;
    symlinkSync('/etc', link);
    const refused = [
      '/',
      '/etc',
      '/etc/ssl',
      '/proc',
      '/proc/1',
      '/dev',
      '/run',
      '/var/run/x',
      '/work',
      'relative',
      '/no/such/folder',
      '/tmp/../etc',
      link,
    ];
    expect(refused.filter((path) => codeOf(() => checkReadPaths([path], [])) !== 'invalid_config')).toEqual([]);
    for (const path of [data, hidden, join(hidden, 'data.csv'), '/tmp'])
      expect(
        codeOf(() => checkReadPaths([path], [hidden])),
        path,
      ).toBe('invalid_config');
    expect(checkReadPaths([`${data}//`, '/usr/share'], ['/elsewhere'])).toEqual([data]);
    rmSync(link);
  });

  test('R-shell: cwd is below the work folder or in a read path', () => {
    expect([undefined, '.', 'a/b', '/work/a', 'a/../b'].map((cwd) => checkCwd(cwd, []))).toEqual([
      '/work',
      '/work',
      '/work/a/b',
      '/work/a',
      '/work/b',
    ]);
    expect(checkCwd(`${data}/sub`, [data])).toBe(`${data}/sub`);
    for (const cwd of ['..', '/', '/etc', '/workshop', 'a/../../etc', `${data}-other`, `${data}/../x`])
      expect(
        codeOf(() => checkCwd(cwd, [data])),
        cwd,
      ).toBe('forbidden');
  });

  test('R-shell: files go below the work folder', () => {
    const bytes = Buffer.from('x');
    expect(Object.keys(checkFiles({ 'a/./b.txt': bytes, 'c d': bytes }, 1))).toEqual(['a/b.txt', 'c d']);
    for (const name of ['/etc/passwd', '../x', 'a/../../x', '.', '', 'a/', 'a\0b', 'x'.repeat(256)])
      expect(
        codeOf(() => checkFiles({ [name]: bytes }, 1)),
        name,
      ).toBe('invalid_input');
    expect(codeOf(() => checkFiles({ a: bytes, 'a/b': bytes }, 1))).toBe('invalid_input');
    expect(codeOf(() => checkFiles({ a: bytes, './a': bytes }, 1))).toBe('invalid_input');
    expect(codeOf(() => checkFiles({ a: Buffer.alloc(1_048_577) }, 1))).toBe('too_large');
    expect(
      codeOf(() => checkFiles(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`f${at}`, bytes])), 1)),
    ).toBe('too_large');
  });
});

describe.skipIf(missing)(`inside${missing ? ` (skipped: ${missing})` : ''}`, () => {
  test('R-shell: output, exit status, signals and input', async () => {
    const plain = await run(['sh', '-c', 'cat; echo complaint >&2; exit 3'], { stdin: 'Grüße\n' });
    expect(plain).toMatchObject({
      exitCode: 3,
      signal: null,
      stdout: 'Grüße\n',
      stderr: 'complaint\n',
      timedOut: false,
      stoppedBy: null,
    });
    expect(await run(['sh', '-c', 'kill -TERM $$'])).toMatchObject({
      exitCode: null,
      signal: 'SIGTERM',
      stoppedBy: null,
    });
    expect(await run(['true'], { stdin: 'x'.repeat(1_000_000) })).toMatchObject({ exitCode: 0 });
    expect((await run(['cat'])).stdout).toBe('');
    expect((await run(['sh', '-c', String.raw`printf 'a\377b'`])).stdout).toBe('a\ufffdb');
  });

  test('R-shell: no shell reads the arguments', async () => {
    const words = [
      '$(id)',
      '`id`',
      ';id',
      '|id',
      '>f',
      '*',
      '~',
      '$HOME',
      '-n',
      'two words',
      "it's",
      '"',
      '\\',
      '',
      'é\n',
    ];
    const { stdout } = await run(['python3', '-c', 'import sys, json; print(json.dumps(sys.argv[1:]))', ...words]);
    expect(JSON.parse(stdout)).toEqual(words);
  });

  test('R-shell: a new work folder for each command, with the requested files', async () => {
    const files = { 'in/a.txt': Buffer.from('inside\n'), b: Buffer.from([0, 255]) };
    const first = await run(['sh', '-c', 'pwd; cat a.txt; wc -c <../b; echo more >>a.txt; touch /tmp/mark ../mark'], {
      files,
      cwd: 'in',
    });
    expect(first.stdout).toBe('/work/in\ninside\n2\n');
    expect((await run(['sh', '-c', 'ls /work /tmp /dev/shm'])).stdout).toBe('/dev/shm:\n\n/tmp:\n\n/work:\n');
  });

  test('R-shell: read paths can be read, not written, and nothing next to them is visible', async () => {
    const shown = { readPaths: [join(data, 'sub')] };
    const { stdout } = await run(
      ['sh', '-c', 'pwd; cat data.csv; echo x >data.csv || ls -A ..'],
      { cwd: join(data, 'sub') },
      shown,
    );
    expect(stdout).toBe(`${data}/sub\na,b\nsub\n`);
    expect((await refusal(run(['true'], { cwd: join(data, 'sub', 'absent') }, shown))).code).toBe('not_found');
  });

  test('R-shell: network access uses that of the machine, but none of its sockets without a port', async () => {
    const code = `
import socket, sys
socket.create_connection(('127.0.0.1', int(sys.argv[1])), 2).close()
try: socket.socket(socket.AF_UNIX)
except OSError as error: print(error.strerror)`;
    const argv = ['python3', '-c', code, String(ground.port)];
    expect(await run(argv, {}, { network: true })).toMatchObject({
      exitCode: 0,
      stdout: 'Address family not supported by protocol\n',
    });
    expect(ground.touched()).toEqual(['a service on 127.0.0.1']);
    expect(await run(argv)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Connection refused') });
    expect(ground.touched()).toEqual([]);
  });

  test('R-shell: programs that many need still run', async () => {
    const node = await run(['node', '-e', 'console.log(1 + 1)'], {}, { allowedCommands: ['node'] }).catch(
      (error) => error,
    );
    // Installed outside the folders that commands see, as with version managers.
    if (node.code !== 'invalid_config') expect(node.stdout).toBe('2\n');
    const threads =
      'import threading, subprocess; t = threading.Thread(target=print, args=("in a thread",)); t.start(); t.join(); print(subprocess.check_output(["echo", "child"], text=True), end="")';
    expect((await run(['python3', '-c', threads])).stdout).toBe('in a thread\nchild\n');
    expect((await run(['perl', '-e', 'print join ",", sort { $a <=> $b } 10, 9'])).stdout).toBe('9,10');
  });

  test('R-shell: too many simultaneous commands are refused, and closing ends running ones', async () => {
    const other = createCommandWall(workers);
    const start = () => other.run({ argv: ['sh', '-c', 'sleep 60'] }, limits, new AbortController().signal);
    await other.checks();
    const outcomes = Array.from({ length: 17 }, () =>
      start().then(
        ({ signal }) => signal,
        (error) => error.code,
      ),
    );
    expect(await Promise.race(outcomes)).toBe('rate_limited');
    const since = performance.now();
    await other.close();
    expect((await Promise.all(outcomes)).sort()).toEqual(['rate_limited', ...Array(16).fill('shutting_down')]);
    expect(performance.now() - since).toBeLessThan(3_000);
    expect((await refusal(start())).code).toBe('shutting_down');
  });
});

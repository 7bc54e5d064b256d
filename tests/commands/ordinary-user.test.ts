/**
 * Most people run Helve as an ordinary user, but these tests often run as root. So a child process that switches to one runs
 * the core of them, with the egress code compiled into a folder that it may read.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFileSync } from '@swc/core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { alive, limits, missing, wall } from './ground.js';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
const why = missing ?? (process.geteuid?.() === 0 ? undefined : 'all tests run as an ordinary user already');
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'helve-user-'));
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const packages = new Set<string>();
  for (const part of ['walls/commands', 'domain', 'util', 'util/sandbox']) {
    mkdirSync(join(folder, part), { recursive: true });
    for (const name of readdirSync(join(source, part)).filter((each) => /(?<!\.test)\.ts$/.test(each))) {
      const { code } = transformFileSync(join(source, part, name), {
        swcrc: false,
        module: { type: 'es6' },
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      });
      writeFileSync(join(folder, part, name.replace(/ts$/, 'js')), code);
      for (const [, imported = ''] of code.matchAll(/(?:from|import\()\s*["']((?:@[^/"']+\/)?[^./"'@:][^/"':]*)["'/]/g))
        packages.add(imported);
    }
  }
  // Copied and not linked: the clone may be below a folder that other users cannot enter.
  for (const name of packages)
    cpSync(join(modules, name), join(folder, 'node_modules', name), { recursive: true, dereference: true });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await wall.close();
});

const script = `
import { createWorkers } from './util/sandbox/workers.js';
import { createCommandWall } from './walls/commands/index.js';
const wall = createCommandWall(createWorkers());
const limits = ${JSON.stringify({ ...limits, blockedPatterns: ['^sh -c blocked'] })};
const run = (argv, more = {}) => wall.run({ argv }, { ...limits, ...more }, new AbortController().signal);
const code = (promise) => promise.then(() => 'ran', (error) => error.code);
const many = \`
import os, time
for _ in range(8):
    if os.fork() == 0:
        held = bytearray(b'x') * (60 * 1048576)
        time.sleep(60)
time.sleep(60)\`;
const files = 'import os\\nn = 0\\nwhile True:\\n    os.close(os.open("f%d" % n, os.O_CREAT)); n += 1';
const outcome = {
  uid: process.getuid(),
  checks: await wall.checks(),
  who: (await run(['sh', '-c', 'id -u; grep -c . /etc/passwd; ls /home /root 2>/dev/null | wc -l'])).stdout,
  shadow: (await run(['cat', '/etc/shadow', process.argv[1]])).exitCode,
  write: (await run(['sh', '-c', 'echo x >/usr/bin/made || echo x >' + process.argv[1]])).exitCode,
  environment: (await run(['cat', '/proc/1/environ'])).stdout.includes('CANARY'),
  network: (await run(['python3', '-c', 'import socket; socket.create_connection(("127.0.0.1", 22), 1)'])).exitCode,
  namespace: (await run(['sh', '-c', 'unshare -U true'])).exitCode,
  host: (await run(['sh', '-c', 'kill -0 ' + process.pid])).exitCode,
  time: (await run(['sh', '-c', 'setsid sleep 61.25 & trap "" TERM; sleep 61.25'], { timeoutMs: 400 })).stoppedBy,
  memory: (await run(['python3', '-c', many], { memoryMb: 128 })).stoppedBy,
  files: (await run(['python3', '-c', files])).stoppedBy,
  cpu: (await run(['python3', '-c', 'while True: pass'], { cpuSeconds: 1 })).stoppedBy,
  blocked: await code(run(['sh', '-c', 'blocked'])),
  other: await code(run(['ls'])),
};
await wall.close();
console.log(JSON.stringify(outcome));
`;

test.skipIf(why).for([65_534, 1_000])(`R-shell: the same for user %i${why ? ` (skipped: ${why})` : ''}`, (uid) => {
  writeFileSync(join(folder, 'script.js'), script);
  const child = spawnSync(process.execPath, [join(folder, 'script.js'), '--title=x'], {
    uid,
    gid: uid,
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', HELVE_CANARY: 'canary' },
  });
  expect(child.status, child.stderr).toBe(0);
  const { checks, ...outcome } = JSON.parse(child.stdout);
  expect(checks).toEqual([{ check: 'commands', ok: true, detail: 'run_command is confined by bubblewrap' }]);
  expect(outcome).toEqual({
    uid,
    who: '1000\n2\n0\n',
    shadow: 1,
    write: 2,
    environment: false,
    network: 1,
    namespace: 1,
    host: 1,
    time: 'time',
    memory: 'memory',
    files: 'files',
    cpu: 'cpu',
    blocked: 'forbidden',
    other: 'forbidden',
  });
});

test.skipIf(why)('R-shell: when Helve is killed, its commands are killed too', async () => {
  for (const uid of [0, 1_000]) {
    const mark = `6${uid}.5125`;
    writeFileSync(
      join(folder, 'killed.js'),
      `
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createWorkers } from './util/sandbox/workers.js';
import { createCommandWall } from './walls/commands/index.js';
const wall = createCommandWall(createWorkers());
await wall.checks();
const argv = ['sh', '-c', 'setsid sleep ${mark} & sleep ${mark}'];
wall.run({ argv }, { ...${JSON.stringify(limits)}, timeoutMs: 60000 }, new AbortController().signal);
const sleeping = () => {
  const pids = readdirSync('/proc').filter((pid) => existsSync('/proc/' + pid + '/cmdline'));
  const lines = pids.map((pid) => { try { return readFileSync('/proc/' + pid + '/cmdline', 'utf8'); } catch { return ''; } });
  return lines.filter((line) => line.split('\\0').join(' ') === 'sleep ${mark} ').length;
};
const end = Date.now() + 20000;
while (sleeping() < 2 && Date.now() < end) await new Promise((done) => setTimeout(done, 50));
console.log(sleeping());
process.kill(process.pid, 'SIGKILL');
`,
    );
    const child = spawnSync(process.execPath, [join(folder, 'killed.js')], {
      uid,
      gid: uid,
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin' },
    });
    expect([child.signal, child.stdout], child.stderr).toEqual(['SIGKILL', '2\n']);
    await vi.waitFor(() => expect(alive(mark)).toEqual([]), { timeout: 20_000 });
  }
});

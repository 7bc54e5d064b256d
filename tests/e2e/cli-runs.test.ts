/** `helve run` and `helve runs` against a real server: exit codes, plain lines, waiting, deciding, Ctrl-C. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cleanEnvironment,
  killChildren,
  program,
  removeTemporaryFolders,
  run,
  type Server,
  serve,
  temporaryFolder,
} from './support/server.js';

let dataDir: string;
let server: Server;

beforeAll(async () => {
  dataDir = await temporaryFolder('cli-runs');
  await writeFile(join(dataDir, 'helve.yaml'), 'limits: { per_ip: null }\n');
  server = await serve(dataDir);
});
afterAll(async () => {
  await server.stop();
  killChildren();
  await removeTemporaryFolders();
});

const helve = (...args: string[]) => run([...args, '--data', dataDir]);

async function file(name: string, code: string): Promise<string> {
  const path = join(dataDir, `${name}.ts`);
  await writeFile(path, code);
  return path;
}

/** A command that is still running, and what it has said so far. */
function begin(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args, '--data', dataDir], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const waiters: { pattern: RegExp; resolve: (found: RegExpMatchArray) => void }[] = [];
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
    for (const { pattern, resolve } of waiters) {
      const found = stderr.match(pattern);
      if (found) resolve(found);
    }
  });
  return {
    child,
    ended,
    says: (pattern: RegExp) => new Promise<RegExpMatchArray>((resolve) => waiters.push({ pattern, resolve })),
  };
}

/** Runs the command on a terminal of its own (util-linux `script`), and answers its question. */
async function onTerminal(answer: string, ...args: string[]) {
  const words = [process.execPath, program, ...args, '--data', dataDir].map((word) => `'${word}'`);
  const child = spawn('script', ['--quiet', '--return', '--command', words.join(' '), '/dev/null'], {
    env: cleanEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.on('data', (chunk) => {
    const isAsked = (): boolean => /\[y\/N\]|> /.test(screen);
    const before = isAsked();
    screen += chunk;
    if (!before && isAsked()) child.stdin.write(`${answer}\n`);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, screen };
}

const write = (path: string) =>
  `await files.writeFile({ path: '${path}', content: 'hello' }); return { wrote: '${path}' }`;

describe('R-cli: programs', () => {
  test('R-cli R-durable-runs: a program runs to its end; its calls are lines, its value is the output', async () => {
    const path = await file(
      'sum',
      "console.log('adding'); return (await math.calculate({ expression: '6*7' })).result",
    );
    const done = await helve('run', path, '--agent', 'first');
    expect([done.code, done.stdout]).toEqual([0, '42\n']);
    expect(done.stderr).toBe('  1  calculate  ok\nadding\n');
    const json = JSON.parse((await helve('run', path, '--json')).stdout);
    expect(json).toMatchObject({ status: 'succeeded', value: 42, calls: [{ number: 1, tool: 'calculate' }] });
    const shown = await helve('runs', json.id);
    expect(shown.stdout).toContain('The program ended.\nCalls:\n  1  calculate  ok\nLogs:\nadding\nValue:\n42');
  });

  test('R-cli R-sandbox: issues and errors have their place and exit codes', async () => {
    const wrong = await file('wrong', 'return await math.calculat({})');
    const refused = await helve('run', wrong);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/wrong\.ts:1:\d+ .*calculate.*\nerror: The program was not run: it has an issue\./);
    expect((await helve('run', wrong, '--check')).code).toBe(1);
    const broken = await file('broken', "\nthrow new Error('it broke')");
    const failed = await helve('run', broken);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('error: line 2: it broke')]);
    const missing = await helve('runs', 'nothing');
    expect(missing.code).toBe(5);
  });

  test('R-cli R-durable-runs: a plan is listed without effects, approved, and then followed', async () => {
    const path = await file('plan', write('planned.txt'));
    const planned = await helve('run', path, '--plan', '--agent', 'first');
    expect(planned.code).toBe(4);
    expect(planned.stdout).toContain('  1  write_file {"path":"planned.txt","content":"hello"');
    const id = /approve-plan (\S+?),? /.exec(planned.stdout)?.[1] ?? '';
    expect(planned.stdout).toContain(`plan.ts --agent first --follow-plan ${id}\n`);
    expect((await helve('call', 'file_info', '{"path":"planned.txt"}')).code).not.toBe(0);
    expect((await helve('run', path, '--agent', 'first', '--follow-plan', id)).code).toBe(1);
    expect((await helve('runs', 'approve-plan', id)).stdout).toBe(`The plan ${id} is approved.\n`);
    const done = await helve('run', path, '--agent', 'first', '--follow-plan', id);
    expect(done).toMatchObject({ code: 0, stdout: '{\n  "wrote": "planned.txt"\n}\n' });
    expect((await helve('call', 'file_info', '{"path":"planned.txt"}')).code).toBe(0);
  });

  test('R-cli R-durable-runs: on a terminal, a plan is run after a yes, and only after a yes', async () => {
    for (const [answer, code, isMade] of [
      ['n', 4, false],
      ['', 4, false],
      ['y', 0, true],
    ] as const) {
      const name = `terminal-${answer}.txt`;
      const asked = await onTerminal(answer, 'run', await file(`terminal-${answer}`, write(name)), '--plan');
      expect([answer, asked.code]).toEqual([answer, code]);
      expect(asked.screen).toContain('Approve this plan and run it? [y/N]');
      expect((await helve('call', 'file_info', JSON.stringify({ path: name }))).code === 0).toBe(isMade);
    }
  });

  test('R-cli R-durable-runs: a question of a program is answered on the terminal, or by another command', async () => {
    const path = await file(
      'question',
      `return await person.ask({ question: 'Which colour?', choices: ['red', 'green'] })`,
    );
    const here = await onTerminal('red', 'run', path);
    expect([here.code, here.screen]).toEqual([
      0,
      expect.stringMatching(/It asks: Which colour\?[\s\S]*Answered\.[\s\S]*red/),
    ]);
    const going = begin('run', path);
    const [, id = ''] = await going.says(/helve runs answer (\S+) 1/);
    const wrong = await helve('runs', 'answer', id, '1', 'blue');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('It accepts: red, green.')]);
    expect((await helve('runs', 'answer', id, '1', 'green')).code).toBe(0);
    expect(await going.ended).toMatchObject({ code: 0, stdout: 'green\n' });
  });

  test('R-cli R-approval: a run that waits says where to approve, and goes on when it is approved', async () => {
    await helve('policies', 'set', 'ask', '--effect', 'require_approval', '--tool', 'write_file');
    const path = await file('asks', write('asked.txt'));
    const going = begin('run', path, '--agent', 'first');
    const [, approval = ''] = await going.says(/helve approve (\S+),/);
    expect((await helve('call', 'file_info', '{"path":"asked.txt"}')).code).not.toBe(0);
    expect((await helve('approve', approval)).code).toBe(0);
    const done = await going.ended;
    expect([done.code, done.stdout]).toEqual([0, '{\n  "wrote": "asked.txt"\n}\n']);
    await helve('policies', 'remove', 'ask');
  });

  test('R-cli R-durable-runs: Ctrl-C leaves the run going and says how to follow and end it', async () => {
    const path = await file('sleeps', 'await sleep(3_600_000)');
    const going = begin('run', path);
    await going.says(/It sleeps until/);
    going.child.kill('SIGINT');
    const left = await going.ended;
    expect(left.code).toBe(130);
    const id = /helve runs (\S+) --follow/.exec(left.stderr)?.[1] ?? '';
    expect((await helve('runs', id)).stdout).toContain('The program waits, and then goes on by itself.');
    expect((await helve('runs', '--json')).stdout).toContain(id);
    const followed = begin('runs', id, '--follow');
    await followed.says(/It sleeps until/);
    expect((await helve('runs', 'cancel', id)).stdout).toBe(`The run ${id} is cancelled.\n`);
    expect((await followed.ended).stderr).toContain('error: The run was cancelled (cancelled)');
  });

  test('R-cli: what is not a decision is a usage error', async () => {
    for (const words of [
      ['x', 'happened'],
      ['1', 'perhaps'],
      ['1', 'happened', '--output', '{'],
    ])
      expect((await helve('runs', 'decide', 'any', ...words)).code, words.join(' ')).toBe(2);
    expect((await helve('runs', 'decide', 'any', '1', 'happened')).code).toBe(5);
  });
});

/** The contract of both forms of isolation. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCompiled } from '../../../util/sandbox/compiled-module.js';
import { createSandbox, type RunRequest, type Sandbox, type SandboxOptions } from '../index.js';
import { bombs, recursion } from './bombs.js';
import { escapes } from './escapes.js';
import { exceeding, within } from './limits.js';
import { semantics } from './semantics.js';
import { callTool, failuresOf, returns, runOn } from './under-test.js';

const patient = { timeout: 200_000 };

export function sandboxContract(isolation: NonNullable<SandboxOptions['isolation']>): void {
  describe(`the sandbox contract: ${isolation}`, patient, () => {
    let sandbox: Sandbox;
    let folder: string;
    beforeAll(() => {
      sandbox = createSandbox({ isolation });
      folder = mkdtempSync(join(tmpdir(), 'helve-sandbox-'));
    });
    afterAll(async () => {
      await sandbox.close();
      rmSync(folder, { recursive: true });
    });

    test('programs mean what they say', async () => {
      expect(await failuresOf(sandbox, semantics)).toEqual([]);
    });

    test('each limit ends a program that exceeds it, and no other', async () => {
      expect(await failuresOf(sandbox, exceeding)).toEqual([]);
      expect(await failuresOf(sandbox, within)).toEqual([]);
    });

    test('no program uses up the machine, and the host answers afterwards', async () => {
      expect(await failuresOf(sandbox, bombs)).toEqual([]);
      expect((await runOn(sandbox, { code: recursion })).value).toBe('RangeError');
      expect((await runOn(sandbox, { code: 'return tools.echo({ a: 1 })' })).value).toEqual({ a: 1 });
    });

    test('no program reaches the host', async () => {
      const canary = join(folder, 'canary');
      const listener = await startListener();
      const called = new Set<string>();
      const call = (name: string, given: string): Promise<string> => {
        called.add(name);
        return callTool(name, given);
      };
      const plants = { canary, port: listener.port };
      // A process takes longer to start than all of a program, and has the same engine and the same guest in it.
      const tried = isolation === 'worker' ? escapes : escapes.filter((_, index) => index % 5 === 0);
      const programs = tried.map(({ source, chase, code }) => ({
        name: `${source}, ${chase}`,
        code: code(plants),
        limits: { cpuMs: 10_000, callsInFlight: 10_000, calls: 10_000 },
        more: { call },
        // Not an error: a way that does not run to its end shows nothing.
        judge: returns('no'),
      }));
      const ended = new AbortController();
      const victim = runOn(sandbox, {
        code: 'globalThis.secretOfAnother = "secret"; await sleep(1e6)',
        more: { tenant: 'victim', signal: ended.signal },
      });
      expect(await failuresOf(sandbox, programs)).toEqual([]);
      ended.abort();
      expect((await victim).error).toMatchObject({ code: 'cancelled' });
      expect([existsSync(canary), listener.connections()]).toEqual([false, 0]);
      expect(process.env.HELVE_SANDBOX_ESCAPED).toBeUndefined();
      expect([...called].filter((name) => !['echo', 'fail', 'failOddly', 'hostile'].includes(name))).toEqual([]);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
      await listener.close();
    });

    test('a program that asks for a limit ends when its caller cancels it', async () => {
      const signal = AbortSignal.timeout(100);
      const { error } = await runOn(sandbox, { code: 'await sleep(1e6)', more: { signal } });
      expect(error).toMatchObject({ name: 'SandboxError', code: 'cancelled' });
    });

    test('nothing of one run is left for the next of its tenant', async () => {
      const plant =
        'globalThis.left = 1; Object.prototype.left = 1; Array.prototype[0] = 1; return [globalThis.left, ({}).left]';
      const look = 'return [typeof globalThis.left, typeof ({}).left, typeof [][0]]';
      const more = { tenant: 'one' };
      expect((await runOn(sandbox, { code: plant, more })).value).toEqual([1, 1]);
      expect((await runOn(sandbox, { code: look, more })).value).toEqual(['undefined', 'undefined', 'undefined']);
    });

    test('calls are numbered; those after the end are neither made nor answered', async () => {
      const seen: [string, number][] = [];
      let aborted = false;
      const code = 'tools.wait({ ms: 1 }); tools.wait({ ms: 2 }); setTimeout(() => tools.wait({ ms: 3 })); return 1';
      const { value } = await runOn(sandbox, {
        code,
        more: {
          call: async (name, _given, { index, signal }) => {
            seen.push([name, index]);
            signal.addEventListener('abort', () => {
              aborted = true;
            });
            return new Promise(() => {});
          },
        },
      });
      expect({ value, seen, aborted }).toEqual({ value: 1, seen: [], aborted: false });
      const ended = await runOn(sandbox, {
        code: 'tools.wait(); tools.echo(); await sleep(50); return 1',
        more: {
          call: async (name, _given, { index, signal }) => {
            seen.push([name, index]);
            signal.addEventListener('abort', () => {
              aborted = true;
            });
            return new Promise(() => {});
          },
        },
      });
      expect({ value: ended.value, seen, aborted }).toEqual({
        value: 1,
        seen: [
          ['wait', 0],
          ['echo', 1],
        ],
        aborted: true,
      });
    });

    test('timers are numbered as the program starts them, and one that is cleared at once is not waited for', async () => {
      const seen: unknown[] = [];
      const code = `setTimeout(() => {}, 5); clearTimeout(setTimeout(() => {}, 6)); await sleep(7); await sleep(-1);
return clearTimeout(0)`;
      const sleep: RunRequest['sleep'] = async (ms, _signal, facts) => {
        seen.push({ ms, ...facts });
      };
      expect((await runOn(sandbox, { code, more: { sleep } })).ok).toBe(true);
      expect(seen).toEqual([
        { ms: 5, id: 0, by: 'setTimeout' },
        { ms: 7, id: 2, by: 'sleep' },
        { ms: 0, id: 3, by: 'sleep' },
      ]);
    });

    test('the same seed gives the same numbers, and none gives others', async () => {
      const code = 'return [Math.random(), Math.random()]';
      const [a, b, c, d, e] = await Promise.all(
        [7, 7, 8, undefined, undefined].map((seed) =>
          runOn(sandbox, { code, more: seed === undefined ? {} : { seed } }),
        ),
      );
      expect(a?.value).toEqual(b?.value);
      expect(a?.value).not.toEqual(c?.value);
      expect(d?.value).not.toEqual(e?.value);
    });

    test('what a program does depends on the order of its answers, not on how they come together', async () => {
      const code = `const seen = [];
await Promise.all([
  tools.a().then((x) => x).then((x) => x).then(() => seen.push('a')),
  tools.b().then(() => seen.push('b')),
]);
return seen`;
      const wait = (ms: number): Promise<string> => new Promise((resolve) => setTimeout(resolve, ms, 'null'));
      const tools = { tools: { a: 'a', b: 'b' } };
      const together = await runOn(sandbox, { code, more: { namespaces: tools, call: () => Promise.resolve('null') } });
      const apart = await runOn(sandbox, {
        code,
        more: { namespaces: tools, call: (name) => wait(name === 'a' ? 1 : 60) },
      });
      expect(together.value).toEqual(['a', 'b']);
      expect(apart.value).toEqual(together.value);
    });
  });
}

async function startListener() {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** What a program that can reach the host does: without it, the test of escapes could not fail. */
export function escapeControl(): void {
  test('control: without the wall, the escapes plant their effects', patient, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helve-sandbox-'));
    const listener = await startListener();
    const program = fileURLToPath(findCompiled(new URL('./unwalled.ts', import.meta.url).href));
    const { stdout } = await promisify(execFile)(process.execPath, [program, folder, String(listener.port)]);
    const { planted, variable } = JSON.parse(stdout) as { planted: [string, string][]; variable: string };
    await expect.poll(listener.connections).toBeGreaterThan(150);
    await listener.close();
    rmSync(folder, { recursive: true });
    expect(variable).toBe('yes');
    const silent = new Set(escapes.map(({ source }) => source));
    for (const [source] of planted) silent.delete(source);
    expect([...silent]).toEqual(silentWithoutWall);
    expect(escapes.length).toBeGreaterThanOrEqual(320);
    expect(planted.length).toBeGreaterThan(150);
  });
}

/** These need what the code around a program in the sandbox does, so they give nothing where there is none. */
const silentWithoutWall: readonly string[] = [
  'an odd error of a tool',
  'the error of an unknown tool',
  'the error of a limit',
  'the caller of a getter',
  'the caller of toJSON',
  'frames in the bridge',
  'a value that is awaited',
  'Function.prototype.call',
  'Reflect',
  'JSON',
  'setters of arrays',
  'CVE-2019-10761, an overflow with a host frame',
  'CVE-2022-25893, a WeakMap that is replaced',
  'CVE-2023-32313, an object that is inspected',
  'of realms, a getter of the global object',
  'of isolated-vm, a reference of the host',
  'of Workers, a message',
];

/**
 * A program that searches its sandbox for secrets: every object that it can reach, with prototypes, accessors, symbols, the source
 * of functions and the traces of errors. The secrets are the token of an account that it calls, the variables of the process,
 * and the token of another account that it has no grant for.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vault } from '../../src/plane/acts/testing/vault-toolkit.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';

const canaries = { account: 'canary-4711-account', other: 'canary-4711-other', variable: 'canary-4711-variable' };
let helve: TestHelve;

beforeAll(async () => {
  process.env.HELVE_TEST_CANARY = canaries.variable;
  const connections = [
    { toolkit: 'vault', name: 'Mine', credentials: { token: canaries.account } },
    { toolkit: 'vault', name: 'Other', credentials: { token: canaries.other } },
  ];
  helve = await createTestHelve({ toolkits: [vault], connections });
});
afterAll(async () => {
  delete process.env.HELVE_TEST_CANARY;
  await helve?.close();
});

/** Returns the places where the program found a canary, and how many values it looked at. */
function search(before: string): string {
  return `
    ${before}
    const called = await mine.openVault({});
    const seen = new Set<unknown>();
    const found: string[] = [];
    const look = (value: unknown, place: string, depth: number): void => {
      if (typeof value === 'string' && value.includes('canary-' + '4711')) found.push(place);
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || depth > 12) return;
      if (seen.has(value)) return;
      seen.add(value);
      if (typeof value === 'function') look(String(value), place + '()', depth + 1);
      for (const key of Reflect.ownKeys(value)) {
        const at = place + '.' + String(key);
        look(String(key), at, depth + 1);
        const facts: { value?: unknown; get?: () => unknown; set?: unknown } | undefined =
          Object.getOwnPropertyDescriptor(value, key);
        look(facts?.value, at, depth + 1);
        try { look(facts?.get?.call(value), at, depth + 1); } catch (error) { look(error, at, depth + 1); }
        look(facts?.get, at + ':get', depth + 1);
        look(facts?.set, at + ':set', depth + 1);
      }
      look(Reflect.getPrototypeOf(value), place + '.__proto__', depth + 1);
    };
    look(globalThis, 'globalThis', 0);
    look(called, 'called', 0);
    look(mine, 'mine', 0);
    const extra: Record<string, string> = { wrong: 'yes' };
    try { await mine.openVault({ shelf: 'top', ...extra }); } catch (error) { look(error, 'error', 0); }
    return { found, looked: seen.size };
  `;
}

async function run(code: string) {
  const done = await helve.plane.runCode(helve.admin, { code });
  expect(done, JSON.stringify(done.issues)).toMatchObject({ status: 'succeeded', calls: [{ status: 'ok' }, {}] });
  return done.value as { found: string[]; looked: number };
}

test('R-vault: leak: a program that searches everything in its sandbox finds no secret', async () => {
  // Control: the search finds what is there, also behind an accessor, in a prototype and in the source of a function.
  const planted = await run(
    search(`
      class Planted {
        deep = [{ text: '${canaries.account}' }];
        get read() { return '${canaries.other}'; }
        source = () => '${canaries.variable}';
      }
      Reflect.set(globalThis, 'planted', new Planted());`),
  );
  expect(planted.found).toEqual([
    'globalThis.planted.deep.0.text',
    'globalThis.planted.source()',
    'globalThis.planted.__proto__.constructor()',
    'globalThis.planted.__proto__.read',
    'globalThis.planted.__proto__.read:get()',
  ]);
  const { found, looked } = await run(search(''));
  expect(found).toEqual([]);
  expect(looked).toBeGreaterThan(300);
});

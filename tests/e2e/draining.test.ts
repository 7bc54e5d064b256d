/** A stop that is announced: balancers send new requests elsewhere while this process still accepts them. */
import { afterEach, expect, test } from 'vitest';
import { ask } from './support/requests.js';
import { killChildren, removeTemporaryFolders, serve, temporaryFolder } from './support/server.js';

afterEach(async () => {
  killChildren();
  await removeTemporaryFolders();
});

const calculate = { tool: 'calculate', input: { expression: '6*7' } };

async function readiness(url: string) {
  const response = await fetch(`${url}/ready`);
  return [response.status, await response.json()];
}

test('R-operate: a stopping process says so, and works for as long as it was told to drain', async () => {
  const { url, token, stop } = await serve(await temporaryFolder('drain'), [], { HELVE_DRAIN_SECONDS: '5' });
  expect(await readiness(url)).toEqual([200, { status: 'ready' }]);
  const stopped = stop();
  await expect.poll(() => readiness(url)).toEqual([503, { status: 'not_ready', reason: 'stopping' }]);
  expect((await ask(url, 'POST /api/tools/execute', token ?? '', calculate)).status).toBe(200);
  const { code, stdout, milliseconds } = await stopped;
  expect([code, stdout.includes('Stopped.')]).toEqual([0, true]);
  expect(milliseconds).toBeGreaterThan(4_900);
  await expect(fetch(`${url}/ready`)).rejects.toThrow();
});

test('R-operate: without that a stop is immediate', async () => {
  const { url, stop } = await serve(await temporaryFolder('no-drain'));
  expect(await readiness(url)).toEqual([200, { status: 'ready' }]);
  const { code, milliseconds } = await stop();
  expect(code).toBe(0);
  expect(milliseconds).toBeLessThan(4_900);
});

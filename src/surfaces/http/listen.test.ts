import { expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { listen } from './index.js';

const host = '127.0.0.1';
const hello = () => new Response('hello');

test('R-rest: a port in use is reported clearly, with a remedy', async () => {
  const first = await listen({ fetch: hello, host, port: 0 });
  const error = await listen({ fetch: hello, host, port: first.port }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HelveError);
  expect(error).toMatchObject({
    code: 'invalid_config',
    message: `Port ${first.port} on ${host} is in use by another program`,
  });
  expect((error as HelveError).hint).toMatch(/HELVE_PORT.*--port/);
  await first.close();
});

test('R-rest: an address that this machine does not have is said plainly', async () => {
  await expect(listen({ fetch: hello, host: '203.0.113.1', port: 0 })).rejects.toMatchObject({
    code: 'invalid_config',
    hint: expect.stringMatching(/^Choose an address of this machine: .*--host/),
  });
});

test('R-rest: an idle connection stays open for longer than a proxy keeps it', async () => {
  const server = await listen({ fetch: hello, host, port: 0 });
  const { headers } = await fetch(server.url);
  expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(60);
  await server.close();
});

test('R-rest: closing lets a running request end and refuses new ones, and does not wait for kept-alive connections', async () => {
  let finish: (() => void) | undefined;
  const server = await listen({
    fetch: (request) =>
      request.url.endsWith('/slow')
        ? new Promise((resolve) => {
            finish = () => resolve(new Response('done'));
          })
        : hello(),
    host,
    port: 0,
  });
  await (await fetch(server.url)).text();
  const slow = fetch(`${server.url}/slow`);
  await expect.poll(() => finish).toBeDefined();
  const started = Date.now();
  const closed = server.close();
  await expect(fetch(server.url)).rejects.toThrow();
  finish?.();
  expect(await (await slow).text()).toBe('done');
  await closed;
  expect(Date.now() - started).toBeLessThan(2_000);
  await server.close();
});

test('R-stream: closing ends open streams within the limit', async () => {
  let cancelled = false;
  const body = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(': open\n\n')),
      cancel: () => {
        cancelled = true;
      },
    });
  const server = await listen({ fetch: () => new Response(body()), host, port: 0, graceMs: 200 });
  const response = await fetch(server.url);
  const started = Date.now();
  const reading = response.text().catch(() => 'cut');
  await server.close();
  expect(Date.now() - started).toBeLessThan(1_500);
  expect(await reading).toBe('cut');
  await expect.poll(() => cancelled).toBe(true);
});

test('R-rest: a server on every address prints the name by which this machine reaches it', async () => {
  for (const [every, name] of [
    ['0.0.0.0', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
  ] as const) {
    const server = await listen({ fetch: hello, host: every, port: 0 });
    expect(server.url).toBe(`http://${name}:${server.port}`);
    await server.close();
  }
});

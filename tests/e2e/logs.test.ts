/** The log of the shipped program: lines of JSON on standard error from its start to its stop. */
import { afterEach, expect, test } from 'vitest';
import { ask } from './support/requests.js';
import { killChildren, removeTemporaryFolders, run, serve, temporaryFolder } from './support/server.js';

afterEach(async () => {
  killChildren();
  await removeTemporaryFolders();
});

const calculate = { tool: 'calculate', input: { expression: '6*7' } };

test('R-operate: with HELVE_LOG=json every line of standard error is JSON, and none has the token', async () => {
  const { url, token, stop } = await serve(await temporaryFolder('logs'), [], { HELVE_LOG: 'json' });
  expect((await ask(url, 'POST /api/tools/execute', token ?? '', calculate)).status).toBe(200);
  const { code, stderr } = await stop();
  expect(code).toBe(0);
  const lines = stderr.trim().split('\n');
  const events = lines.map((line) => (JSON.parse(line) as { event: string }).event);
  expect(events).toEqual(['process.started', 'call.ended', 'request.ended', 'process.stopping', 'process.stopped']);
  expect(stderr).not.toContain(token);
});

test('R-operate: by default standard error has nothing when nothing goes wrong', async () => {
  const { url, token, stop } = await serve(await temporaryFolder('no-logs'));
  expect((await ask(url, 'POST /api/tools/execute', token ?? '', calculate)).status).toBe(200);
  expect((await stop()).stderr).toBe('');
});

test('R-operate: a word that is none is refused at the start', async () => {
  const { code, stderr } = await run(['serve', '--port', '0', '--data', await temporaryFolder('wrong-logs')], {
    HELVE_LOG: 'yaml',
  });
  expect(code).not.toBe(0);
  expect(stderr).toContain('HELVE_LOG is "yaml"; it must be one of text, json');
});

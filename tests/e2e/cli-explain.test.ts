/** `helve explain`, `helve agents can` and `helve policies set --preview`, against a real server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killChildren, removeTemporaryFolders, run, type Server, serve, temporaryFolder } from './support/server.js';

let dataDir: string;
let server: Server;
beforeAll(async () => {
  dataDir = await temporaryFolder('cli-explain');
  server = await serve(dataDir);
});
afterAll(async () => {
  await server.stop();
  killChildren();
  await removeTemporaryFolders();
});

const helve = (...args: string[]) => run([...args, '--data', dataDir]);

test('R-explain R-cli: a call is explained layer by layer, whether it would run or not', async () => {
  const runs = await helve('explain', 'first', 'calculate', '{"expression":"1+1"}');
  expect([runs.code, runs.stdout]).toEqual([
    0,
    expect.stringMatching(/✓ name +It is the tool calculate\n[\s\S]*It would run\.\n$/),
  ]);
  const wrong = await helve('explain', 'first', 'calculate', '{}');
  expect(wrong.stdout).toMatch(/✗ input +calculate: .*\(input\.schema\)\n[\s\S]*It would be refused\.\n$/);
  await helve('agents', 'create', 'reader');
  expect((await helve('explain', 'reader', 'calculate')).stdout).toMatch(
    /✗ grant +reader has no grant.* \(grant\.missing\)/,
  );
  expect((await helve('explain', 'first', 'calculate', '{')).code).toBe(2);
  expect((await helve('explain', 'nobody', 'calculate')).code).toBe(5);
  const unknown = await helve('explain', 'first', 'calculat');
  expect([unknown.code, unknown.stdout]).toEqual([5, '']);
  expect(unknown.stderr).toBe(
    'error: There is no tool "calculat"; did you mean calculate? (tool_not_found)\nhint:  helve tools --agent first lists the tools that it sees.\n',
  );
  expect((await helve('explain', 'first', 'calculate', '{"expression":"1"}', '--for', 'nobody')).code).toBe(5);
  await helve('users', 'add', 'Ana', '--role', 'member', '--email', 'ana@example.org');
  const acting = await helve('explain', 'first', 'calculate', '{"expression":"1"}', '--for', 'ana@example.org');
  expect(acting.stdout).toMatch(/✗ grant +Ana has the role member.*\(principal\.person\)/);
});

test('R-explain R-cli: what an agent can call is listed with its cost', async () => {
  const can = await helve('agents', 'can', 'first');
  expect(can.stdout).toMatch(/calculate +read +none/);
  expect(can.stdout).toMatch(/\d+ tools, \d+ tokens\. Its list has /);
});

test('R-explain R-cli: a policy is tried on the calls on record, and not stored', async () => {
  expect((await helve('call', 'calculate', '{"expression":"2+2"}')).code).toBe(0);
  const seen = await helve('policies', 'set', 'no', '--effect', 'deny', '--tool', 'calculate', '--preview');
  expect(seen.stdout).toMatch(/^1 call would be refused\n.*calculate {2}allow → deny\n/);
  expect((await helve('policies')).stdout).not.toContain('deny');
  expect((await helve('call', 'calculate', '{"expression":"2+2"}')).code).toBe(0);
});

test('R-explain R-cli: a change of grants is shown before it is made, and not stored', async () => {
  await helve('agents', 'create', 'careful');
  const seen = await helve('grant', 'careful', 'calculate', '--preview');
  expect(seen.stdout).toMatch(/^\+ calculate\n[\s\S]*Tools that it can call: 0 → \d+, with 0 → \d+ tokens/);
  expect((await helve('grants', 'careful')).stdout).not.toContain('calculate');
  await helve('grant', 'careful', 'calculate');
  expect((await helve('grants', 'careful')).stdout).toContain('calculate');
  expect((await helve('grant', 'careful', 'calculate', '--preview')).stdout).toMatch(/^It would change nothing\.\n/);
  expect((await helve('ungrant', 'careful', 'calculate', '--preview')).stdout).toMatch(/^- calculate\n/);
});

/** Two processes of `helve serve` on one PostgreSQL behave as one. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seal } from '../../src/audit/index.js';
import { createRateLimits, type RateLimits } from '../../src/policies/index.js';
import { openStorage } from '../../src/storage/index.js';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';
import { ask } from './support/requests.js';
import { killChildren, removeTemporaryFolders, run, type Server, serve, temporaryFolder } from './support/server.js';

const perTool = 40;
const calculate = { tool: 'calculate', input: { expression: '6*7' } };
const keyValue = { tool: 'key_value_get', input: { key: 'a' } };
let postgres: TestPostgres;
let servers: Server[];
let token: string;
let database: string;
let environment: Record<string, string>;
let folders: string[];

async function startServer(location: string): Promise<Server> {
  const folder = await temporaryFolder('several');
  folders.push(folder);
  const agents = 'agents:\n  - name: counter\n    tools: [calculate, key_value_get]\n';
  await writeFile(join(folder, 'helve.yaml'), `limits: { per_tool: ${perTool} }\n${agents}`);
  return serve(folder, [], { ...environment, HELVE_DATABASE_URL: location });
}

async function tokenOf(location: string): Promise<string> {
  const settings = { ...environment, HELVE_DATABASE_URL: location };
  const made = await run(['agents', 'token', 'counter', '--data', folders[0] ?? '', '--json'], settings);
  return JSON.parse(made.stdout).secret;
}

beforeAll(async () => {
  folders = [];
  environment = { HELVE_VAULT_KEYS: `test:${randomBytes(32).toString('base64')}` };
  postgres = await startPostgres();
  database = await postgres.storeUrl();
  servers = [await startServer(database), await startServer(database)];
  token = await tokenOf(database);
}, 120_000);

afterAll(async () => {
  killChildren();
  await postgres?.stop();
  await removeTemporaryFolders();
});

/** How many of `calls` were admitted, each sent to the next process. */
async function admitted(urls: readonly string[], calls: number, body: object, secret = token): Promise<number> {
  const replies = await Promise.all(
    Array.from({ length: calls }, (_, n) => ask(urls[n % urls.length] ?? '', 'POST /api/tools/execute', secret, body)),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
  return replies.filter(({ status }) => status === 200).length;
}

test('R-limits: processes on one PostgreSQL count together', async () => {
  const urls = servers.map(({ url }) => url);
  expect(await admitted(urls, 2 * perTool + 20, calculate)).toBe(perTool);
  // The control: another tool has its own count, and one process alone can use all of it.
  expect(await admitted(urls.slice(0, 1), perTool + 20, keyValue)).toBe(perTool);
});

test('R-limits: a large limit is shared out and never exceeded, and a process alone can use all but the shares of others', async () => {
  const stores = await Promise.all([
    openStorage({ location: database, seal }),
    openStorage({ location: database, seal }),
  ]);
  const call = { workspaceId: 'w', principalId: 'p', tool: 't', policies: [] };
  const count = async (limits: readonly RateLimits[]): Promise<number> => {
    const made = Array.from({ length: 2 * 320 }, (_, n) => limits[n % limits.length]?.admitCall(call));
    return (await Promise.allSettled(made)).filter(({ status }) => status === 'fulfilled').length;
  };
  const together = stores.map(({ counts }) => createRateLimits({ perTool: 320 }, counts));
  const admitted = await count(together);
  expect(admitted).toBeLessThanOrEqual(320);
  // One thirty-second may lie with the other process.
  expect(admitted).toBeGreaterThanOrEqual(310);
  await expect(together[0]?.foresee.admitCall(call)).rejects.toMatchObject({ code: 'rate_limited' });
  // The control: without a common count each admits its own.
  expect(await count(stores.map(() => createRateLimits({ perTool: 320 })))).toBe(640);
  await Promise.all(stores.map((store) => store.close()));
});

test('R-operate: a token that was revoked elsewhere is refused within a second', async () => {
  const secret = await tokenOf(database);
  const settings = { ...environment, HELVE_DATABASE_URL: database };
  const works = async (): Promise<boolean> => {
    const { status } = await ask(servers[1]?.url ?? '', 'GET /api/tools/search?q=add', secret);
    expect([200, 401]).toContain(status);
    return status === 200;
  };
  expect(await works()).toBe(true);
  const listed = await run(['credentials', '--data', folders[0] ?? '', '--json'], settings);
  const credentials = JSON.parse(listed.stdout) as { id: string; createdAt: string }[];
  // The newest one is the token that was just made.
  const [newest] = credentials.sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  const revoked = await run(['revoke', newest?.id ?? '', '--data', folders[0] ?? ''], settings);
  expect(revoked.code, revoked.stderr).toBe(0);
  const from = performance.now();
  for (let sent = from; await works(); sent = performance.now()) expect(sent - from).toBeLessThan(1_000);
  expect(await works()).toBe(false);
});

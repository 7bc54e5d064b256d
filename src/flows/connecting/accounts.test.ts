/** Accounts in a whole plane: two of one kind, what a model sees, what is refused, and that no secret is returned. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callTwice } from '../../../tests/counterparts/lost-answers.js';
import { defineTool, defineToolkit } from '../../domain/tool.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

const settingsSchema = z.strictObject({ base_url: z.string() });

/** Echoes what it was sent, as careless services do. */
const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Says what arrived',
  inputSchema: z.strictObject({ text: z.string().optional() }),
  settingsSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  capabilities: ['read echo'],
  execute: async (input, { service, connection }) => ({
    name: connection.name,
    answer: await service.json({ path: '/echo', query: { text: input.text } }),
  }),
});

/** Requests its service separately for each of its two writes. */
const writeTwice = defineTool({
  name: 'write_twice',
  title: 'Write twice',
  description: 'Two writes',
  inputSchema: z.strictObject({}),
  settingsSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  capabilities: ['write echo'],
  async execute(_, context) {
    await context.service.json({ method: 'POST', path: '/echo' });
    return context.service.json({ method: 'POST', path: '/echo' });
  },
});

/** Reads before it writes, the first time more than the second. */
const readAndWrite = defineTool({
  name: 'read_and_write',
  title: 'Read and write',
  description: 'Some reads and one write',
  inputSchema: z.strictObject({}),
  settingsSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  idempotency: { by: 'key', how: 'The vendor keeps each x-key' },
  capabilities: ['write echo'],
  async execute(_, { service }) {
    for (let reads = seen.length === 0 ? 2 : 1; reads > 0; reads--) await service.json({ path: '/echo' });
    return service.json({ method: 'POST', path: '/echo' });
  },
});

const vendor = defineToolkit({
  slug: 'vendor',
  title: 'Vendor',
  description: 'A service for tests',
  category: 'tests',
  auth: {
    schemes: [
      {
        id: 'token',
        kind: 'api_key',
        title: 'Token',
        fields: [
          { name: 'token', title: 'Token', secret: true, pattern: '[a-z0-9-]{8,}' },
          { name: 'region', title: 'Region', secret: false, optional: true },
        ],
        placement: [{ in: 'header', name: 'x-vendor-token', value: '{token}' }],
      },
    ],
    identify: async (service) => service.json({ path: '/me' }),
  },
  service: {
    servers: (settings) => ({ default: { url: String(settings.base_url), named: true } }),
    idempotencyHeader: 'x-key',
  },
  load: async () => [echo, writeTwice, readAndWrite],
});

let server: Server;
let baseUrl = '';
let seen: IncomingMessage['headers'][] = [];
/** How many writes the vendor carries out before it asks for an hour's time. */
let writesLeft = Number.POSITIVE_INFINITY;
let helve: TestHelve;

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request.headers);
    const token = String(request.headers['x-vendor-token'] ?? '');
    const known = token.startsWith('good-');
    response.setHeader('content-type', 'application/json');
    if (!known) return response.writeHead(401).end('{"message":"who are you"}');
    if (request.method === 'POST' && writesLeft-- <= 0)
      return response.writeHead(429, { 'retry-after': '3600' }).end('{}');
    if (request.url === '/me')
      return response.end(JSON.stringify({ id: token.slice(5), email: `${token.slice(5)}@x.y` }));
    const forms = [token, Buffer.from(token).toString('base64'), Buffer.from(token).toString('hex')];
    return response.end(JSON.stringify({ headers: request.headers, forms, url: request.url }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

beforeEach(async () => {
  seen = [];
  writesLeft = Number.POSITIVE_INFINITY;
  helve = await createTestHelve({
    toolkits: [vendor],
    config: `toolkits:\n  vendor:\n    base_url: ${baseUrl}\n`,
    connections: [
      { toolkit: 'vendor', name: 'Work Vendor', credentials: { token: 'good-work-1234' } },
      { toolkit: 'vendor', name: 'Work Vendor', credentials: { token: 'good-home-5678' }, check: true },
    ],
  });
});
afterEach(() => helve.close());

describe('two accounts of one service', () => {
  test('R-instances: each has its own slug and its own tools', async () => {
    const names = (await helve.plane.tools(helve.agent))
      .map(({ name }) => name)
      .filter((name) => name.includes('echo'));
    expect(names).toEqual(['work-vendor__echo', 'work-vendor-2__echo']);
    await helve.call('work-vendor__echo');
    await helve.call('work-vendor-2__echo');
    expect(seen.slice(-2).map((headers) => headers['x-vendor-token'])).toEqual(['good-work-1234', 'good-home-5678']);
  });

  test('R-pipeline: two writes of one call are two, by their keys, and so are those of another call', async () => {
    for (let call = 0; call < 2; call++) expect((await helve.call('work-vendor__write_twice')).ok).toBe(true);
    expect(new Set(seen.slice(-4).map((headers) => headers['x-key'])).size).toBe(4);
  });

  test('R-pipeline: a call that has done a part is not said to be worth trying again', async () => {
    writesLeft = 0;
    expect(await helve.call('work-vendor__write_twice')).toMatchObject({
      error: { code: 'rate_limited', retryable: true, hint: expect.stringContaining('Try again') },
    });
    writesLeft = 1;
    expect(await helve.call('work-vendor-2__write_twice')).toMatchObject({
      error: {
        code: 'outcome_unknown',
        retryable: false,
        message: expect.stringMatching(/part of the call had its effect$/),
        hint: 'Check what has happened before you call again.',
        details: { reason: 'rate_limited', retryAfterSeconds: 3_600 },
      },
    });
  });

  test('R-durable-runs: a write keeps its key when its call is made again, however often the tool reads before it', async () => {
    seen = [];
    const call = { helve, tool: 'work-vendor__read_and_write', input: {} };
    const { first, second } = await callTwice(call);
    expect([first.ok, second.ok]).toEqual([true, true]);
    const keys = seen.map((headers) => headers['x-key']);
    expect(keys.map((key) => key === undefined)).toEqual([true, true, false, true, false]);
    expect(keys[4]).toBe(keys[2]);
    // Another call of a program is another effect.
    await callTwice(call);
    expect(seen.at(-1)?.['x-key']).not.toBe(keys[2]);
  });

  test('R-vault: credentials that a service echoes reach no one', async () => {
    const result = await helve.call('work-vendor__echo', { text: 'hello' });
    expect(result).toMatchObject({ ok: true, output: { name: 'Work Vendor', answer: { url: '/echo?text=hello' } } });
    const everything = JSON.stringify([result, await helve.audited(), await helve.plane.connections(helve.admin)]);
    for (const form of [
      'good-work-1234',
      Buffer.from('good-work-1234').toString('base64'),
      Buffer.from('good-work-1234').toString('hex'),
    ])
      expect(everything).not.toContain(form);
    expect(everything).toContain('[credential removed]');
  });

  test('R-instances: no connection id is in any schema or name that a model sees', async () => {
    const listed = await helve.plane.tools(helve.agent);
    const ids = (await helve.plane.connections(helve.admin)).map(({ id }) => id);
    for (const { name, tool } of listed) {
      for (const id of ids) expect(JSON.stringify([name, tool])).not.toContain(id);
    }
  });

  test('R-visibility: a removed connection is not listed, and a call says that it is not accessible', async () => {
    await helve.plane.disconnect(helve.admin, 'work-vendor');
    const names = (await helve.plane.tools(helve.agent)).map(({ name }) => name);
    expect(names).not.toContain('work-vendor__echo');
    expect(names).toContain('work-vendor-2__echo');
    const before = seen.length;
    const refused = await helve.call('work-vendor__echo');
    expect(refused).toMatchObject({
      ok: false,
      rule: 'connection.status',
      error: { message: 'Connection not accessible' },
    });
    expect(seen.length).toBe(before);
  });

  test('R-visibility: a private connection is used by and for its owner only', async () => {
    await helve.plane.changeConnection(helve.admin, 'work-vendor', { visibility: 'private' });
    expect(await helve.call('work-vendor__echo')).toMatchObject({ ok: false, rule: 'connection.visibility' });
    const onBehalf = await helve.plane.actAs(helve.admin, 'tester');
    expect(await helve.execute({ principal: onBehalf, tool: 'work-vendor__echo', input: {} })).toMatchObject({
      ok: true,
    });
  });

  test('R-grants: the catalogue shows each account under its slug, and a PUT may name it by that', async () => {
    const { entries } = await helve.plane.grantCatalogue(helve.admin, 'tester');
    const own = entries.filter(({ toolkit }) => toolkit.slug === 'vendor');
    expect(own.map(({ slug, tools }) => [slug, tools.map(({ modelName }) => modelName)])).toEqual([
      ['work-vendor', ['work-vendor__echo', 'work-vendor__write_twice', 'work-vendor__read_and_write']],
      ['work-vendor-2', ['work-vendor-2__echo', 'work-vendor-2__write_twice', 'work-vendor-2__read_and_write']],
    ]);
    const grant = { toolkit: 'vendor', tools: ['echo'], limits: {}, config: {} };
    await helve.plane.replaceGrants(helve.admin, 'tester', [{ ...grant, connectionId: 'work-vendor-2' }]);
    expect((await helve.call('work-vendor-2__echo')).ok).toBe(true);
    expect(await helve.call('work-vendor__echo')).toMatchObject({ ok: false, rule: 'grant.connection' });
    await expect(helve.plane.replaceGrants(helve.admin, 'tester', [grant])).rejects.toThrow(/needs an account/);
  });
});

describe('connecting', () => {
  test('R-oauth: the service is asked whose account it is', async () => {
    const second = await helve.plane.connection(helve.admin, 'work-vendor-2');
    expect(second).toMatchObject({ status: 'active', account: { id: 'home-5678', email: 'home-5678@x.y' } });
  });

  test('R-oauth: credentials that the service refuses change nothing', async () => {
    const connect = helve.plane.connect(helve.admin, 'work-vendor-2', { credentials: { token: 'wrong-9999' } });
    await expect(connect).rejects.toThrow(/does not take the credentials/);
    expect(await helve.plane.connection(helve.admin, 'work-vendor-2')).toMatchObject({ status: 'active' });
    expect((await helve.call('work-vendor-2__echo')).ok).toBe(true);
  });

  test('R-oauth: signing in as another person does not take over an account’s grants', async () => {
    const connect = helve.plane.connect(helve.admin, 'work-vendor-2', { credentials: { token: 'good-other-1' } });
    await expect(connect).rejects.toThrow(/is the account home-5678@x.y, but this is other-1@x.y/);
    await helve.call('work-vendor-2__echo');
    expect(seen.at(-1)?.['x-vendor-token']).toBe('good-home-5678');
  });

  test.each([
    [{}, /credentials\/token: is missing/],
    [{ token: 'good-work-1', more: 'x' }, /credentials\/more: is not a field of this sign-in method/],
    [{ token: 'BAD' }, /credentials\/token: does not have the form of this field/],
  ])('R-oauth: fields are checked: %j', async (credentials, message) => {
    await expect(helve.plane.connect(helve.admin, 'work-vendor', { credentials })).rejects.toThrow(message);
  });

  test('R-oauth: an account that the service stops accepting is marked at the first call', async () => {
    await helve.plane.connect(helve.admin, 'work-vendor', { credentials: { token: 'stale-12345' }, check: false });
    expect(await helve.call('work-vendor__echo')).toMatchObject({ error: { code: 'connection_inaccessible' } });
    expect(await helve.plane.connection(helve.admin, 'work-vendor')).toMatchObject({ status: 'error' });
    const calls = seen.length;
    expect(await helve.call('work-vendor__echo')).toMatchObject({ rule: 'connection.status' });
    expect(seen.length).toBe(calls);
  });

  test('R-vault: removing an account takes its grants and secrets with it', async () => {
    await helve.plane.removeConnection(helve.admin, 'work-vendor');
    await expect(helve.plane.connection(helve.admin, 'work-vendor')).rejects.toThrow(/There is no connection/);
    const { grants } = await helve.plane.grantCatalogue(helve.admin, 'tester');
    expect(grants.filter(({ toolkit }) => toolkit === 'vendor')).toHaveLength(1);
    // The other connection keeps its name.
    expect((await helve.call('work-vendor-2__echo')).ok).toBe(true);
  });
});

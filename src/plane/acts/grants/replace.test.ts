/** A replacement covers what its writer can see, and overwrites no change that the writer has not read. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendJson, startScripted } from '../../../../tests/counterparts/scripted.js';
import type { HelveError } from '../../../domain/errors.js';
import type { GivenGrant, GrantInput } from '../../../domain/grant.js';
import type { JsonObject } from '../../../domain/json.js';
import { allPermissions, type Principal } from '../../../domain/principal.js';
import { createHelve } from '../../../helve.js';
import { createHttpApp } from '../../../surfaces/http/index.js';
import { createTestHelve, type TestHelve, testTool } from '../../../testing/index.js';
import { vault } from '../testing/vault-toolkit.js';

let helve: TestHelve;
let other: Principal;
beforeEach(async () => {
  helve = await createTestHelve({
    toolkits: [vault],
    tools: [testTool({ name: 'send' }), testTool({ name: 'read' })],
    connections: [{ toolkit: 'vault', name: 'Mine', visibility: 'private', credentials: { token: 'canary' } }],
    granted: [],
  });
  other = await keyOf(helve);
});
afterEach(() => helve.close());

async function keyOf({ plane, admin }: TestHelve): Promise<Principal> {
  const { secret } = await plane.createApiKey(admin, { permissions: allPermissions });
  return plane.authenticate(secret);
}

const custom: GrantInput = { toolkit: 'custom', tools: ['send'], limits: {}, config: {} };
const mine: GrantInput = { toolkit: 'vault', connectionId: 'mine', tools: ['open_vault'], limits: {}, config: {} };
const read = (by: Principal) => helve.plane.grantCatalogue(by, 'tester');
const put = (by: Principal, grants: readonly GrantInput[], ifMatch?: string[]) =>
  helve.plane.replaceGrants(by, 'tester', grants, ifMatch);
const toolkits = async (by: Principal) => (await read(by)).grants.map(({ toolkit }) => toolkit);

describe('what the writer cannot see', () => {
  test('attack: a replacement leaves grants on another person’s private account unchanged', async () => {
    await put(helve.admin, [mine, custom]);
    expect(await toolkits(other)).toEqual(['custom']);
    expect((await put(other, [])).grants).toEqual([]);
    expect([await toolkits(helve.admin), await toolkits(other)]).toEqual([['vault'], []]);
    // Its owner removes it.
    await put(helve.admin, []);
    expect(await toolkits(helve.admin)).toEqual([]);
  });

  test.each([
    'mine',
    'no-such-account',
  ])('leak: a grant on %s is refused without a word of what there is', async (name) => {
    const wrong = put(other, [{ ...mine, connectionId: name }]);
    const error = await wrong.then(
      () => undefined,
      (thrown) => thrown.toJSON(),
    );
    expect(error).toMatchObject({ code: 'invalid_input', hint: 'There are: none yet: connect one first.' });
    // Its owner gets an error that lists what exists.
    await expect(put(helve.admin, [{ ...mine, connectionId: 'nope' }])).rejects.toMatchObject({
      hint: 'There are: mine.',
    });
  });
});

test('R-grants: tools of a grant that is given without limits and configuration have none', async () => {
  const given: GivenGrant = { toolkit: 'custom', tools: ['send'] };
  const { added } = await helve.plane.previewGrants(helve.admin, 'tester', { grants: [given] });
  expect(added).toHaveLength(1);
  await helve.plane.replaceGrants(helve.admin, 'tester', [given]);
  expect((await read(helve.admin)).grants).toMatchObject([{ ...given, limits: {}, config: {} }]);
});

describe('what no grant may hold', () => {
  test('attack: the account of another toolkit, an unknown toolkit or tools, and folders of Helve', async () => {
    await helve.close();
    const open = testTool({
      name: 'open',
      configSchema: { type: 'object' },
      files: (of) => ({ allowedPaths: [String((of as JsonObject).path)], maxBytes: 1, writable: false }),
    });
    helve = await createTestHelve({
      toolkits: [vault, { ...vault, slug: 'safe', load: async () => [testTool({ name: 'open_safe' })] }],
      tools: [open],
      connections: ['vault', 'safe'].map((toolkit) => ({ toolkit, name: toolkit, credentials: { token: 'canary' } })),
      granted: [],
    });
    const safe: GrantInput = { toolkit: 'safe', connectionId: 'vault', tools: ['open_safe'], limits: {}, config: {} };
    const opening = (path: string): GrantInput => ({ ...custom, tools: ['open'], config: { open: { path } } });
    const refused: [GrantInput, string, RegExp][] = [
      [safe, 'invalid_input', /safe has no connection/],
      [{ ...custom, toolkit: 'costum' }, 'invalid_input', /there is no toolkit "costum"/],
      [opening(resolve('src/**')), 'invalid_config', /src/],
    ];
    for (const [grant, code, message] of refused)
      await expect(put(helve.admin, [grant])).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    await put(helve.admin, [{ ...safe, connectionId: 'safe' }, opening('/somewhere/else/**')]);
    expect(await toolkits(helve.admin)).toEqual(['safe', 'custom']);
  });

  test('R-grants: an unknown tool is not enabled', async () => {
    const enable = (...enabledTools: string[]) =>
      helve.plane.enableTools(helve.admin, 'custom', { enabled: true, enabledTools });
    await expect(enable('send', 'sned')).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'enabledTools: custom has no tool "sned"',
      hint: 'It has send, read.',
    });
    expect(await enable('send')).toEqual({ toolkit: 'custom', enabled: true, enabledTools: ['send'] });
  });
});

describe('changes since the last read', () => {
  test('attack: of two writers that read the same version, the second does not undo the first', async () => {
    const { version } = await read(helve.admin);
    await put(other, [custom], [version]);
    await expect(put(helve.admin, [], [version])).rejects.toMatchObject({
      code: 'precondition_failed',
      details: { differences: ['custom is granted with send'], version: (await read(helve.admin)).version },
    });
    expect(await toolkits(helve.admin)).toEqual(['custom']);
    await put(helve.admin, [], [(await read(helve.admin)).version]);
    // Without a version the last writer wins, as the reference says.
    await put(other, [custom]);
    expect(await toolkits(helve.admin)).toEqual(['custom']);
  });

  test('R-rest: a refusal tells what differs from what was sent, and nothing else', async () => {
    await put(helve.admin, [mine, custom]);
    const differences = (...grants: GrantInput[]) =>
      put(helve.admin, grants, ['stale']).catch((error: HelveError) => error.details?.differences);
    const [{ connectionId = '' } = custom] = (await read(helve.admin)).grants;
    const same = { ...mine, connectionId };
    expect(await differences(same, { ...custom, tools: ['read'] })).toEqual(['custom is granted with send']);
    expect(await differences(same)).toEqual(['custom is granted with send']);
    expect(await differences(same, custom)).toEqual([]);
    expect(await differences(custom)).toEqual([`vault (${connectionId}) is granted with open_vault`]);
  });

  test('attack: of ten simultaneous writes on one version exactly one succeeds', async () => {
    const { version } = await read(helve.admin);
    const ended = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) =>
        put(helve.admin, [{ ...custom, limits: { send: { properties: { n: { const: at } } } } }], [version]),
      ),
    );
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(ended.filter((end) => end.status === 'rejected' && end.reason.code === 'precondition_failed')).toHaveLength(
      9,
    );
  });

  test('attack: of ten simultaneous policy writes on one version exactly one succeeds', async () => {
    const { version } = await helve.plane.policies(helve.admin);
    const ended = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) =>
        helve.plane.replacePolicies(helve.admin, [{ id: `p${at}`, effect: 'deny', when: {} }], [String(version)]),
      ),
    );
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [refused] = ended.filter((end) => end.status === 'rejected');
    expect(refused).toMatchObject({
      reason: { code: 'precondition_failed', message: expect.stringContaining('the policy p') },
    });
  });
});

test('R-rest: the answer of GET can be PUT back unchanged, with its ETag as If-Match; a stale one is a 412', async () => {
  const { fetch } = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  const { secret } = await helve.plane.createApiKey(helve.admin, { permissions: allPermissions });
  const ask = (method: string, path: string, body?: string, more = {}) =>
    fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...more },
        ...(body === undefined ? {} : { body }),
      }),
    );
  await put(helve.admin, [custom]);
  await helve.plane.replacePolicies(helve.admin, [
    { id: 'p', effect: 'deny', when: { tools: ['send'], agents: ['tester'] } },
  ]);
  for (const path of ['/api/agents/tester/grants', '/api/policies']) {
    const got = await ask('GET', path);
    const etag = got.headers.get('etag') ?? '';
    expect(etag).toMatch(/^".+"$/);
    const text = await got.text();
    const back = await ask('PUT', path, text, { 'if-match': etag });
    expect([path, back.status]).toEqual([path, 200]);
    const { entries: _, agent: __, ...before } = JSON.parse(text);
    const now = await ask('GET', path);
    const same = (body: { grants?: object[] }) => JSON.stringify(body).replaceAll(/"(id|version)":("[^"]*"|\d+)/g, '');
    const { entries: _e, agent: _a, ...after } = await now.json();
    expect(same(after)).toEqual(same(before));
    const empty = JSON.stringify(path.endsWith('policies') ? { policies: [] } : { grants: [] });
    expect((await ask('PUT', path, empty, { 'if-match': '"stale"' })).status).toBe(412);
    expect((await ask('PUT', path, empty, { 'if-match': now.headers.get('etag') ?? '' })).status).toBe(200);
    expect((await ask('PUT', path, empty)).status).toBe(200);
  }
});

test('R-rest: a PATCH of grants with a stale If-Match is a 412 and changes nothing; with the present one it succeeds', async () => {
  await put(helve.admin, [custom]);
  const { fetch } = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  const { secret } = await helve.plane.createApiKey(helve.admin, { permissions: allPermissions });
  const patch = (etag: string) =>
    fetch(
      new Request('http://localhost/api/agents/tester/grants', {
        method: 'PATCH',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'if-match': etag },
        body: JSON.stringify({ add: [{ tools: ['read'] }] }),
      }),
    );
  const stale = await patch('"stale"');
  expect([stale.status, await stale.text()]).toEqual([412, expect.stringContaining('custom is granted with send')]);
  expect((await read(helve.admin)).grants).toMatchObject([{ tools: ['send'] }]);
  expect((await patch(`"${(await read(other)).version}"`)).status).toBe(200);
  expect((await patch('*')).status).toBe(200);
  expect((await read(helve.admin)).grants).toMatchObject([{ tools: ['send', 'read'] }]);
});

test('attack: a limit on an argument that an open schema does not list is accepted, and named with what was meant', async () => {
  const listing = (more: object) => ({ type: 'object', properties: { to: { type: 'string' } }, ...more });
  const here = await createTestHelve({
    tools: [
      testTool({ name: 'open', inputSchema: listing({}) }),
      testTool({ name: 'map', inputSchema: listing({ additionalProperties: true }) }),
      testTool({ name: 'closed', inputSchema: listing({ additionalProperties: false }) }),
    ],
    granted: [],
  });
  try {
    const limited = (tool: string, argument: string): GrantInput => ({
      toolkit: 'custom',
      tools: [tool],
      limits: { [tool]: { properties: { [argument]: { const: 'ada' } } } },
      config: {},
    });
    const write = (grant: GrantInput) => here.plane.replaceGrants(here.admin, 'tester', [grant]);
    const doubt = [{ toolkit: 'custom', tool: 'open', argument: 'too', nearest: 'to' }];
    expect((await write(limited('open', 'too'))).doubtfulLimits).toEqual(doubt);
    // It limits nothing.
    expect(await here.call('open', { to: 'eve' })).toMatchObject({ ok: true });
    const read = await here.plane.grantCatalogue(here.admin, 'tester');
    expect(read.doubtfulLimits).toEqual(doubt);
    const rows = async () =>
      (await here.plane.doctor(here.admin, { record: 'skip' })).filter((row) => /^grants/.test(row.check));
    expect(await rows()).toMatchObject([
      {
        check: 'grants of tester',
        state: 'warning',
        detail: expect.stringMatching(/custom\.open .*too; did you mean to\?/),
      },
    ]);
    const add = [{ tools: ['custom.map'] }];
    expect((await here.plane.changeGrants(here.admin, 'tester', { add })).doubtfulLimits).toEqual(doubt);
    for (const right of [limited('open', 'to'), limited('map', 'too'), limited('closed', 'to')])
      expect((await write(right)).doubtfulLimits).toEqual([]);
    expect(await rows()).toEqual([]);
    await expect(write(limited('closed', 'too'))).rejects.toMatchObject({ hint: 'Did you mean to?' });
  } finally {
    await here.close();
  }
});

test('R-grants: limited grants on a document that cannot be read are shown and taken away', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'helve-limited-'));
  const documents = await startScripted();
  const parameters = [{ name: 'shelf', in: 'query', schema: { type: 'string' } }];
  const get = { operationId: 'look', parameters, responses: {} };
  const document = { openapi: '3.0.3', info: { title: 'Shelf', version: '1' }, paths: { '/books': { get } } };
  documents.answer = (_, response) => sendJson(response, 200, document);
  const config = JSON.stringify({ openapi: { shelf: { document: documents.url } } });
  const before = await createTestHelve({ nativeToolkits: [], dataDir, config, granted: [] });
  const limits = { look: { properties: { shelf: { const: 'a' } } } };
  await before.plane.replaceGrants(before.admin, 'tester', [{ toolkit: 'shelf', tools: ['look'], limits, config: {} }]);
  await Promise.all([before.close(), documents.close()]);
  const here = await createHelve({ nativeToolkits: [], dataDir, config });
  try {
    const { workspaceId } = await here.ensureWorkspace('default');
    const { principal } = await here.plane.redeemAdminLink(await here.adminLink(workspaceId));
    const { grants } = await here.plane.grantCatalogue(principal, 'tester');
    expect(grants).toMatchObject([{ toolkit: 'shelf', limits: { look: {} } }]);
    expect((await here.plane.replaceGrants(principal, 'tester', [])).grants).toEqual([]);
  } finally {
    await here.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

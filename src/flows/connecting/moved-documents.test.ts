/** A document that is read from an address and names other servers later: nothing is sent there until a person agrees. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Scripted, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import { createHelve, type Helve } from '../../helve.js';
import { createTestHelve } from '../../testing/index.js';

let documents: Scripted;
let service: Scripted;
let other: Scripted;
let dataDir: string;
const open: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  [documents, service, other] = await Promise.all([startScripted(), startScripted(), startScripted()]);
  dataDir = await mkdtemp(join(tmpdir(), 'helve-moved-'));
  for (const one of [service, other])
    one.answer = ({ url, headers }, response) =>
      url === '/token'
        ? sendJson(response, 200, { access_token: `token-of-${one.url}`, token_type: 'Bearer', expires_in: 1 })
        : sendJson(response, 200, { host: headers.host });
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  await Promise.all([documents, service, other].map((one) => one.close()));
  await rm(dataDir, { recursive: true, force: true });
});

/** What the document says from now on: its operations are at `servers`, and tokens are given by `tokens`. */
function publish(server: string, tokens: string, authorization = tokens): void {
  const code = { authorizationUrl: `${authorization}/authorize`, tokenUrl: `${tokens}/token`, scopes: {} };
  const flows = { clientCredentials: { tokenUrl: `${tokens}/token`, scopes: {} }, authorizationCode: code };
  const operation = (operationId: string) => ({ get: { operationId, responses: {} } });
  const document = {
    openapi: '3.0.3',
    info: { title: 'Shelf', version: '1' },
    servers: [{ url: `${server}/v1` }],
    security: [{ login: [] }],
    paths: { '/books': operation('listBooks'), '/pens': operation('listPens') },
    components: { securitySchemes: { login: { type: 'oauth2', flows } } },
  };
  documents.answer = (_, response) => sendJson(response, 200, document);
}

const options = (more: object = {}) => ({
  dataDir,
  nativeToolkits: [],
  publicUrl: 'https://helve.example',
  egress: { allowedAddresses: ['127.0.0.1'] },
  config: JSON.stringify({
    openapi: { shelf: { document: `${documents.url}/shelf.json`, ...more } },
    oauth: { 'openapi:shelf': { client_id: 'us', client_secret: 'our-secret' } },
  }),
});

const credentials = { client_id: 'mine', client_secret: 'secret-of-mine' };
const scheme = 'login_client_credentials';

async function first(): Promise<void> {
  const helve = await createTestHelve({
    ...options(),
    connections: [{ toolkit: 'shelf', name: 'Mine', scheme, credentials }],
  });
  expect(await helve.call('mine__list_books')).toMatchObject({ ok: true });
  await helve.close();
}

/** Another start on the same store, with whatever the document says now. */
async function startAgain(more: object = {}) {
  const helve = await createHelve(options(more));
  open.push(helve);
  const { workspaceId } = await helve.ensureWorkspace('default');
  const { principal } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
  return { helve, admin: principal };
}

const call = (helve: Helve, tool = 'mine__list_books') =>
  helve.execute({ principal: { agent: 'tester', workspace: 'default' }, tool, input: {} });

test('attack: a document that names other servers gets no credentials, in calls and in sign-ins, until a person agrees once', async () => {
  publish(service.url, service.url);
  await first();
  publish(other.url, other.url);
  const { helve, admin } = await startAgain();
  expect(await call(helve)).toMatchObject({ ok: false });
  const { id } = await helve.plane.addConnection(admin, { toolkit: 'shelf', name: 'Other', scheme: 'login' });
  await expect(helve.plane.connect(admin, id, {})).rejects.toMatchObject({
    code: 'invalid_config',
    hint: expect.stringContaining('helve definitions'),
  });
  expect(other.seen).toEqual([]);
  const [pending, ...rest] = await helve.plane.pendingDefinitions(admin);
  expect(rest).toEqual([]);
  expect(pending).toMatchObject({
    tool: '@servers',
    before: { servers: [service.url] },
    after: { servers: [other.url], signIn: [other.url] },
  });
  await helve.plane.acceptDefinition(admin, 'shelf', '@servers', pending?.hash ?? '');
  expect(await call(helve)).toMatchObject({ ok: true });
  expect(await call(helve, 'mine__list_pens')).toMatchObject({ ok: true });
  expect(other.seen.map(({ url }) => url)).toContain('/v1/books');
});

test('attack: a document that names only another token server gets nothing there', async () => {
  publish(service.url, service.url);
  await first();
  publish(service.url, other.url, service.url);
  const { helve } = await startAgain();
  expect(await call(helve)).toMatchObject({ ok: false });
  expect(other.seen).toEqual([]);
});

test('R-openapi: a document that is the same about its servers needs no consent', async () => {
  publish(service.url, service.url);
  await first();
  publish(`${service.url}/moved`, service.url);
  const { helve, admin } = await startAgain();
  expect(await call(helve)).toMatchObject({ ok: true });
  expect(await helve.plane.pendingDefinitions(admin)).toEqual([]);
});

test('attack: a document that names other servers before an agent has looked gets nothing of an account that was connected', async () => {
  publish(service.url, service.url);
  const { helve, admin } = await startAgain();
  await helve.plane.addConnection(admin, { toolkit: 'shelf', name: 'Mine', scheme });
  await helve.plane.connect(admin, 'mine', { credentials });
  await helve.close();
  publish(other.url, other.url);
  const later = await createTestHelve(options());
  open.push(later);
  expect(await call(later)).toMatchObject({ ok: false });
  await expect(later.plane.connect(later.admin, 'mine', { credentials })).rejects.toMatchObject({
    code: 'invalid_config',
    hint: expect.stringContaining('helve definitions'),
  });
  expect(other.seen).toEqual([]);
});

test('attack: a document of which no tool is left sends nobody to its new address to sign in', async () => {
  publish(service.url, service.url);
  await first();
  publish(other.url, other.url);
  const { helve, admin } = await startAgain({ include: ['renamed_by_its_owner'] });
  const { id } = await helve.plane.addConnection(admin, { toolkit: 'shelf', name: 'Other', scheme: 'login' });
  await expect(helve.plane.connect(admin, id, {})).rejects.toMatchObject({
    code: 'invalid_config',
    message: 'The document of Shelf offers no tools',
  });
});

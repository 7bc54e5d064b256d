/** A separate Helve process, behind its real doors, with toolkits that sign in in every way and repeat all their input. */
import { createHelve } from '../../../dist/index.js';
import { writeLocalAccess } from '../../../dist/surfaces/cli/local-access.js';
import { createHttpApp, listen } from '../../../dist/surfaces/http/index.js';
import { createMcpDoor } from '../../../dist/surfaces/mcp/index.js';

const { database, dataDir, config, echo } = JSON.parse(process.env.CANARY_SETTINGS ?? '{}');
const hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
const secret = (name) => ({ name, title: name, secret: true });
const one = (placement) => ({ fields: [secret('key')], placement: [placement] });

/** By slug of the toolkit: how it signs in. */
const ways = {
  header: { kind: 'api_key', ...one({ in: 'header', name: 'x-api-key', value: '{key}' }) },
  query: { kind: 'api_key', ...one({ in: 'query', name: 'api_key', value: '{key}' }) },
  path: { kind: 'bot_token', ...one({ in: 'path', value: '/bot{key}' }) },
  cookie: { kind: 'api_key', ...one({ in: 'cookie', name: 'sid', value: '{key}' }) },
  basic: {
    kind: 'basic',
    fields: [{ name: 'user', title: 'User', secret: false }, secret('key')],
    placement: [{ in: 'basic', username: '{user}', password: '{key}' }],
  },
  bot: { kind: 'bot_token', ...one({ in: 'header', name: 'authorization', value: 'Bot {key}' }) },
  patterned: {
    kind: 'api_key',
    fields: [{ ...secret('key'), pattern: '.{8,200}' }],
    placement: [{ in: 'header', name: 'x-key', value: '{key}' }],
  },
  account: { kind: 'service_account', fields: [secret('key')], exchange: (context) => exchanged(context) },
  app: { kind: 'custom', fields: [secret('key')], exchange: (context) => exchanged(context) },
  mail: { kind: 'custom', fields: [secret('key')], exposed: true },
  oauth: { kind: 'oauth2', provider: 'vendor', scopes: ['openid'] },
};

async function exchanged({ fields, service }) {
  const inner = fields.key.startsWith('{') ? JSON.parse(fields.key).private_key : fields.key;
  const answer = await service.json({ method: 'POST', path: '/exchange/token', form: [['assertion', inner]] });
  return { accessToken: answer.access_token, expiresInSeconds: 3_600 };
}

const toolkits = Object.entries(ways).map(([slug, scheme]) => ({
  slug,
  title: slug,
  description: 'A service for tests',
  category: 'tests',
  auth: {
    schemes: [{ id: 'way', title: 'Way', ...scheme }],
    identify: async (service) => service.json({ method: 'POST', path: '/me' }),
  },
  service: { servers: () => ({ default: { url: echo, named: true } }) },
  load: async () => [
    {
      name: 'ask',
      title: 'Ask',
      description: 'Says all',
      capabilities: ['get answer'],
      annotations: hints,
      inputSchema: { type: 'object', properties: { mode: { type: 'string' } }, required: ['mode'] },
      execute: async ({ mode }, { service, connection, progress }) => {
        const held = scheme.exposed ? await connection.fields() : {};
        if (scheme.exposed && mode === 'bad')
          throw new Error(`535 refused ${held.key} ${Buffer.from(`x${held.key}`).toString('base64')}`);
        const answer = await service.request({ method: 'POST', path: `/say/${mode}`, json: held, accept: [418] });
        progress({ progress: 1, message: answer.text().slice(0, 3_000) });
        const { status, headers, url } = answer;
        const bytes = Buffer.from(answer.body).toString('latin1');
        const parsed = mode === 'ok' || mode === 'notjson' ? answer.json() : null;
        return { status, headers, url, text: answer.text(), bytes, parsed };
      },
    },
  ],
}));

let address;
const helve = await createHelve({
  database,
  dataDir,
  config,
  toolkits,
  nativeToolkits: [],
  publicUrl: () => address,
  vaultKeys: process.env.HELVE_VAULT_KEYS,
  limits: { perIp: null, perPrincipal: null, perTool: null },
});
const setUp = await helve.setUp();
const door = createMcpDoor({
  plane: helve.plane,
  mcpSessions: helve.mcpSessions,
  serverInfo: { name: 'canary', version: '0' },
  resultMaxChars: 10_000,
});
let app;
const listening = await listen({
  fetch: (request, bindings) => app.fetch(request, bindings),
  host: '127.0.0.1',
  port: 0,
});
address = listening.url;
app = createHttpApp({
  plane: helve.plane,
  mcp: (request, principal) => door.handle(request, principal),
  publicUrl: address,
});
const link = await helve.adminLink(setUp.workspaceId);
const { principal } = await helve.plane.redeemAdminLink(link);
const key = await helve.plane.createApiKey(principal, { name: 'tests', permissions: principal.permissions });
writeLocalAccess(dataDir, { url: address, key: key.secret });
// The only channel to the test: nothing is written to standard output.
const second = await helve.adminLink(setUp.workspaceId);
process.send({ url: address, key: key.secret, adminLink: second });
console.log('serving');

process.once('message', async () => {
  await door.close();
  await listening.close();
  await helve.close();
  process.disconnect();
});

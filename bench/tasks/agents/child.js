/**
 * One process of the campaign: a whole Helve, whose agents work until it is killed. Its parent asks it for acts of the plane, as the
 * person who set it up, and gets `{ result }` or `{ error }`.
 */
import { createHelve, defineTool, HelveError } from '../../../dist/index.js';
import { approved, inspected, services } from './stories.js';

const { database, counterpart, key } = JSON.parse(process.argv[2]);

async function ask(path, body, signal) {
  const headers = { authorization: `Bearer ${key}` };
  const sent = fetch(counterpart + path, { method: 'POST', headers, body: JSON.stringify(body), signal });
  const answer = await sent.catch(() => {
    throw new HelveError('outcome_unknown', 'The answer was lost');
  });
  return answer.json();
}

const object = (properties) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(properties).map(([name, type]) => [name, { type }])),
  required: Object.keys(properties),
});
const effect = object({ issue: 'integer', attempt: 'integer', step: 'integer', answer: 'integer' });

const makeTool = ({ tool, by }) =>
  defineTool({
    name: tool,
    title: tool,
    description: `The service ${tool}`,
    inputSchema: effect,
    outputSchema: object({ number: 'integer' }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    capabilities: ['act on something'],
    idempotency: { by, how: 'As the campaign says' },
    highRisk: tool === approved.tool,
    execute: (input, { effectKey, signal }) => ask('/act', { tool, key: effectKey, ...input }, signal),
    ...(by === 'probe' && {
      probe: async (_, { effectKey, signal }) => (await ask('/probe', { key: effectKey }, signal)).found,
    }),
  });
const inspect = defineTool({
  name: inspected,
  title: 'Inspect',
  description: 'Whether the work is good',
  inputSchema: object({ issue: 'integer' }),
  outputSchema: object({ good: 'boolean' }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  capabilities: ['look at something'],
  execute: (input, { signal }) => ask('/inspect', input, signal),
});

const helve = await createHelve({
  database,
  vaultKeys: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  config: `models:\n  language: { base_url: '${counterpart}', model: scripted, api_key: '${key}' }\n`,
  tools: [...services, approved].map(makeTool).concat(inspect),
  publicUrl: 'http://127.0.0.1',
  limits: { perIp: null, perCredential: null, perPrincipal: null, perTool: null },
});
const { workspaceId } = await helve.setUp();
const admin = (await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
const known = (await helve.plane.listAgents(admin, {})).agents.map(({ slug }) => slug);
for (const slug of ['direct', 'coder']) {
  if (known.includes(slug)) continue;
  await helve.plane.createAgent(admin, { slug, ...(slug === 'coder' && { toolMode: 'code' }) });
  await helve.plane.changeGrants(admin, slug, { add: [{ toolkit: 'custom' }] });
}

process.on('message', async ({ id, act, parameters }) => {
  try {
    process.send({ id, result: await helve.plane[act](admin, ...parameters) });
  } catch (thrown) {
    process.send({ id, error: { code: thrown.code, message: String(thrown.message) } });
  }
});
process.on('disconnect', () => process.exit());
process.send({ open: true });

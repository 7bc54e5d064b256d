/**
 * One process of the races: it opens the store, and does what its parent orders at the instant that its parent names.
 * Like every process, it also looks all the time for runs that can continue.
 */
import { createHelve, defineTool, HelveError } from 'helve';
import { seal } from '../../dist/audit/index.js';
import { openStorage } from '../../dist/storage/index.js';

const [location, counterpart] = process.argv.slice(2);
const text = { type: 'string' };
const creates = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

const makeTool = (name, idempotency) =>
  defineTool({
    name,
    title: name,
    description: 'Acts at the service of the races',
    inputSchema: { type: 'object', properties: { name: text }, required: ['name'] },
    outputSchema: { type: 'object', properties: { name: text }, required: ['name'] },
    annotations: creates,
    capabilities: ['act on something'],
    idempotency: { by: idempotency, how: 'As the race says' },
    async execute(input, { effectKey }) {
      const body = JSON.stringify({ ...input, key: effectKey });
      const answer = await fetch(`${counterpart}/${name}`, { method: 'POST', body }).catch(() => {
        throw new HelveError('outcome_unknown', 'The answer was lost');
      });
      return answer.json();
    },
  });

const tools = [makeTool('approved', 'key'), makeTool('plain', 'key'), makeTool('doubtful', 'ask')];
const noLimits = { perIp: null, perCredential: null, perPrincipal: null, perTool: null };
const storage = await openStorage({ location, seal });
const helve = await createHelve({ storage, tools, limits: noLimits, heartbeatMs: 50, nativeToolkits: [] });
const { workspaceId } = await helve.setUp();
const admin = (await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
const { plane } = helve;

const acts = {
  policies: () =>
    plane.replacePolicies(admin, [{ id: 'ask', effect: 'require_approval', when: { tools: ['approved'] } }]),
  start: (request) => plane.runCode(admin, request),
  read: ({ id }) => plane.getRun(admin, id),
  approve: ({ approvalId }) => plane.decideApproval(admin, approvalId, 'approved', 'api'),
  decide: ({ id, decision }) => plane.decideRun(admin, id, decision),
  cancel: ({ id }) => plane.cancelRun(admin, id),
  async settled({ id }) {
    for await (const event of plane.followRun(admin, id)) if (event.type === 'settled') return event.run;
  },
  approval: ({ approvalId }) => plane.approval(admin, approvalId),
};

process.on('message', async ({ task, act, given, at }) => {
  while (Date.now() < at);
  try {
    process.send({ task, value: (await acts[act](given)) ?? null });
  } catch (error) {
    process.send({ task, error: { code: error.code, message: error.message } });
  }
});
process.send({ ready: true });

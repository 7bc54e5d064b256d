import { createOpenAI } from '@ai-sdk/openai';
import { createHttpApp, listen } from '../../dist/surfaces/http/index.js';
import { check } from '../support/check.js';
import { agent, openPlane, turns } from '../support/plane.js';
import { startScriptedModel } from '../support/scripted-model.js';
import { answer } from './agent.js';

// The server: `helve serve`, and `helve agents token assistant`.
const helve = await openPlane();
const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
const server = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 });
const { workspaceId } = await helve.ensureWorkspace('default');
const { principal } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
const { secret } = await helve.plane.issueAgentToken(principal, agent.agent, {});

// The agent: it has an address and a token.
const model = await startScriptedModel(turns);
const openai = createOpenAI({ apiKey: 'none', baseURL: `${model.url}/v1`, fetch: model.fetch });
const question = { type: 'text', text: 'What is six times seven? Keep the answer.' };
const result = await answer({
  messages: [{ id: '1', role: 'user', parts: [question] }],
  model: openai.chat('gpt-4o'),
  env: { HELVE_URL: server.url, HELVE_TOKEN: secret },
});
const text = await result.finalStep.then((step) => step.text);

const [first, second] = model.requests;
await check(helve, { api: 'chat', sentTools: first.tools, told: second.messages.at(-1), text, recordsRefusal: false });
await model.stop();
await server.close();
await helve.close();

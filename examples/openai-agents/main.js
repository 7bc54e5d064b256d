import { Agent, OpenAIResponsesModel, Runner } from '@openai/agents';
import { toolsFor } from 'helve/openai-agents';
import OpenAI from 'openai';
import { check } from '../support/check.js';
import { agent, openPlane, turns } from '../support/plane.js';
import { startScriptedModel } from '../support/scripted-model.js';

const helve = await openPlane();
const model = await startScriptedModel(turns);
const client = new OpenAI({ apiKey: 'none', baseURL: `${model.url}/v1`, fetch: model.fetch });

const assistant = new Agent({
  name: 'assistant',
  instructions: 'Calculate, and keep what you are asked to keep.',
  model: new OpenAIResponsesModel(client, 'gpt-4o'),
  tools: await toolsFor(helve, { principal: agent }),
});
const result = await new Runner({ tracingDisabled: true }).run(assistant, 'What is six times seven? Keep the answer.');

const [first, second] = model.requests;
const told = second.input.at(-1);
await check(helve, { api: 'responses', sentTools: first.tools, told, text: result.finalOutput });
await model.stop();
await helve.close();

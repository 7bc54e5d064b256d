import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { keepSchemas, toolsFor } from 'helve/mastra';
import { check } from '../support/check.js';
import { agent, openPlane, turns } from '../support/plane.js';
import { startScriptedModel } from '../support/scripted-model.js';

const helve = await openPlane();
const model = await startScriptedModel(turns);
const openai = createOpenAI({ apiKey: 'none', baseURL: `${model.url}/v1`, fetch: model.fetch });

const tools = await toolsFor(helve, { principal: agent });
const assistant = new Agent({
  id: 'assistant',
  name: 'assistant',
  instructions: 'Calculate, and keep what you are asked to keep.',
  model: openai.chat('gpt-4o'),
  tools,
  inputProcessors: [keepSchemas(tools)],
});
const { text } = await assistant.generate('What is six times seven? Keep the answer.', { maxSteps: 10 });

const [first, second] = model.requests;
await check(helve, { api: 'chat', sentTools: first.tools, told: second.messages.at(-1), text });
await model.stop();
await helve.close();

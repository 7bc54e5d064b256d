import { ChatOpenAI } from '@langchain/openai';
import { toolsFor } from 'helve/langchain';
import { createAgent } from 'langchain';
import { check } from '../support/check.js';
import { agent, openPlane, turns } from '../support/plane.js';
import { startScriptedModel } from '../support/scripted-model.js';

const helve = await openPlane();
const model = await startScriptedModel(turns);
const configuration = { baseURL: `${model.url}/v1`, fetch: model.fetch };

const assistant = createAgent({
  model: new ChatOpenAI({ model: 'gpt-4o', apiKey: 'none', configuration }),
  tools: await toolsFor(helve, { principal: agent }),
});
const { messages } = await assistant.invoke({
  messages: [{ role: 'user', content: 'What is six times seven? Keep the answer.' }],
});

const [first, second] = model.requests;
const text = messages.at(-1).content;
await check(helve, { api: 'chat', sentTools: first.tools, told: second.messages.at(-1), text });
await model.stop();
await helve.close();

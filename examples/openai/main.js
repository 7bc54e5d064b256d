import { responsesToolsFor, toolsFor } from 'helve/openai';
import OpenAI from 'openai';
import { ResponsesToolRunner } from 'openai/helpers/responses-tool-runner';
import { check } from '../support/check.js';
import { agent, openPlane, turns } from '../support/plane.js';
import { startScriptedModel } from '../support/scripted-model.js';

const question = 'What is six times seven? Keep the answer.';

async function overChatCompletions() {
  const helve = await openPlane();
  const model = await startScriptedModel(turns);
  const client = new OpenAI({ apiKey: 'none', baseURL: `${model.url}/v1`, fetch: model.fetch });

  const runner = client.chat.completions.runTools({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: question }],
    tools: await toolsFor(helve, { principal: agent }),
  });
  const text = await runner.finalContent();

  const [first, second] = model.requests;
  await check(helve, { api: 'chat', sentTools: first.tools, told: second.messages.at(-1), text });
  await model.stop();
  await helve.close();
}

async function overResponses() {
  const helve = await openPlane();
  const model = await startScriptedModel(turns);
  const client = new OpenAI({ apiKey: 'none', baseURL: `${model.url}/v1`, fetch: model.fetch });

  const runner = new ResponsesToolRunner({ functions: await responsesToolsFor(helve, { principal: agent }) });
  const { output_text: text } = await runner.run(client, { model: 'gpt-4o', input: question });

  const [first, second] = model.requests;
  await check(helve, { api: 'responses', sentTools: first.tools, told: second.input.at(-1), text });
  await model.stop();
  await helve.close();
}

console.log('-- Chat Completions');
await overChatCompletions();
console.log('-- Responses');
await overResponses();

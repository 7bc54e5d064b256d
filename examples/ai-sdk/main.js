import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs } from 'ai';
import { toolsFor } from 'helve/ai-sdk';
import { check } from '../support/check.js';
import { agent, openPlane, turns } from '../support/plane.js';
import { startScriptedModel } from '../support/scripted-model.js';

async function ask(validate) {
  const helve = await openPlane();
  const model = await startScriptedModel(turns);
  const openai = createOpenAI({ apiKey: 'none', baseURL: `${model.url}/v1`, fetch: model.fetch });

  const { text } = await generateText({
    model: openai.chat('gpt-4o'),
    prompt: 'What is six times seven? Keep the answer.',
    tools: await toolsFor(helve, { principal: agent, validate }),
    stopWhen: stepCountIs(10),
  });

  const [first, second] = model.requests;
  const recordsRefusal = validate === 'plane';
  await check(helve, { api: 'chat', sentTools: first.tools, told: second.messages.at(-1), text, recordsRefusal });
  await model.stop();
  await helve.close();
}

console.log('-- wrong arguments are refused by the AI SDK');
await ask('sdk');
console.log('-- wrong arguments are refused by Helve, and recorded');
await ask('plane');

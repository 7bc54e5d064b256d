import Anthropic from '@anthropic-ai/sdk';
import { toolsFor } from 'helve/anthropic';
import { check } from '../support/check.js';
import { agent, openPlane, turns } from '../support/plane.js';
import { startScriptedModel } from '../support/scripted-model.js';

const helve = await openPlane();
const model = await startScriptedModel(turns);
const client = new Anthropic({ apiKey: 'none', baseURL: model.url, fetch: model.fetch });

const last = await client.beta.messages.toolRunner({
  model: 'claude-opus-4',
  max_tokens: 1000,
  messages: [{ role: 'user', content: 'What is six times seven? Keep the answer.' }],
  tools: await toolsFor(helve, { principal: agent }),
  thread: false, // the scripted model stores no conversation between requests
});

const [first, second] = model.requests;
const [{ text }] = last.content;
await check(helve, { api: 'anthropic', sentTools: first.tools, told: second.messages.at(-1), text });
await model.stop();
await helve.close();

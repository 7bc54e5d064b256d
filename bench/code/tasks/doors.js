// The real doors: a Helve that serves MCP over HTTP on this machine, used by the official MCP client, and the AI SDK with
// `toolsFor`. Both let a script play a task and count, turn by turn, all that a model would be sent and would write.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { fromDist } from '../../discovery/dist.js';
import { tokensOf } from '../../discovery/tokens/count.js';
import { createOffice } from './office.js';

const { createHelve } = await fromDist('helve.js');
const { createHttpApp, listen } = await fromDist('surfaces/http/index.js');
const { createMcpDoor } = await fromDist('surfaces/mcp/index.js');
const { nativeToolkits } = await fromDist('toolkits/index.js');
const { toolsFor } = await fromDist('sdk/ai-sdk.js');

const system = 'You work for a small company, with tools. Today is 25 November 2026. Answer briefly.';
const unlimited = { perIp: null, perCredential: null, perPrincipal: null, perTool: null };

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
const tokensOfAll = (values) => sum(values.map((value) => tokensOf(JSON.stringify(value))));

/** `bundled`: whether the agent also has Helve's own tools, as a first agent has. */
export async function openOffice({ bundled, scale = 1 }) {
  const office = createOffice({ scale });
  const own = bundled ? nativeToolkits : nativeToolkits.filter(({ slug }) => ['discovery', 'results'].includes(slug));
  const helve = await createHelve({
    limits: unlimited,
    nativeToolkits: [...own, ...office.toolkits],
    publicUrl: 'http://127.0.0.1:1',
  });
  const { workspaceId } = await helve.setUp();
  const admin = (await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
  const { secret } = await helve.plane.issueAgentToken(admin, 'first', {});
  const door = createMcpDoor({
    plane: helve.plane,
    mcpSessions: helve.mcpSessions,
    serverInfo: { name: 'helve', version: '0' },
    resultMaxChars: 10_000,
  });
  const app = createHttpApp({
    plane: helve.plane,
    mcp: (request, principal) => door.handle(request, principal),
    publicUrl: 'http://127.0.0.1:1',
  });
  const server = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 });
  return {
    office,
    helve,
    mcpUrl: `${server.url}/mcp/first`,
    token: secret,
    setWay: (way) => helve.plane.changeAgent(admin, 'first', { toolMode: way }),
    async close() {
      await server.close();
      await door.close();
      await helve.close();
    },
  };
}

/** Sent and written in one turn. `tools`: the definitions; `messages`: the whole conversation so far. */
const countTurn = (tools, messages, written) => ({
  tools: tokensOfAll(tools),
  messages: tokensOfAll(messages),
  written,
});
const tokensOfCalls = (calls) =>
  sum(calls.map(({ name, arguments: input }) => tokensOf(name) + tokensOf(JSON.stringify(input))));

/** The task over MCP, in the shape in which a host sends it to a model: definitions, then messages of the chat API. */
export async function playOverMcp({ mcpUrl, token }, task, play) {
  const client = new Client({ name: 'host', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit }));
  try {
    const listed = [];
    for (let cursor; ; ) {
      const page = await client.listTools(cursor === undefined ? {} : { cursor });
      listed.push(...page.tools);
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    const tools = listed.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }));
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: task.ask },
    ];
    const turns = [];
    const script = play(task);
    for (let step = script.next(); ; ) {
      if (step.done) {
        turns.push(countTurn(tools, messages, tokensOf(JSON.stringify(step.value))));
        return { turns, tools: tools.length, answer: step.value };
      }
      const calls = step.value.map((call, at) => ({ id: `call_${turns.length}_${at}`, ...call }));
      turns.push(countTurn(tools, messages, tokensOfCalls(calls)));
      const results = await Promise.all(
        calls.map((call) => client.callTool({ name: call.name, arguments: call.arguments })),
      );
      const texts = results.map(({ content }) => content.map(({ text }) => text).join('\n'));
      const tool_calls = calls.map(({ id, name, arguments: input }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      }));
      messages.push(
        { role: 'assistant', tool_calls },
        ...texts.map((content, at) => ({ role: 'tool', tool_call_id: calls[at].id, content })),
      );
      step = script.next(texts);
    }
  } finally {
    await client.close();
  }
}

const textOf = ({ output }) => (output.type === 'text' ? output.value : JSON.stringify(output.value));
const noUsage = { inputTokens: { total: 0 }, outputTokens: { total: 0 } };

/** The task in a loop of the AI SDK, whose model is the script. */
export async function playInAiSdk({ helve }, task, play, way) {
  const tools = await toolsFor(helve, { principal: { agent: 'first' }, ...(way === 'code' && { mode: 'code' }) });
  const turns = [];
  const script = play(task);
  let answer;
  const model = new MockLanguageModelV4({
    async doGenerate({ prompt, tools: sent = [] }) {
      const last = prompt.at(-1);
      const step = last.role === 'tool' ? script.next(last.content.map(textOf)) : script.next();
      const calls = step.done ? [] : step.value;
      const written = step.done ? tokensOf(JSON.stringify(step.value)) : tokensOfCalls(calls);
      turns.push(countTurn(sent, prompt, written));
      if (step.done) answer = step.value;
      const content = step.done
        ? [{ type: 'text', text: JSON.stringify(step.value) }]
        : calls.map((call, at) => ({
            type: 'tool-call',
            toolCallId: `call_${turns.length}_${at}`,
            toolName: call.name,
            input: JSON.stringify(call.arguments),
          }));
      const reason = step.done ? 'stop' : 'tool-calls';
      return { content, finishReason: { unified: reason, raw: reason }, usage: noUsage, warnings: [] };
    },
  });
  await generateText({ model, tools, system, prompt: task.ask, stopWhen: stepCountIs(20), maxRetries: 0 });
  return { turns, tools: Object.keys(tools).length, answer };
}

export const doors = { mcp: playOverMcp, 'ai-sdk': playInAiSdk };

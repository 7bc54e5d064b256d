/**
 * The OpenAI Agents SDK (`@openai/agents`) as the worker of an agent. Its `Model` is the recorded turn of the run, whatever model that asks,
 * and its tools hand out the results of the calls that the run has made. Nothing leaves through the SDK: its tracing is off.
 */
import type { AgentInputItem, AgentOutputItem, Model, ModelRequest, ModelResponse } from '@openai/agents';
import type { AgentDriver, DrivenWork } from '../../domain/agent-driver.js';
import type { ModelAnswer, ModelMessage, ModelToolCall } from '../../domain/agent-model.js';
import { peer } from '../../util/peer.js';

type AgentsSdk = typeof import('@openai/agents');

/** A placeholder for tools that the agent did not have when its work began, because the SDK refuses unknown names. */
const unknownTool = 'unknown_tool';

export function createOpenAiAgentsDriver(): AgentDriver {
  return {
    async drive(work) {
      const sdk = await peer('@openai/agents', () => import('@openai/agents'));
      const agent = new sdk.Agent({
        name: 'helve',
        instructions: work.system,
        tools: [...new Set([...work.tools, unknownTool])].map((name) => makeTool(name, work, sdk)),
      });
      const model = createModel(work, sdk);
      const runner = new sdk.Runner({ modelProvider: { getModel: () => model }, tracingDisabled: true });
      // The steps of the work are counted where the model is asked.
      const { finalOutput } = await runner.run(agent, work.prompt, { maxTurns: null, signal: work.signal });
      return typeof finalOutput === 'string' ? finalOutput : '';
    },
  };
}

function makeTool(name: string, work: DrivenWork, sdk: AgentsSdk) {
  const made = sdk.tool({
    name,
    description: name,
    // The model is shown the tools that the agent has at that moment, with their schemas, when it is asked.
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
    strict: false,
    async execute(_input: unknown, _context?: unknown, details?: { readonly toolCall?: { readonly callId: string } }) {
      return (await work.resultOf(details?.toolCall?.callId ?? '')).text;
    },
  });
  // `tool()` turns hyphens in a name into underscores.
  return Object.assign(made, { name });
}

function createModel(work: DrivenWork, sdk: AgentsSdk): Model {
  const known = new Set(work.tools);
  const calls = new Map<string, ModelToolCall>();
  return {
    async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
      const answer = await work.ask(await toMessages(input, { work, calls }));
      for (const call of answer.calls) calls.set(call.id, call);
      const { inputTokens, outputTokens } = answer;
      const usage = new sdk.Usage({ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens });
      return { usage, output: toItems(answer, known) };
    },
    // biome-ignore lint/correctness/useYield: the work is never streamed
    async *getStreamedResponse() {
      throw new Error('The work of an agent is not streamed');
    },
  };
}

function toItems({ text, calls }: ModelAnswer, known: ReadonlySet<string>): AgentOutputItem[] {
  const called = calls.map(({ id, name, input }): AgentOutputItem => {
    const args = JSON.stringify(input ?? {});
    const shown = known.has(name) ? name : unknownTool;
    return { type: 'function_call', callId: id, name: shown, arguments: args, status: 'completed' };
  });
  if (text === '' && called.length > 0) return called;
  const message: AgentOutputItem = {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text }],
  };
  return [message, ...called];
}

interface Known {
  readonly work: DrivenWork;
  /** The calls as the model made them, by id. */
  readonly calls: ReadonlyMap<string, ModelToolCall>;
}

/** The history of the SDK as messages: a text and the calls after it are one answer, and results that follow each other one message. */
async function toMessages(input: string | AgentInputItem[], { work, calls }: Known): Promise<ModelMessage[]> {
  if (typeof input === 'string') return [{ role: 'user', text: input }];
  const messages: ModelMessage[] = [];
  for (const item of input) {
    const last = messages.at(-1);
    if (item.type === 'function_call') {
      const call = calls.get(item.callId);
      if (call === undefined) continue;
      if (last?.role === 'assistant') messages[messages.length - 1] = { ...last, calls: [...last.calls, call] };
      else messages.push({ role: 'assistant', text: '', calls: [call] });
    } else if (item.type === 'function_call_result') {
      const result = await work.resultOf(item.callId);
      if (last?.role === 'tool') messages[messages.length - 1] = { ...last, results: [...last.results, result] };
      else messages.push({ role: 'tool', results: [result] });
    } else if ('role' in item && item.role === 'user') messages.push({ role: 'user', text: readText(item.content) });
    else if ('role' in item && item.role === 'assistant')
      messages.push({ role: 'assistant', text: readText(item.content), calls: [] });
  }
  return messages;
}

type Content = string | readonly { readonly type: string; readonly text?: string }[];

function readText(content: unknown): string {
  const given = content as Content;
  return typeof given === 'string' ? given : given.map(({ text = '' }) => text).join('');
}

/**
 * The Claude Agent SDK (`@anthropic-ai/claude-agent-sdk`) as the worker of an agent. It starts a program of its maker, whose licence is not
 * open: whoever operates Helve installs it. Its model is a gateway on 127.0.0.1 that answers from the recorded turns of the run, its own tools
 * and settings are off, and an MCP server in this process hands out the results of the calls that the run has made.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentDriver, DrivenWork } from '../../domain/agent-driver.js';
import type { ModelAnswer, ModelMessage, ModelToolCall } from '../../domain/agent-model.js';
import { HelveError } from '../../domain/errors.js';
import { peer } from '../../util/peer.js';
import { type Gateway, startGateway } from './gateway.js';
import type { ReadMessage, ReadMessages } from './messages.js';
import { createToolServer, serverName, toShownName } from './tool-server.js';
import type { WireAnswer, WireBlock } from './wire.js';

const packageName = '@anthropic-ai/claude-agent-sdk';

/** The part of the SDK that is used here. */
export interface ClaudeAgentSdk {
  query(asked: { readonly prompt: string; readonly options: object }): AsyncIterable<SdkMessage>;
}

interface SdkMessage {
  readonly type: string;
  readonly subtype?: string;
  readonly result?: string;
}

/** `load`: imports the SDK; another place than the installed package, for tests. */
export function createClaudeAgentDriver(load: () => Promise<unknown> = () => import(packageName)): AgentDriver {
  return {
    async drive(work) {
      const sdk = (await peer(packageName, load)) as ClaudeAgentSdk;
      const folder = await mkdtemp(join(tmpdir(), 'helve-claude-'));
      const turns = createTurns(work);
      const gateway = await startGateway(turns.answer);
      try {
        return await follow(sdk.query({ prompt: work.prompt, options: await optionsFor({ work, gateway, folder }) }));
      } finally {
        await gateway.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function follow(messages: AsyncIterable<SdkMessage>): Promise<string> {
  for await (const { type, subtype, result = '' } of messages) {
    if (type !== 'result') continue;
    if (subtype === 'success') return result;
    throw new HelveError('upstream_failed', `The Claude Agent SDK has ended the work: ${subtype}`);
  }
  throw new HelveError('upstream_failed', 'The program of the Claude Agent SDK has ended without a result');
}

interface Place {
  readonly work: DrivenWork;
  readonly gateway: Gateway;
  readonly folder: string;
}

/** Longer than anything that is waited for. */
const patienceMs = String(2 ** 31 - 1);

async function optionsFor({ work, gateway, folder }: Place): Promise<object> {
  const stop = new AbortController();
  work.signal.addEventListener('abort', () => stop.abort(), { once: true });
  if (work.signal.aborted) stop.abort();
  return {
    abortController: stop,
    systemPrompt: work.system,
    tools: [],
    mcpServers: { [serverName]: { type: 'sdk', name: serverName, instance: await createToolServer(work) } },
    strictMcpConfig: true,
    allowedTools: work.tools.map(toShownName),
    permissionMode: 'dontAsk',
    settingSources: [],
    persistSession: false,
    cwd: folder,
    env: {
      PATH: '/usr/bin:/bin',
      HOME: folder,
      ANTHROPIC_BASE_URL: gateway.url,
      ANTHROPIC_API_KEY: gateway.key,
      API_TIMEOUT_MS: patienceMs,
      MCP_TOOL_TIMEOUT: patienceMs,
      DISABLE_AUTO_COMPACT: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  };
}

/** The turns of the work as the program asks for them. */
function createTurns(work: DrivenWork) {
  const calls = new Map<string, ModelToolCall>();
  const asked = new Map<string, Promise<ModelAnswer>>();

  async function toMessage(turn: ReadMessage): Promise<ModelMessage> {
    if (turn.role === 'tool') return { role: 'tool', results: await Promise.all(turn.callIds.map(work.resultOf)) };
    return { role: 'assistant', text: turn.text, calls: turn.callIds.flatMap((id) => calls.get(id) ?? []) };
  }

  return {
    async answer({ opening, turns }: ReadMessages): Promise<WireAnswer> {
      // What the program asks about something else, such as a title, is not worth a model.
      if (!opening.includes(work.prompt))
        return { id: 'msg_aside', content: [{ type: 'text', text: '' }], inputTokens: 0, outputTokens: 0 };
      const key = JSON.stringify(turns);
      const known = asked.get(key);
      const messages: readonly ModelMessage[] = [
        { role: 'user', text: work.prompt },
        ...(known === undefined ? await Promise.all(turns.map(toMessage)) : []),
      ];
      const answering = asked.get(key) ?? work.ask(messages);
      asked.set(key, answering);
      const { text, calls: made, inputTokens, outputTokens } = await answering;
      for (const call of made) calls.set(call.id, call);
      const said: readonly WireBlock[] = text === '' && made.length > 0 ? [] : [{ type: 'text', text }];
      const called = made.map(({ id, name, input }): WireBlock => {
        return { type: 'tool_use', id, name: toShownName(name), input };
      });
      return { id: `msg_${turns.length + 1}`, content: [...said, ...called], inputTokens, outputTokens };
    },
  };
}

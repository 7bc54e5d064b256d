/** One connection to a server: the protocol's client, and information that the library does not expose. */
import {
  Client,
  type ClientOptions,
  type PriorDiscovery,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';
import type { FetchLike } from './bounded-fetch.js';
import { guardAnswers } from './broken-answers.js';
import { helveErrorIn } from './failures.js';
import { limits } from './limits.js';
import { createNoticeGate } from './notices.js';
import { createQuestions, type Questions } from './questions.js';
import { getTitle, type McpServerSource } from './source.js';
import { createStdioTransport } from './stdio-transport.js';

export interface Link {
  readonly client: Client;
  readonly questions: Questions;
  readonly alive: boolean;
  /** How often the server has announced a changed list. */
  readonly changes: number;
  /** Set once the server has sent too many notifications; the connection is then closed. */
  readonly cutOff: CutOff | undefined;
  /** Aborted when an answer was dropped: open requests may be waiting for it. */
  readonly dropped: AbortSignal;
  close(): Promise<void>;
}

export interface CutOff {
  readonly error: HelveError;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface LinkOptions {
  readonly source: McpServerSource;
  /** For servers over HTTP: limited, with the account's credentials. */
  readonly fetch: FetchLike;
  /** Whether responses can be read while they are written: only then can a server ask questions or announce changes. */
  readonly streams: boolean;
  readonly onListChanged: () => void;
  /** It sent too many messages, and its connection is being closed. */
  readonly onOver: (error: HelveError) => void;
  /** For the operator only; a child process may write anything. */
  readonly onEnd: (lastWords: string) => void;
  /** Aborted when the connection is no longer needed. During opening, that ends the connection and its child process. */
  readonly closing: AbortSignal;
}

interface LinkState {
  alive: boolean;
  changes: number;
  cutOff: CutOff | undefined;
  dropped: AbortController;
  /** The end of a child process's stderr; empty over HTTP. */
  lastWords: () => string;
}

/** What the library is told about a server from before 2026-07-28, so that it does not ask. */
const legacy: PriorDiscovery = { kind: 'legacy' };

/** `knownLegacy` skips the question whether the server supports 2026-07-28. */
export async function openLink(options: LinkOptions, knownLegacy: boolean): Promise<Link> {
  if (knownLegacy) return open(options, legacy);
  try {
    return await open(options, undefined);
  } catch (error) {
    // Some servers exit or disconnect on an unknown request: they are contacted in the old way.
    if (helveErrorIn(error) || !mayBeOld(error) || options.closing.aborted) throw error;
    return open(options, legacy);
  }
}

function mayBeOld(error: unknown): boolean {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return code !== 'ENOENT' && code !== 'EACCES';
}

async function open(options: LinkOptions, prior: PriorDiscovery | undefined): Promise<Link> {
  const { source } = options;
  const questions = createQuestions(getTitle(source));
  const state: LinkState = {
    alive: true,
    changes: 0,
    cutOff: undefined,
    dropped: new AbortController(),
    lastWords: () => '',
  };
  const client = createClient(options, questions, state);
  const transport = createTransport(options, state);
  client.onclose = () => {
    state.alive = false;
    options.onEnd(state.lastWords());
  };
  // Reported to the request that waits for the answer; all other invalid messages are skipped.
  client.onerror = () => undefined;
  const giveUp = (): void => void transport.close().catch(() => undefined);
  options.closing.addEventListener('abort', giveUp, { once: true });
  try {
    await client.connect(transport, { timeout: limits.connectMs, ...defined({ prior }) });
  } catch (error) {
    state.alive = false;
    await transport.close().catch(() => undefined);
    throw error;
  } finally {
    options.closing.removeEventListener('abort', giveUp);
  }
  guardNotices(transport, options, state);
  return {
    client,
    questions,
    get alive() {
      return state.alive;
    },
    get changes() {
      return state.changes;
    },
    get cutOff() {
      return state.cutOff;
    },
    get dropped() {
      return state.dropped.signal;
    },
    async close() {
      state.alive = false;
      if (transport instanceof StreamableHTTPClientTransport) await endSession(transport);
      await client.close().catch(() => undefined);
      // After the connection was lost, the library has dropped the transport, but its child process may still exist.
      await transport.close().catch(() => undefined);
    },
  };
}

/** Runs before the library, for which each notification is work. */
function guardNotices(transport: Transport, { source, onListChanged, onOver }: LinkOptions, state: LinkState): void {
  const deliver = transport.onmessage;
  const admits = createNoticeGate({
    onListChanged() {
      state.changes += 1;
      onListChanged();
    },
    onOver() {
      state.alive = false;
      const text = `The MCP server ${getTitle(source)} was cut off: it sent more than ${limits.noticeBurst} notices`;
      const hint = 'The operator should look at the server, or remove it.';
      const error = new HelveError('rate_limited', text, { hint });
      state.cutOff = { error, at: Date.now() };
      onOver(error);
      void transport.close().catch(() => undefined);
    },
  });
  transport.onmessage = (message, extra) => {
    if (admits(message)) deliver?.(message, extra);
  };
}

function createClient({ streams, onListChanged }: LinkOptions, questions: Questions, state: LinkState): Client {
  const onChanged = (): void => {
    state.changes += 1;
    onListChanged();
  };
  const settings: ClientOptions = {
    // Up to 2025-11-25 these belong to the connection, for all callers; since then each call declares those of its own client.
    capabilities: streams ? { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} } : {},
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: limits.probeMs } },
    // A list is read before each call, whatever its server says about its freshness.
    ...defined({ listChanged: streams ? { tools: { autoRefresh: false, debounceMs: 0, onChanged } } : undefined }),
  };
  const client = new Client({ name: 'helve', version: '1' }, settings);
  if (streams) {
    client.setRequestHandler('elicitation/create', async ({ params }) => ({ ...(await questions.elicit(params)) }));
    client.setRequestHandler('sampling/createMessage', async ({ params }) => ({ ...(await questions.sample(params)) }));
    client.setRequestHandler('roots/list', async () => ({
      roots: (await questions.roots()).map((root) => ({ ...root })),
    }));
  }
  return client;
}

function createTransport({ source, fetch }: LinkOptions, state: LinkState): Transport {
  if (source.transport.kind === 'http') return httpTransport(source.transport.url, fetch);
  const transport = createStdioTransport(source.transport, {
    onDropped: (reason, code) => {
      const { dropped } = state;
      state.dropped = new AbortController();
      const hint = `The call may have had its effect. ${code === 'too_large' ? 'Request less data.' : 'Check before you call again.'}`;
      dropped.abort(new HelveError(code, `The MCP server ${getTitle(source)} answered with ${reason}`, { hint }));
    },
  });
  state.lastWords = () => transport.lastWords();
  return transport;
}

function httpTransport(url: string, fetch: FetchLike): Transport {
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch, redirectPolicy: 'same-origin' });
  guardAnswers(transport);
  return transport;
}

/** Tells the server that the session is over, and waits at most a second for it. */
async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 1_000);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), enough]);
  clearTimeout(timer);
}

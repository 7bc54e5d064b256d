/** Answers that come to another process than the one whose call waits for them. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { afterEach, expect, it, vi } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { McpBoxes } from '../../domain/mcp-session.js';
import type { Principal } from '../../domain/principal.js';
import type { Talk } from './conversation.js';
import { type Conversations, createConversations } from './conversations.js';
import { carry } from './principal.js';
import { elicitQuestion } from './questions.js';
import type { WaitingForAnswers } from './request-state.js';

const ada: Principal = { workspaceId: 'default', kind: 'agent', id: 'ada', name: 'Ada', permissions: [] };
const opened: Conversations[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const one of opened.splice(0)) one.close();
});

function createBoxes(): McpBoxes {
  let left: { box: string; body: JsonObject }[] = [];
  return {
    async leave(_, box, body) {
      // As in the store: what is not JSON does not arrive.
      left.push({ box, body: JSON.parse(JSON.stringify(body)) });
    },
    async take(boxes) {
      const taken = left.filter(({ box }) => boxes.includes(box));
      left = left.filter(({ box }) => !boxes.includes(box));
      return taken;
    },
  };
}

/** The process of the call and another one. */
function openTwo() {
  const states: WaitingForAnswers[] = [];
  const seal = async (state: unknown) => `${states.push(state as WaitingForAnswers) - 1}`;
  const boxes = createBoxes();
  const [first, other] = [0, 1].map(() => createConversations(seal, undefined, boxes)) as [
    Conversations,
    Conversations,
  ];
  opened.push(first, other);
  const begin = (work: (talk: Talk) => Promise<unknown>) =>
    first.begin({ context: requestOf(), owner: 'ada', call: 'c', work });
  const stateOf = (result: unknown) =>
    states[Number((result as InputRequiredResult).requestState)] as WaitingForAnswers;
  return { boxes, first, other, begin, stateOf };
}

function requestOf({
  responses,
  signal = new AbortController().signal,
}: {
  responses?: unknown;
  signal?: AbortSignal;
} = {}) {
  return {
    http: { authInfo: carry(ada) },
    mcpReq: {
      envelope: { [CLIENT_CAPABILITIES_META_KEY]: { elicitation: {} } },
      inputResponses: responses,
      requestState: () => undefined,
      signal,
    },
  } as unknown as ServerContext;
}

const question = elicitQuestion('Name?', { type: 'object' });
const name = (name: string) => requestOf({ responses: { 'question-1': { action: 'accept', content: { name } } } });

it('R-operate: the result of the call, and its error, reach the other process', async () => {
  const { other, begin, stateOf } = openTwo();
  const greeting = await begin(async (talk) => ({ ok: true, output: await talk.ask(question) }));
  expect(await other.resume(stateOf(greeting), name('Ada'))).toEqual({
    ok: true,
    output: { action: 'accept', content: { name: 'Ada' } },
  });
  const failing = await begin(async (talk) => {
    await talk.ask(question);
    throw new HelveError('rate_limited', 'Too many', { hint: 'Wait.', details: { seconds: 3 } });
  });
  await expect(other.resume(stateOf(failing), name('Ada'))).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'Too many',
    hint: 'Wait.',
    details: { seconds: 3 },
  });
});

it('R-operate: a prompt that is not there after all reaches the other process as such', async () => {
  const { other, begin, stateOf } = openTwo();
  const asked = await begin(async (talk) => void (await talk.ask(question)));
  expect(await other.resume(stateOf(asked), name('Ada'))).toBeUndefined();
});

it('R-operate: of two answers at both processes one is taken', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const { first, other, begin, stateOf } = openTwo();
  const names: unknown[] = [];
  const asked = await begin(async (talk) => void names.push(await talk.ask(question)));
  const settled = Promise.allSettled([
    other.resume(stateOf(asked), name('Ada')),
    first.resume(stateOf(asked), name('Bob')),
  ]);
  await vi.advanceTimersByTimeAsync(10_000);
  const results = await settled;
  expect(names).toHaveLength(1);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: -32602 } });
});

it.each([
  'while the answers are on their way',
  'once the call runs',
])('R-operate: a caller who gives up at the other process, %s, stops the call', async (when) => {
  const { boxes, other, begin, stateOf } = openTwo();
  let hasAnswer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    hasAnswer = resolve;
  });
  let stop = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const asked = await begin(async (talk) => {
    await talk.ask(question);
    hasAnswer();
    talk.signal.addEventListener('abort', stop);
    if (talk.signal.aborted) stop();
    await ended;
    throw new HelveError('cancelled', 'Stopped');
  });
  const caller = new AbortController();
  if (when === 'while the answers are on their way') {
    const leave = boxes.leave;
    // The first message takes longer than the second one would.
    boxes.leave = async (...message) => {
      boxes.leave = leave;
      caller.abort();
      await new Promise(setImmediate);
      await leave(...message);
    };
  }
  const responses = { 'question-1': { action: 'accept', content: {} } };
  const result = other.resume(stateOf(asked), requestOf({ responses, signal: caller.signal }));
  const refused = expect(result).rejects.toMatchObject({ code: 'cancelled' });
  await answered;
  caller.abort();
  await ended;
  await refused;
});

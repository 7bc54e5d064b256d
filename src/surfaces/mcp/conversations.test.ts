/** What ends a call that waits for its client: the time limit, too many rounds, too many calls, and a client with fewer capabilities. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import type { Talk } from './conversation.js';
import { type ConversationLimits, createConversations } from './conversations.js';
import { elicitQuestion, rootsQuestion, sampleQuestion } from './questions.js';
import type { WaitingForAnswers } from './request-state.js';

const everything = { elicitation: {}, sampling: {}, roots: {} };
const usual: ConversationLimits = { maxWaiting: 3, maxPerOwner: 2, maxRounds: 3, patienceMs: 60_000 };

function requestOf(more: { capabilities?: object; responses?: unknown; state?: unknown; signal?: AbortSignal } = {}) {
  return {
    mcpReq: {
      envelope: { [CLIENT_CAPABILITIES_META_KEY]: more.capabilities ?? everything },
      inputResponses: more.responses,
      requestState: () => more.state,
      signal: more.signal ?? new AbortController().signal,
    },
  } as unknown as ServerContext;
}

function openConversations(limits: Partial<ConversationLimits> = {}) {
  const states: WaitingForAnswers[] = [];
  const seal = async (state: unknown) => `${states.push(state as WaitingForAnswers) - 1}`;
  const conversations = createConversations(seal, { ...usual, ...limits });
  const begin = (work: (talk: Talk) => Promise<unknown>, owner = 'ada', context = requestOf()) =>
    conversations.begin({ context, owner, call: 'c', work });
  const resume = (result: unknown, context: ServerContext) => {
    const { requestState } = result as InputRequiredResult;
    return conversations.resume(states[Number(requestState)] as WaitingForAnswers, context);
  };
  return { conversations, begin, resume };
}

const form = { type: 'object' };
const ask = (talk: Talk) => talk.ask(elicitQuestion('Name?', form));
const yes = { action: 'accept', content: {} };

describe('R-mcp-server: a call that waits for its client', () => {
  it('R-mcp-server: ends if the client does not answer in time, and its state is then invalid', async () => {
    const { begin, resume } = openConversations({ patienceMs: 20 });
    const failure = new Promise<unknown>((resolve) => {
      void begin((talk) => ask(talk).catch(resolve)).then((result) => {
        waiting = result;
      });
    });
    let waiting: unknown;
    expect(await failure).toMatchObject({ code: 'expired' });
    await expect(resume(waiting, requestOf({ responses: { 'question-1': yes } }))).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('R-mcp-server: a tool that never stops asking is stopped', async () => {
    const { begin, resume } = openConversations();
    let result: unknown = await begin(async (talk) => {
      for (;;) await ask(talk);
    });
    const answers = { 'question-1': yes, 'question-2': yes, 'question-3': yes };
    result = await resume(result, requestOf({ responses: answers }));
    result = await resume(result, requestOf({ responses: answers }));
    expect(result).toMatchObject({ resultType: 'input_required' });
    await expect(resume(result, requestOf({ responses: answers }))).rejects.toMatchObject({
      code: 'tool_failed',
      message: expect.stringContaining('more than 3 times'),
    });
  });

  it('R-mcp-server: the number of waiting calls is limited per caller and in total', async () => {
    const { begin } = openConversations();
    for (const owner of ['ada', 'ada', 'bo'])
      expect(await begin(ask, owner)).toMatchObject({ resultType: 'input_required' });
    await expect(begin(ask, 'ada')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(begin(ask, 'cy')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('R-mcp-server: the client is not asked a question that the second request can no longer answer', async () => {
    const { begin, resume } = openConversations();
    const first = await begin(async (talk) => [await ask(talk), await ask(talk).catch(({ code }) => code)]);
    const second = requestOf({ responses: { 'question-1': yes }, capabilities: { sampling: {} } });
    expect(await resume(first, second)).toEqual([yes, 'tool_failed']);
  });

  it('R-mcp-server: work that ends without waiting for its own question is answered with its result', async () => {
    const { begin } = openConversations();
    const result = await begin(async (talk) => {
      ask(talk).catch(() => undefined);
      return 'done';
    });
    expect(result).toBe('done');
  });

  it('R-mcp-server: if work ended while its client was asked, the second request gets its result', async () => {
    const { begin, resume } = openConversations();
    let finish: (value: string) => void = () => undefined;
    const other = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const first = await begin((talk) => Promise.race([ask(talk), other]));
    finish('done otherwise');
    expect(await resume(first, requestOf())).toBe('done otherwise');
  });

  it('R-mcp-server: a caller that disconnects during its request ends the work; one that disconnects after the answer does not', async () => {
    const { begin, resume } = openConversations();
    const leaving = new AbortController();
    const signals: AbortSignal[] = [];
    const first = await begin(
      async (talk) => {
        signals.push(talk.signal);
        await ask(talk);
        return ask(talk);
      },
      'ada',
      requestOf({ signal: leaving.signal }),
    );
    leaving.abort();
    expect(signals[0]?.aborted).toBe(false);
    const gone = requestOf({ responses: { 'question-1': yes }, signal: AbortSignal.abort() });
    await expect(resume(first, gone)).rejects.toMatchObject({ code: 'cancelled' });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('R-mcp-server: two questions of one name at the same time are a mistake of the tool', async () => {
    const { begin } = openConversations();
    const twice = begin((talk) => Promise.all([talk.ask(rootsQuestion('here')), talk.ask(rootsQuestion('here'))]));
    await expect(twice).rejects.toMatchObject({ code: 'tool_failed', message: expect.stringContaining('"here"') });
  });

  it('R-mcp-server: a form that cannot be checked fails its own question; the call continues', async () => {
    const { begin, resume } = openConversations();
    const broken = { type: 'object', properties: { name: { type: 'string', pattern: '(' } } };
    const first = await begin(async (talk) => {
      const answers = [talk.ask(elicitQuestion('Name?', broken)), ask(talk)];
      return (await Promise.allSettled(answers)).map((one) =>
        one.status === 'rejected' ? one.reason.code : one.value,
      );
    });
    const accepted = { action: 'accept', content: { name: 'Ada' } };
    const answers = { 'question-1': accepted, 'question-2': accepted };
    expect(await resume(first, requestOf({ responses: answers }))).toEqual(['invalid_config', accepted]);
  });

  it('R-mcp-server: answers that came with a state do not answer later questions', async () => {
    const { begin } = openConversations();
    const named = (talk: Talk) => talk.ask(elicitQuestion('Name?', form, 'name'));
    const responses = { name: yes };
    expect(await begin(named, 'ada', requestOf({ responses }))).toEqual(yes);
    const approved = requestOf({ responses, state: { approvalId: 'a1' } });
    expect(await begin(named, 'ada', approved)).toMatchObject({ resultType: 'input_required' });
  });

  it('R-mcp-server: closing cancels every waiting call, and the work is notified', async () => {
    const { begin, conversations } = openConversations();
    const signals: AbortSignal[] = [];
    const failure = new Promise((resolve) => {
      const work = (talk: Talk) => {
        signals.push(talk.signal);
        return ask(talk).catch(resolve);
      };
      void begin(work).then(() => conversations.close());
    });
    expect(await failure).toMatchObject({ code: 'cancelled' });
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe('R-mcp-server: accepted answers', () => {
  const inherited = (value: object) => Object.create(value) as unknown;
  const required = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

  it.each<[string, unknown, unknown]>([
    ['a form that fits', { action: 'accept', content: { n: 1 } }, { action: 'accept', content: { n: 1 } }],
    ['a form that does not fit', { action: 'accept', content: { n: '1' } }, undefined],
    ['no form', { action: 'accept' }, undefined],
    ['a list', { action: 'accept', content: [1] }, undefined],
    ['no action', { content: { n: 1 } }, undefined],
    ['an inherited action', inherited({ action: 'accept', content: { n: 1 } }), undefined],
    ['declined', { action: 'decline', content: { n: 1 } }, { action: 'decline' }],
    ['cancelled', { action: 'cancel' }, { action: 'cancel' }],
    ['nothing', undefined, undefined],
  ])('R-mcp-server: of a form: %s', (_, response, answer) => {
    expect(elicitQuestion('?', required).readAnswer(response)).toEqual(answer);
  });

  it('R-mcp-server: of a form that accepts anything: an object and nothing else', () => {
    for (const content of [[1], 'Ada', 7])
      expect(elicitQuestion('?', {}).readAnswer({ action: 'accept', content })).toBeUndefined();
    expect(elicitQuestion('?', {}).readAnswer({ action: 'accept' })).toEqual({ action: 'accept', content: {} });
  });

  it('R-mcp-server: each question is possible only with its own capability', () => {
    const questions = [elicitQuestion('?', {}), sampleQuestion('?', 9), rootsQuestion()];
    const possible = (capabilities: object | undefined) => questions.map((one) => one.isPossible(capabilities));
    expect(possible(undefined)).toEqual([false, false, false]);
    expect(possible({})).toEqual([false, false, false]);
    expect(possible({ elicitation: { form: {} } })).toEqual([true, false, false]);
    expect(possible({ elicitation: { form: {}, url: {} } })).toEqual([true, false, false]);
    expect(possible({ elicitation: { url: {} } })).toEqual([false, false, false]);
    expect(possible({ sampling: {} })).toEqual([false, true, false]);
    expect(possible({ roots: {} })).toEqual([false, false, true]);
  });

  it.each<[string, unknown, unknown]>([
    ['a text', { content: { type: 'text', text: 'Hi' } }, 'Hi'],
    [
      'several blocks',
      { content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }] },
      'ab',
    ],
    ['blocks that are not text', { content: [{ type: 'image', text: 'a' }, { type: 'text', text: 7 }, {}] }, ''],
    ['no content', { role: 'assistant' }, undefined],
    ['invalid content', { content: 'Hi' }, undefined],
    ['inherited content', inherited({ content: { type: 'text', text: 'Hi' } }), undefined],
  ])('R-mcp-server: of a model: %s', (_, response, answer) => {
    expect(sampleQuestion('?', 9).readAnswer(response)).toEqual(answer);
  });

  it.each<[string, unknown, unknown]>([
    [
      'roots',
      { roots: [{ uri: 'file:///a', name: 'a', x: 1 }, { uri: 'file:///b' }] },
      [{ uri: 'file:///a', name: 'a' }, { uri: 'file:///b' }],
    ],
    ['roots without an address', { roots: [{ name: 'a' }, 'b', null] }, []],
    ['no roots', {}, undefined],
    ['inherited roots', inherited({ roots: [] }), undefined],
  ])('R-mcp-server: of roots: %s', (_, response, answer) => {
    expect(rootsQuestion().readAnswer(response)).toEqual(answer);
  });
});

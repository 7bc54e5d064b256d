/** What a person sees before a call, which answers count as approval, and that nothing else does. */
import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import type { ToolFailure, ToolResult } from '../../domain/execution.js';
import { askPerson, continueAfterPerson, type Round } from './ask-person.js';
import { prepareFingerprint, readWaiting } from './request-state.js';

const failure = {
  ok: false,
  rule: 'policy.ask',
  error: {
    code: 'approval_required',
    message: 'A person must approve this call',
    details: { approvalId: 'a1', elicitation: true, connection: 'work-mail', account: 'ada@example.com' },
  },
} as unknown as ToolFailure;
const ran = { ok: true, output: 'ran' } as unknown as ToolResult;
const form = { elicitation: { form: {} } };
const yes = { action: 'accept', content: { approve: true } };

/** A call of `tool` with `input`, and everything that happened to it, in order. */
function openRound(more: {
  readonly tool?: string;
  readonly input?: unknown;
  /** What the client sent back with its second request. */
  readonly state?: unknown;
  readonly responses?: unknown;
  /** Undefined: the client speaks a revision without envelopes, and `legacy` is what it can do. */
  readonly envelope?: object;
  readonly legacy?: object;
  /** The person's answer if the question is a request. */
  readonly elicit?: () => Promise<unknown>;
  readonly decide?: () => Promise<unknown>;
}) {
  const happened: unknown[] = [];
  const asked: { message: string }[] = [];
  let waiting: { approvalId: string; call: string } | undefined;
  const round = {
    tool: more.tool ?? 'pay',
    input: more.input ?? { amount: 7 },
    call: prepareFingerprint('tools/call', more.tool ?? 'pay', more.input ?? { amount: 7 }),
    principal: { id: 'agent-1' },
    parts: {
      plane: {
        async answerElicitation(principal: { id: string }, id: string, decision: string) {
          await more.decide?.();
          happened.push([decision, id, principal.id]);
        },
      },
      requestStates: {
        async seal(state: { approvalId: string; call: string }) {
          waiting = state;
          return 'sealed';
        },
      },
    },
    server: { getClientCapabilities: () => more.legacy },
    context: {
      mcpReq: {
        id: 1,
        envelope: more.envelope,
        requestState: () => more.state,
        inputResponses: more.responses,
        async elicitInput(question: { message: string }) {
          asked.push(question);
          return more.elicit?.();
        },
      },
    },
    async execute(approvalId?: string) {
      happened.push(['run', approvalId]);
      return ran;
    },
  } as unknown as Round;
  return { round, happened, asked, waiting: () => waiting };
}

const envelopeOf = (capabilities: unknown) => ({ [CLIENT_CAPABILITIES_META_KEY]: capabilities });

/** The second request of a round; undefined if it carries no state. */
async function answerRound(round: Round) {
  const waiting = readWaiting(round.context, round.call);
  return waiting !== undefined && 'approvalId' in waiting ? continueAfterPerson(round, waiting) : undefined;
}

/** The state of the first request of `pay` with seven. */
async function firstState() {
  const first = openRound({ envelope: envelopeOf(form) });
  await askPerson(first.round, failure);
  return first.waiting();
}

const approved = [
  ['approved', 'a1', 'agent-1'],
  ['run', 'a1'],
];
const rejected = [
  ['rejected', 'a1', 'agent-1'],
  ['run', 'a1'],
];
/** The plane is asked again, and still finds no decision. */
const open = [['run', 'a1']];

describe('R-approval: the answer to the second request', () => {
  it.each<[string, unknown, unknown]>([
    ['yes', { approval: yes }, approved],
    ['no, by the form', { approval: { action: 'accept', content: { approve: false } } }, rejected],
    ['no, by declining', { approval: { action: 'decline' } }, rejected],
    ['declined, with a yes in it', { approval: { ...yes, action: 'decline' } }, rejected],
    ['cancelled, with a yes in it', { approval: { ...yes, action: 'cancel' } }, open],
    ['an action that is unknown', { approval: { ...yes, action: 'ok' } }, open],
    ['a yes that is a text', { approval: { action: 'accept', content: { approve: 'true' } } }, open],
    ['a yes that is a number', { approval: { action: 'accept', content: { approve: 1 } } }, open],
    ['no content', { approval: { action: 'accept' } }, open],
    ['content that is a list', { approval: { action: 'accept', content: [true] } }, open],
    ['an answer to another question', { other: yes }, open],
    ['an answer to another kind of question', { approval: { roots: [], ...yes } }, approved],
    ['an answer that is a list', [yes], open],
    ['an answer that is a text', { approval: 'yes' }, open],
    ['null', null, open],
    ['nothing', undefined, open],
    ['an inherited answer', Object.create({ approval: yes }), open],
    ['an inherited yes', { approval: { action: 'accept', content: Object.create({ approve: true }) } }, open],
  ])('R-approval: %s', async (_, responses, expected) => {
    const { round, happened } = openRound({ state: await firstState(), responses });
    expect(await answerRound(round)).toBe(ran);
    expect(happened).toEqual(expected);
  });

  it('R-approval: without a state it is a first request: nothing is decided and nothing runs', async () => {
    const { round, happened } = openRound({ responses: { approval: yes } });
    expect(await answerRound(round)).toBeUndefined();
    expect(happened).toEqual([]);
  });

  it.each([
    ['another tool', { tool: 'pay_all' }],
    ['other arguments', { input: { amount: 7_000 } }],
  ])('R-approval: the state of one call approves no call of %s', async (_, other) => {
    const { round, happened } = openRound({ state: await firstState(), responses: { approval: yes }, ...other });
    await expect(answerRound(round)).rejects.toThrow('belongs to another call');
    expect(happened).toEqual([]);
  });
});

describe('R-approval: decisions that the plane refuses', () => {
  const failing = (code: 'forbidden' | 'conflict' | 'expired' | 'not_found' | 'internal') => async () => {
    throw new HelveError(code, 'no');
  };

  it.each([
    'forbidden',
    'conflict',
    'expired',
    'not_found',
  ] as const)('R-approval: %s: the plane answers the call itself', async (code) => {
    const { round, happened } = openRound({
      state: await firstState(),
      responses: { approval: yes },
      decide: failing(code),
    });
    expect(await answerRound(round)).toBe(ran);
    expect(happened).toEqual(open);
  });

  it('R-approval: if the program may not answer, the refusal of the call is returned', async () => {
    const { round, happened } = openRound({ legacy: form, elicit: async () => yes, decide: failing('forbidden') });
    expect(await askPerson(round, failure)).toBe(failure);
    expect(happened).toEqual([]);
  });

  it('R-approval: an error of Helve does not count as an answer', async () => {
    const { round, happened } = openRound({
      state: await firstState(),
      responses: { approval: yes },
      decide: failing('internal'),
    });
    await expect(answerRound(round)).rejects.toMatchObject({ code: 'internal' });
    expect(happened).toEqual([]);
  });
});

describe('R-approval: whether a person is asked', () => {
  const capable = [
    ['forms', form, true],
    ['elicitation from before there were modes', { elicitation: {} }, true],
    ['forms and addresses', { elicitation: { form: {}, url: {} } }, true],
    ['addresses only', { elicitation: { url: {} } }, false],
    ['no elicitation', {}, false],
    ['nothing', undefined, false],
  ] as const;

  it.each(capable)('R-approval: a client of 2026-07-28 with %s', async (_, capabilities, isAsked) => {
    const { round, happened, waiting } = openRound({ envelope: envelopeOf(capabilities), legacy: form });
    const answer = await askPerson(round, failure);
    expect(answer === failure).toBe(!isAsked);
    expect(waiting()?.approvalId).toBe(isAsked ? 'a1' : undefined);
    expect(happened).toEqual([]);
  });

  it.each(capable)('R-approval: an older client with %s', async (_, legacy, isAsked) => {
    const { round, happened, asked } = openRound({ ...(legacy && { legacy }), elicit: async () => yes });
    expect(await askPerson(round, failure)).toBe(isAsked ? ran : failure);
    expect(asked).toHaveLength(isAsked ? 1 : 0);
    expect(happened).toEqual(isAsked ? approved : []);
  });

  it.each<[string, object]>([
    ['nothing waits for a decision', { approvalId: undefined }],
    ['what waits is not named by a text', { approvalId: 7 }],
    ['the program may not answer', { elicitation: false }],
    ['it is not said that the program may answer', { elicitation: undefined }],
    ['it is said in another form', { elicitation: 'true' }],
  ])('R-approval: not where %s', async (_, details) => {
    for (const client of [{ legacy: form }, { envelope: envelopeOf(form) }]) {
      const { round, happened, asked } = openRound({ ...client, elicit: async () => yes });
      const refused = { ...failure, error: { ...failure.error, details: { ...failure.error.details, ...details } } };
      expect(await askPerson(round, refused as ToolFailure)).toBe(refused);
      expect([asked, happened]).toEqual([[], []]);
    }
  });

  it('R-approval: no question if a person could not check what is shown', async () => {
    const text = (length: number) =>
      openRound({ input: { text: 'x'.repeat(length) }, legacy: form, elicit: async () => yes });
    const [short, long] = [text(7_900), text(8_000)];
    expect(await askPerson(short.round, failure)).toBe(ran);
    expect(await askPerson(long.round, failure)).toBe(failure);
    expect([long.asked, long.happened]).toEqual([[], []]);
  });

  it.each<[string, () => Promise<unknown>, unknown]>([
    ['that fails', async () => Promise.reject(new Error('closed')), []],
    ['that is cancelled', async () => ({ action: 'cancel' }), []],
    ['that is declined', async () => ({ action: 'decline' }), rejected],
  ])('R-approval: a question %s to an older client', async (_, elicit, expected) => {
    const { round, happened } = openRound({ legacy: form, elicit });
    expect(await askPerson(round, failure)).toBe(expected === rejected ? ran : failure);
    expect(happened).toEqual(expected);
  });
});

describe('R-approval: the question that is shown', () => {
  const shown = async (details: object, input: unknown = { amount: 7 }) => {
    const { round, asked } = openRound({ legacy: form, input, elicit: async () => ({ action: 'cancel' }) });
    const error = { ...failure.error, details: { approvalId: 'a1', elicitation: true, ...details } };
    await askPerson(round, { ...failure, error } as unknown as ToolFailure);
    return asked[0]?.message;
  };

  it('R-approval: the tool, whose account, the arguments and the reason', async () => {
    expect(await shown({ connection: 'work-mail', account: 'ada@example.com' })).toBe(
      'Allow this call once?\n\npay\nwith the account work-mail (ada@example.com)\n{\n  "amount": 7\n}\n\nAsked because of: policy.ask',
    );
    expect(await shown({ connection: 'work-mail' })).toContain('\nwith the account work-mail\n{');
    for (const connection of [undefined, 7]) expect(await shown({ connection })).toContain('\n\npay\n{');
  });

  it('R-approval: characters that hide or reorder are shown as their codes', async () => {
    const message = await shown({ connection: 'a\u202eb', account: '\u200bx' }, { to: 'eve\u202eada\u{e0041}\u00ad' });
    expect(message).toContain('with the account a\\u{202e}b (\\u{200b}x)');
    expect(message).toContain('"to": "eve\\u{202e}ada\\u{e0041}\\u{ad}"');
  });
});

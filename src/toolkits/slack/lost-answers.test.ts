/**
 * The answer to each write is lost, and the call is made again as the next owner of its run makes it. The server is a fake
 * that keeps messages, channels, members and reactions, refuses what Slack refuses, and counts effects.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Act, namesWithEffects, repeatAfterLoss } from '../../../tests/counterparts/lost-answers.js';
import { type Scripted, type Seen, startScripted } from '../../../tests/counterparts/scripted.js';
import { stores, useStore } from '../../../tests/counterparts/stores.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { connectedTo, named } from './testing/connected.js';
import { slackTools } from './tools/index.js';

describe.each(stores)('on %s', (kind) => {
  const store = useStore(kind);
  let server: Scripted;
  let helve: TestHelve;
  beforeAll(async () => {
    server = await startScripted();
    helve = await createTestHelve({ ...connectedTo(server.url), ...(await store()) });
  });
  afterAll(async () => {
    await helve?.close();
    await server?.close();
  });

  interface Message {
    readonly ts: string;
    readonly text: string;
    readonly thread_ts?: string;
    readonly metadata?: unknown;
  }

  let effects: string[];
  let messages: Message[];
  let channels: { id: string; name: string; created: number; creator: string; is_archived: boolean }[];
  /** Members, reactions and joined channels: each is there once. */
  let sets: Set<string>;

  const ts = '1503435956.000247';
  const at = { channel: 'C024BE91L' };
  const now = () => Math.floor(Date.now() / 1_000);

  beforeEach(() => {
    effects = [];
    messages = [{ ts, text: 'Old' }];
    channels = [{ id: 'C024BE91L', name: 'general', created: 1, creator: 'W1', is_archived: false }];
    sets = new Set(['reaction tada', 'member U2']);
  });

  type Sent = Readonly<Record<string, string | undefined>>;
  const parametersOf = ({ url, body }: Seen): Sent =>
    Object.fromEntries([...new URL(url, 'http://x').searchParams, ...new URLSearchParams(body)]);
  const methodOf = ({ url }: Seen): string => new URL(url, 'http://x').pathname.slice(1);
  const parse = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text));

  function add(name: string, refusal: string): object {
    if (sets.has(name)) return { ok: false, error: refusal };
    sets.add(name);
    effects.push(name);
    return { ok: true };
  }

  function post({ channel, text = '', thread_ts, metadata }: Sent): object {
    const message = { ts: `${now()}.${100_000 + messages.length}`, text, ...(thread_ts && { thread_ts }) };
    messages.unshift({ ...message, metadata: parse(metadata) });
    effects.push(`post ${text}`);
    return { ok: true, channel, ts: message.ts, message };
  }

  /** A thread's replies are not in the history; metadata is shown only to those who ask for it. */
  function list({ ts: thread, oldest = '0', include_all_metadata: all }: Sent): object {
    const inPlace = messages.filter((one) => one.thread_ts === thread && Number(one.ts) >= Number(oldest));
    return { ok: true, messages: inPlace.map(({ metadata, ...one }) => (all === 'true' ? { ...one, metadata } : one)) };
  }

  function update({ channel, ts: wanted, text = '' }: Sent): object {
    const before = messages.find((one) => one.ts === wanted);
    if (before?.text !== text) effects.push(`update ${wanted}`);
    messages = messages.map((one) => (one.ts === wanted ? { ...one, text } : one));
    return { ok: true, channel, ts: wanted, text };
  }

  function remove({ ts: wanted }: Sent): object {
    if (!messages.some((one) => one.ts === wanted)) return { ok: false, error: 'message_not_found' };
    messages = messages.filter((one) => one.ts !== wanted);
    effects.push(`delete ${wanted}`);
    return { ok: true };
  }

  function create({ name = '' }: Sent): object {
    if (channels.some((one) => one.name === name)) return { ok: false, error: 'name_taken' };
    const channel = { id: 'C0NEW', name, created: now(), creator: 'W1', is_archived: false };
    channels.push(channel);
    effects.push(`create ${name}`);
    return { ok: true, channel };
  }

  const answers: Readonly<Record<string, (sent: Sent) => object>> = {
    'auth.test': () => ({ ok: true, user_id: 'W1', team_id: 'T1', user: 'grace', team: 'Acme', url: 'https://x' }),
    'chat.postMessage': post,
    'chat.scheduleMessage': (sent) => ({ ...post(sent), scheduled_message_id: 'Q1', post_at: sent.post_at }),
    'chat.update': update,
    'chat.delete': remove,
    'chat.getPermalink': ({ message_ts }) =>
      messages.some((one) => one.ts === message_ts)
        ? { ok: true, permalink: 'https://x' }
        : { ok: false, error: 'message_not_found' },
    'conversations.history': list,
    'conversations.replies': list,
    'conversations.list': () => ({ ok: true, channels }),
    'conversations.create': create,
    'conversations.archive': () => add('archived', 'already_archived'),
    'conversations.invite': ({ users }) => add(`member ${users}`, 'already_in_channel'),
    'conversations.members': () => ({ ok: true, members: [...sets].map((name) => name.replace('member ', '')) }),
    'conversations.join': () => ({ ...add('joined', ''), ok: true, channel: channels[0] }),
    'conversations.open': () => ({ ...add('opened', ''), ok: true, channel: { id: 'D1' } }),
    'reactions.add': ({ name }) => add(`reaction ${name}`, 'already_reacted'),
    'reactions.remove': ({ name }) => {
      if (!sets.delete(`reaction ${name}`)) return { ok: false, error: 'no_reaction' };
      effects.push(`remove ${name}`);
      return { ok: true };
    },
    'files.getUploadURLExternal': () => ({ ok: true, upload_url: `${server.url}/upload/1`, file_id: 'F1' }),
    'upload/1': () => ({ ok: true }),
    'files.completeUploadExternal': () => {
      effects.push('file');
      return { ok: true, files: [{ id: 'F1', title: 'x' }] };
    },
  };

  const slack: Act = (seen) => ({
    body: answers[methodOf(seen)]?.(parametersOf(seen)) ?? { ok: false, error: 'unknown_method' },
  });

  const reads = ['auth.test', 'files.getUploadURLExternal', 'upload/1'];
  const isEffect = (seen: Seen) => seen.method !== 'GET' && !reads.includes(methodOf(seen));
  const counterpart = () => ({ server, act: slack, isEffect });

  // biome-ignore format: a table
  const rows: readonly (readonly [tool: string, input: object, output: object])[] = [
  ['post_message', { ...at, text: 'Hello' }, { channel: 'C024BE91L', ts: expect.any(String), message: { text: 'Hello' } }],
  ['post_message', { ...at, text: 'A reply', thread_ts: ts }, { message: { text: 'A reply', thread_ts: ts } }],
  ['update_message', { ...at, ts, text: 'New' }, { ts }],
  ['delete_message', { ...at, ts }, { deleted: true, ts }],
  ['create_channel', { name: 'new' }, { id: 'C0NEW', name: 'new' }],
  ['archive_channel', at, { archived: true }],
  ['invite_to_channel', { ...at, users: ['U012AB3CD'] }, { invited: true }],
  ['join_channel', at, { id: 'C024BE91L' }],
  ['open_direct_message', { users: ['U012AB3CD'] }, { channel: 'D1' }],
  ['add_reaction', { ...at, ts, name: 'wave' }, { ts }],
  ['remove_reaction', { ...at, ts, name: 'tada' }, { ts }],
];

  // biome-ignore format: a table
  const asked: readonly (readonly [tool: string, input: object])[] = [
  ['schedule_message', { ...at, text: 'Later', post_at: '2099-01-31T09:00:00Z' }],
  ['upload_file', { ...at, filename: 'x.txt', content: 'x' }],
];

  test('R-durable-runs: every tool of Slack with effects has a row here', () => {
    const names = [...new Set([...rows, ...asked].map(([tool]) => tool))];
    expect(names.sort()).toEqual(namesWithEffects(slackTools).sort());
  });

  describe.each(['after', 'before'] as const)('the answer is lost %s Slack acted', (lost) => {
    test.each(rows)('R-durable-runs: %s happens once', async (tool, input, output) => {
      const { result } = await repeatAfterLoss({ helve, tool: named(tool), input }, counterpart(), lost);
      expect(result).toMatchObject({ ok: true, output });
      expect(effects).toHaveLength(1);
    });

    test.each(asked)('R-durable-runs: %s is left to a person', async (tool, input) => {
      const { result, seen } = await repeatAfterLoss({ helve, tool: named(tool), input }, counterpart(), lost);
      expect(result).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } });
      expect(seen).toEqual([]);
      expect(effects).toHaveLength(lost === 'after' ? 1 : 0);
    });
  });

  const hello = { ...at, text: 'Hello' };

  test('R-durable-runs: a message whose metadata is not found is posted twice', async () => {
    const blind: Act = (seen) =>
      methodOf(seen) === 'conversations.history' ? { body: { ok: true, messages: [] } } : slack(seen);
    await repeatAfterLoss(
      { helve, tool: named('post_message'), input: hello },
      { ...counterpart(), act: blind },
      'after',
    );
    expect(effects).toHaveLength(2);
  });

  test('R-durable-runs: the same text by another call is not the message', async () => {
    const first = await repeatAfterLoss({ helve, tool: named('post_message'), input: hello }, counterpart(), 'after');
    const second = await repeatAfterLoss({ helve, tool: named('post_message'), input: hello }, counterpart(), 'before');
    expect([first.result.ok, second.result.ok]).toEqual([true, true]);
    expect(effects).toHaveLength(2);
  });

  test('R-durable-runs: an account that cannot read the channel leaves the call to a person', async () => {
    const shut: Act = (seen) =>
      methodOf(seen) === 'conversations.history' ? { body: { ok: false, error: 'not_in_channel' } } : slack(seen);
    const call = { helve, tool: named('post_message'), input: hello };
    const { result } = await repeatAfterLoss(call, { ...counterpart(), act: shut }, 'after');
    expect(result).toMatchObject({ ok: false, error: { code: 'outcome_unknown', details: { reason: 'in_doubt' } } });
    expect(effects).toHaveLength(1);
  });

  test('R-durable-runs: a channel of the same name that others made is not it', async () => {
    channels.push({ id: 'C0OTHER', name: 'new', created: now(), creator: 'W2', is_archived: false });
    const call = { helve, tool: named('create_channel'), input: { name: 'new' } };
    const { result } = await repeatAfterLoss(call, counterpart(), 'before');
    expect(result).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(effects).toEqual([]);
  });
});

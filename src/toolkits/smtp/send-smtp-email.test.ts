/** Mail from a connected mailbox through the plane, against smtp-server and maildev; a scripted server for lost answers. */
import { afterEach, describe, expect, test } from 'vitest';
import {
  type MailServerOptions,
  makeCertificate,
  reply,
  startMaildev,
  startMailServer,
  startScripted,
} from '../../../tests/mail/counterparts.js';
import { createTestHelve } from '../../testing/index.js';
import { smtp } from './toolkit.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const certificate = makeCertificate();
const mail = { to: 'bob@corp.example', subject: 'Report', text: 'Ready.' };
const secret = 'correct-horse-battery';

interface Account {
  readonly port: number;
  readonly scheme?: string;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

async function connect({ port, scheme = 'password', credentials, settings }: Account) {
  const account = { host: '127.0.0.1', port: String(port), security: 'none', from_address: 'me@corp.example' };
  const helve = await createTestHelve({
    nativeToolkits: [smtp],
    config: JSON.stringify({ toolkits: { smtp: { allowed_hosts: [`127.0.0.1:${port}`], ...settings } } }),
    connections: [{ toolkit: 'smtp', name: 'Mailbox', scheme, credentials: { ...account, ...credentials } }],
  });
  closing.push(helve.close);
  return { helve, send: (input: object = {}) => helve.call('mailbox__send_smtp_email', { ...mail, ...input }) };
}

async function setUp(options: MailServerOptions = {}, account: Partial<Account> = {}) {
  const server = await startMailServer(options);
  closing.push(server.close);
  return { server, ...(await connect({ port: server.port, ...account })) };
}

async function scripted(script: readonly (readonly [string, string])[], settings = {}) {
  const server = await startScripted(script);
  closing.push(server.close);
  return { server, ...(await connect({ port: server.port, settings })) };
}

describe('what arrives', () => {
  test('R-smtp: a mail from the account’s own address, its id derived from the call, and the record of it', async () => {
    const { server, helve, send } = await setUp({}, { credentials: { from_name: 'Müller & Co' } });
    const result = await send();
    const id = `<${result.executionId.replaceAll('-', '')}@corp.example>`;
    const output = { message_id: id, from: 'me@corp.example', accepted: ['bob@corp.example'], rejected: [] };
    expect(result).toMatchObject({ ok: true, output });
    const [sent] = server.delivered;
    expect(sent).toMatchObject({ from: 'me@corp.example', recipients: ['bob@corp.example'] });
    expect(sent?.parsed).toMatchObject({ messageId: id, subject: 'Report', text: 'Ready.\n' });
    expect(sent?.parsed.from?.value).toEqual([{ name: 'Müller & Co', address: 'me@corp.example' }]);
    const rows = (await helve.audited()).filter(({ executionId }) => executionId === result.executionId);
    expect(rows.map(({ type }) => type)).toEqual(['execution.started', 'execution.finished']);
  });

  test('R-smtp: text, HTML, copies, answers and attachments come out as they went in', async () => {
    const { server, send } = await setUp();
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
    const html = '<h1>Grüße</h1><p>日本語 👩‍💻</p>';
    await send({
      to: ['bob@corp.example', 'Bob@corp.example'],
      cc: 'carol@corp.example',
      bcc: 'dave@else.example',
      reply_to: 'ops@corp.example',
      subject: 'Grüße =?utf-8?q?=0d=0aBcc:x=40y?=',
      text: 'Plain\n.\nMAIL FROM:<x@evil.example>\rend',
      html,
      attachments: [
        { filename: 'Übersicht.pdf', content_base64: bytes.toString('base64'), content_type: 'application/pdf' },
      ],
    });
    const [sent] = server.delivered;
    expect(sent?.recipients).toEqual(['bob@corp.example', 'carol@corp.example', 'dave@else.example']);
    const raw = sent?.raw.toString('latin1') ?? '';
    expect(raw).not.toMatch(/dave@else|[^\r]\n|\r[^\n]/);
    expect(sent?.parsed.subject).toBe('Grüße =?utf-8?q?=0d=0aBcc:x=40y?=');
    expect(sent?.parsed.text?.trimEnd()).toBe('Plain\n.\nMAIL FROM:<x@evil.example>\nend');
    expect(sent?.parsed.html).toBe(html);
    expect(sent?.parsed.replyTo?.text).toBe('ops@corp.example');
    const [attachment] = sent?.parsed.attachments ?? [];
    expect(attachment).toMatchObject({ filename: 'Übersicht.pdf', contentType: 'application/pdf' });
    expect(attachment?.content.equals(bytes)).toBe(true);
  });

  test('R-smtp: HTML alone gets a text beside it', async () => {
    const { server, send } = await setUp();
    await send({ text: undefined, html: '<p>See <a href="https://x.example/">this</a></p>' });
    expect(server.delivered[0]?.parsed.text?.trimEnd()).toBe('See this (https://x.example/)');
  });

  test('R-smtp: maildev takes it too', async () => {
    const maildev = await startMaildev();
    closing.push(maildev.close);
    const { send } = await connect({ port: maildev.port });
    expect(await send({ bcc: 'eve@corp.example' })).toMatchObject({ ok: true });
    await expect.poll(() => maildev.recipients()).toEqual([['bob@corp.example', 'eve@corp.example']]);
    expect(maildev.store[0]?.subject).toBe('Report');
  });
});

describe.skipIf(!certificate)('signing in (skipped without openssl, which makes the certificate)', () => {
  const encrypted = (more: MailServerOptions = {}): MailServerOptions => ({
    ...certificate,
    authOptional: false,
    authMethods: ['PLAIN'],
    onAuth: ({ username, password, accessToken }, _session, done) =>
      username === 'me' && (password === secret || accessToken === secret)
        ? done(null, { user: 'me' })
        : done(reply(535, `5.7.8 not you: ${password ?? accessToken}`)),
    ...more,
  });
  const settings = { ca: certificate?.cert };
  const credentials = { security: 'starttls', username: 'me', password: secret };

  test.each([
    ['starttls', false],
    ['tls', true],
  ])('R-smtp: with a password over %s', async (security, secure) => {
    const { server, helve, send } = await setUp(encrypted({ secure }), {
      settings,
      credentials: { ...credentials, security },
    });
    expect(await send()).toMatchObject({ ok: true });
    expect(server.delivered[0]).toMatchObject({ secure: true, user: 'me' });
    // A server that repeats the password in its refusal: it would be in the record if nothing took it out.
    const repeating = await setUp(
      encrypted({ secure, onMailFrom: (_address, _session, done) => done(reply(550, `heard ${secret}`)) }),
      { settings, credentials: { ...credentials, security } },
    );
    expect(await repeating.send()).toMatchObject({ ok: false });
    for (const each of [helve, repeating.helve]) {
      const record = JSON.stringify([await each.audited(), await each.plane.connections(each.admin)]);
      expect(record).not.toContain(secret);
      if (each !== helve) expect(record).toContain('heard [credential removed]');
    }
  });

  test('R-smtp: with an access token', async () => {
    const { password: _, ...rest } = credentials;
    const account = { scheme: 'xoauth2', settings, credentials: { ...rest, access_token: secret } };
    const { server, send } = await setUp(encrypted({ authMethods: ['XOAUTH2'] }), account);
    expect(await send()).toMatchObject({ ok: true });
    expect(server.delivered[0]).toMatchObject({ user: 'me' });
    const wrong = await connect({
      port: server.port,
      ...account,
      credentials: { ...rest, access_token: 'stale-token-1' },
    });
    const refused = await wrong.send();
    expect(refused).toMatchObject({ error: { code: 'connection_inaccessible' } });
    expect(JSON.stringify(refused)).not.toContain('stale-token-1');
  });

  test('R-smtp: a wrong password is said to be one, does not come back, and nothing is sent', async () => {
    const account = { settings, credentials: { ...credentials, password: 'wrong-password-9' } };
    const { server, send } = await setUp(encrypted(), account);
    const result = await send();
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'connection_inaccessible', message: expect.stringContaining('refused the login: 535') },
    });
    expect(JSON.stringify(result)).not.toContain('wrong-password-9');
    expect(server.told).toEqual([]);
  });

  test('R-smtp: a certificate that nobody vouches for, or a server without STARTTLS, is given no password', async () => {
    const stranger = await setUp(encrypted(), { credentials });
    expect(await stranger.send()).toMatchObject({ error: { code: 'tool_failed', retryable: false } });
    const bare = await setUp({}, { settings, credentials });
    expect(await bare.send()).toMatchObject({
      error: { code: 'tool_failed', message: expect.stringContaining('encrypted') },
    });
    expect([...stranger.server.told, ...bare.server.told]).toEqual([]);
  });
});

describe('what is refused before anything is connected', () => {
  // biome-ignore format: a table
  test.each<readonly [what: string, input: object, said: RegExp]>([
    ['another sender', { from: 'boss@corp.example' }, /from/], ['a display name', { to: 'Bob <bob@corp.example>' }, /plain address/],
    ['two addresses in one', { to: 'a@corp.example,b@corp.example' }, /plain address/], ['a route', { cc: ['ok@corp.example', '@x:a@corp.example'] }, /cc\[1\]/],
    ['a line in the subject', { subject: 'x\r\nBcc: eve@evil.example' }, /line break/], ['nothing to say', { text: undefined }, /body or html/],
    ['no base64', { attachments: [{ filename: 'a', content_base64: '%%' }] }, /attachments\[0\].content_base64/],
    ['a folder in a file name', { attachments: [{ filename: '../a', content_base64: '' }] }, /filename/],
    ['a mail in a mail', { attachments: [{ filename: 'a', content_base64: '', content_type: 'message/rfc822' }] }, /inside a mail/],
    ['too many', { to: Array.from({ length: 60 }, (_, n) => `a${n}@x.example`), cc: Array.from({ length: 60 }, (_, n) => `b${n}@x.example`) }, /at most 100/],
  ])('R-smtp: %s', async (_what, input, said) => {
    const { server, send } = await setUp();
    const result = await send(input);
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(JSON.stringify(result)).toMatch(said);
    expect(server.told).toEqual([]);
  });

  test('R-smtp: a mail that is too large', async () => {
    const { server, send } = await setUp({}, { settings: { max_bytes: 2_000 } });
    expect(await send({ text: 'x'.repeat(3_000) })).toMatchObject({ error: { code: 'too_large' } });
    expect(server.told).toEqual([]);
  });

  test('R-smtp: a server inside the network that the operator did not name is not reached', async () => {
    const { server, send } = await setUp({}, { settings: { allowed_hosts: ['127.0.0.1:1'] } });
    expect(await send()).toMatchObject({
      error: { code: 'egress_blocked', hint: expect.stringContaining('allowed_hosts') },
    });
    expect(server.told).toEqual([]);
  });

  // biome-ignore format: a table
  test.each<readonly [string, Readonly<Record<string, string>>, RegExp]>([
    ['no encryption to another machine', { host: 'mail.corp.example' }, /without encryption/], ['half a login', { username: 'me' }, /not both/],
    ['a sender that is no address', { from_address: 'a%b@corp.example' }, /from_address/], ['a port that there is not', { port: '99999' }, /port/],
  ])('R-smtp: an account with %s', async (_what, credentials, said) => {
    const { server, send } = await setUp({}, { credentials });
    const result = await send();
    expect(result).toMatchObject({ error: { code: 'connection_inaccessible', message: expect.stringMatching(said) } });
    expect(server.told).toEqual([]);
  });
});

describe('what the server refuses', () => {
  // biome-ignore format: a table
  test.each<readonly [number, string, string, boolean]>([
    [451, '4.3.0 try later', 'upstream_failed', true], [550, '5.1.1 no such user', 'invalid_input', false],
    [550, '5.7.1 relaying denied', 'forbidden', false], [552, '5.3.4 too much', 'invalid_input', false],
  ])('R-smtp: %i %s, of a recipient and of the mail', async (code, text, expected, retryable) => {
    for (const when of ['onRecipient', 'onMail'] as const) {
      const { server, send } = await setUp({ [when]: () => reply(code, text) });
      expect(await send(), when).toMatchObject({
        ok: false,
        error: { code: expected, retryable, message: expect.stringContaining(text), details: { reply_code: code } },
      });
      expect(server.delivered).toEqual([]);
    }
  });

  test('R-smtp: one recipient of two: the other gets it, and both are told', async () => {
    const { server, send } = await setUp({
      onRecipient: (address) => (address.startsWith('gone') ? reply(550, '5.1.1 gone') : undefined),
    });
    expect(await send({ cc: 'gone@corp.example' })).toMatchObject({
      output: { accepted: ['bob@corp.example'], rejected: ['gone@corp.example'] },
    });
    expect(server.delivered[0]?.recipients).toEqual(['bob@corp.example']);
  });
});

describe('what gets lost', () => {
  test('R-smtp: an answer after the mail was handed over: unknown, and never sent again', async () => {
    const { server, send } = await scripted([['.', 'drop']]);
    const result = await send();
    expect(result).toMatchObject({
      error: {
        code: 'outcome_unknown',
        retryable: false,
        details: { message_id: `<${result.executionId.replaceAll('-', '')}@corp.example>` },
      },
    });
    expect(server.lines.filter((line) => line.startsWith('DATA'))).toHaveLength(1);
  });

  test.each([
    'connect',
    'MAIL',
    'RCPT',
    'DATA',
  ])('R-smtp: a server that hangs up at %s has sent nothing', async (at) => {
    const { send } = await scripted([[at, 'drop']]);
    expect(await send()).toMatchObject({
      error: { code: 'upstream_failed', message: expect.stringContaining('nothing was sent') },
    });
  });

  test.each([
    ['MAIL', 'timeout'],
    ['.', 'outcome_unknown'],
  ])('R-smtp: a server that falls silent at %s: %s', async (at, code) => {
    const { send } = await scripted([[at, '']], { timeout_seconds: 1 });
    expect(await send()).toMatchObject({ error: { code } });
  });

  test('R-smtp: nobody is there', async () => {
    const server = await startScripted([]);
    const { send } = await connect({ port: server.port });
    await server.close();
    expect(await send()).toMatchObject({ ok: false, error: { code: 'upstream_failed', retryable: true } });
  });
});

/** Sending through the pipeline, against smtp-server; a scripted server stands for the faults only. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  createMailHelve,
  type MailHelveOptions,
  type MailServerOptions,
  makeCertificate,
  reply,
  startMailServer,
  startScripted,
} from '../../../tests/mail/counterparts.js';
import { bearer, endAll, openRealDoor } from '../../../tests/mcp/real-door.js';
import { createHelve } from '../../helve.js';
import { createTestHelve } from '../../testing/index.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0).reverse()) await close();
  await endAll();
});

async function setUp(server: MailServerOptions = {}, { smtp, ...options }: Partial<MailHelveOptions> = {}) {
  const mail = await startMailServer(server);
  const helve = await createMailHelve({ smtp: { port: mail.port, ...smtp }, ...options });
  closing.push(mail.close, helve.close);
  return { mail, helve };
}

async function scripted(script: readonly (readonly [string, string])[], extensions: string[] = [], smtp = {}) {
  const server = await startScripted(script, extensions);
  const helve = await createMailHelve({ smtp: { port: server.port, timeout_seconds: 20, ...smtp } });
  closing.push(server.close, helve.close);
  const result = await helve.call('send_email', plain);
  return { server, helve, error: result.ok ? undefined : result.error };
}

const plain = { to: 'a@corp.example', subject: 'Report', body: 'Ready.' };
const certificate = makeCertificate();

describe('what arrives', () => {
  test('R-email: a text mail, its id derived from the call, and the record of it', async () => {
    const { mail, helve } = await setUp();
    const result = await helve.call('send_email', plain);
    const id = `<${result.executionId.replaceAll('-', '')}@corp.example>`;
    expect(result).toMatchObject({ ok: true, output: { message_id: id, accepted: ['a@corp.example'], rejected: [] } });
    const [sent] = mail.delivered;
    expect(sent).toMatchObject({ from: 'agent@corp.example', recipients: ['a@corp.example'] });
    expect(sent?.parsed).toMatchObject({ messageId: id, subject: 'Report', text: 'Ready.\n', html: false });
    expect(sent?.parsed.from?.text).toBe('"Helve" <agent@corp.example>');
    const calls = (await helve.audited()).filter(({ executionId }) => executionId === result.executionId);
    expect(calls.map(({ type, tool }) => `${type} ${tool}`)).toEqual([
      'execution.started Email.sendEmail',
      'execution.finished Email.sendEmail',
    ]);
  });

  test('R-email: a refusal names who is not allowed, sends nothing, and is in the record', async () => {
    const { mail, helve } = await setUp();
    const result = await helve.call('send_email', { ...plain, cc: ['b@corp.example', 'eve@evil.example'] });
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'forbidden',
        message: expect.stringContaining('cc[1] eve@evil.example'),
        hint: expect.stringContaining('*@corp.example'),
      },
    });
    expect(mail.told).toEqual([]);
    expect((await helve.audited()).at(-1)).toMatchObject({
      type: 'execution.finished',
      executionId: result.executionId,
      body: { error: { code: 'forbidden' } },
    });
  });

  test.each([
    ['plain ASCII', 'Report', 'One line.\n.\n..two\n.\r\nMAIL FROM:<x@evil.example>\rend'],
    ['UTF-8', 'Grüße aus Köln — 日本語 👩‍💻', 'Zeile ä\n日本語 👩‍💻\n\ttab  spaces  \nend'],
    ['long lines', 'ab '.repeat(160).trim(), `${'x'.repeat(5_000)} ${'wörter '.repeat(900)}end`],
    ['an unbroken subject', 'A'.repeat(500), 'From here\nFrom there'],
    ['an encoded word', '=?utf-8?q?=0d=0aBcc:evil=40evil?=', '=?utf-8?q?x?= =3D =\n'],
  ])('R-email: %s comes out as it went in', async (_what, subject, body) => {
    const { mail, helve } = await setUp();
    await helve.call('send_email', { ...plain, subject, body });
    const [sent] = mail.delivered;
    expect(sent?.parsed.subject).toBe(subject);
    expect(sent?.parsed.text?.trimEnd()).toBe(body.replace(/\r\n?/g, '\n').trimEnd());
    const raw = sent?.raw.toString('latin1') ?? '';
    expect(raw).not.toMatch(/[^\r]\n|\r[^\n]/);
    expect(Math.max(...raw.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(998);
    expect(raw).not.toMatch(/[^\x00-\x7f]/);
  });

  test('R-email: an HTML mail has a text alternative, and attachments come out byte for byte', async () => {
    const { mail, helve } = await setUp();
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256));
    const html = '<h1>Grüße</h1><p>See <a href="https://x.example/r?a=1&amp;b=2">the report</a></p>';
    await helve.call('send_email', {
      ...plain,
      body: html,
      html: true,
      reply_to: 'ops@partner.example',
      attachments: [
        { filename: 'Übersicht 1.pdf', content_base64: bytes.toString('base64'), content_type: 'application/pdf' },
        { filename: 'empty.txt', content_base64: '', content_type: 'text/plain' },
      ],
    });
    const parsed = mail.delivered[0]?.parsed;
    expect(parsed?.html).toBe(html);
    expect(parsed?.text).toBe('Grüße\n\nSee the report (https://x.example/r?a=1&b=2)');
    expect(parsed?.replyTo?.text).toBe('ops@partner.example');
    expect(parsed?.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      ['Übersicht 1.pdf', 'application/pdf'],
      ['empty.txt', 'text/plain'],
    ]);
    expect(parsed?.attachments[0]?.content.equals(bytes)).toBe(true);
  });

  test('R-email: through a real MCP client', async () => {
    const mail = await startMailServer();
    closing.push(mail.close);
    const smtp = { host: '127.0.0.1', port: mail.port, secure: 'none', from: 'agent@corp.example' };
    const { alice } = await openRealDoor({
      granted: ['send_email'],
      toolConfig: { send_email: { allowed_recipients: ['a@corp.example'] } },
      config: JSON.stringify({ toolkits: { email: { smtp } } }),
    });
    const client = new Client({ name: 'test', version: '0.0.0' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(alice.address), {
        requestInit: { headers: bearer(alice) },
      }) as Transport,
    );
    expect(await client.callTool({ name: 'send_email', arguments: plain })).toMatchObject({
      structuredContent: { accepted: ['a@corp.example'] },
    });
    const refused = await client.callTool({ name: 'send_email', arguments: { ...plain, to: 'b@corp.example' } });
    expect(refused).toMatchObject({ isError: true });
    expect(mail.told).toEqual(['a@corp.example']);
    await client.close();
  });
});

describe('what is refused before anything is sent', () => {
  const file = (more: object) => ({ ...plain, attachments: [{ filename: 'a.txt', content_base64: 'aGk=', ...more }] });
  test.each([
    ['an unknown field', { ...plain, headers: { Bcc: 'x' } }, 'invalid_input'],
    ['no body', { to: 'a@corp.example', subject: 'x' }, 'invalid_input'],
    ['nobody', { ...plain, to: [] }, 'invalid_input'],
    ['a subject of two lines', { ...plain, subject: 'x\r\nBcc: eve@evil.example' }, 'invalid_input'],
    ['answers to somebody else', { ...plain, reply_to: 'eve@evil.example' }, 'forbidden'],
    ['too many recipients', { ...plain, to: ['a@corp.example', 'b@corp.example', 'c@corp.example'] }, 'forbidden'],
    ['a file name with a path', file({ filename: '../a.txt' }), 'invalid_input'],
    ['a file name that turns around', file({ filename: 'a\u202etxt.exe' }), 'invalid_input'],
    ['a file name with a line break', file({ filename: 'a\r\nBcc: x' }), 'invalid_input'],
    ['a type with a line break', file({ content_type: 'text/plain\r\nBcc: x' }), 'invalid_input'],
    ['a mail as attachment', file({ content_type: 'message/rfc822' }), 'invalid_input'],
    ['what is no base64', file({ content_base64: 'a GkK' }), 'invalid_input'],
    [
      'too many attachments',
      { ...plain, attachments: Array(3).fill({ filename: 'a', content_base64: '' }) },
      'forbidden',
    ],
    ['too many bytes', { ...plain, body: 'x'.repeat(10_001) }, 'too_large'],
    ['an unknown template', { to: 'a@corp.example', template: 'reprot' }, 'not_found'],
    ['a template that this agent may not use', { to: 'a@corp.example', template: 'secret' }, 'not_found'],
    ['a template with a body', { ...plain, template: 'report' }, 'invalid_input'],
    ['a template without its variables', { to: 'a@corp.example', template: 'report' }, 'invalid_input'],
    [
      'variables that are not in it',
      { to: 'a@corp.example', template: 'report', variables: { name: 'x', count: 1, z: 1 } },
      'invalid_input',
    ],
    [
      'a line break by a variable',
      { to: 'a@corp.example', template: 'report', variables: { name: 'x\r\nBcc: y', count: 1 } },
      'invalid_input',
    ],
  ])('R-email: %s', async (_what, input, code) => {
    const { mail, helve } = await setUp(
      {},
      {
        may: { max_recipients: 2, max_attachments: 2, max_bytes: 10_000, allowed_templates: ['report'] },
        templates: { ...templates, secret: { subject: 'x', body: 'y' } },
      },
    );
    const result = await helve.call('send_email', input);
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(mail.told).toEqual([]);
  });

  const templates = { report: { subject: 'Report for {{name}}', body: '<p>{{ name }}: {{count}}</p>', html: true } };
  test('R-email: an agent held to templates sends those, with its values as text', async () => {
    const { mail, helve } = await setUp({}, { may: { templates_only: true }, templates });
    expect(await helve.call('send_email', plain)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    const variables = { name: '<b>{{count}} & co</b>', count: 7 };
    expect(await helve.call('send_email', { to: 'a@corp.example', template: 'report', variables })).toMatchObject({
      ok: true,
    });
    expect(mail.delivered[0]?.parsed).toMatchObject({
      subject: 'Report for <b>{{count}} & co</b>',
      html: '<p>&lt;b&gt;{{count}} &amp; co&lt;/b&gt;: 7</p>',
      text: '<b>{{count}} & co</b>: 7',
    });
  });

  test('R-email: nobody is allowed by default, and missing settings are named', async () => {
    const bare = await createTestHelve({ granted: ['send_email'] });
    expect(await bare.call('send_email', plain)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    await bare.close();
    const unset = await createTestHelve({
      granted: ['send_email'],
      toolConfig: { send_email: { allowed_recipients: ['a@corp.example'] } },
    });
    expect(await unset.call('send_email', plain)).toMatchObject({
      ok: false,
      error: { code: 'invalid_config', message: expect.stringContaining('toolkits.email.smtp in helve.yaml') },
    });
    await unset.close();
    for (const wrong of [{ from: 'x\nBcc: y <a@corp.example>' }, { secure: 'maybe' }, { port: 0 }, { pass: 'x' }]) {
      await expect(createMailHelve({ smtp: wrong })).rejects.toMatchObject({ code: 'invalid_config' });
    }
    await expect(createMailHelve({ smtp: {}, may: { allowed_recipients: ['*'] } })).rejects.toThrow();
  });

  test('R-email: two processes on one store share the hour', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helve-hour-'));
    const { mail, helve } = await setUp({}, { database: join(folder, 'helve.db'), may: { max_per_hour: 5 } });
    const smtp = { host: '127.0.0.1', port: mail.port, secure: 'none', from: 'agent@corp.example' };
    const config = JSON.stringify({ toolkits: { email: { smtp } } });
    const second = await createHelve({ database: join(folder, 'helve.db'), config });
    const calls = Array.from({ length: 12 }, (_, turn) => {
      const plane = turn % 2 === 0 ? helve : second;
      return plane.execute({ principal: { agent: 'tester' }, tool: 'send_email', input: plain });
    });
    const results = await Promise.all(calls);
    expect(results.map((one) => (one.ok ? 'sent' : one.error.code)).sort()).toEqual([
      ...Array(7).fill('rate_limited'),
      ...Array(5).fill('sent'),
    ]);
    expect(mail.delivered).toHaveLength(5);
    await second.close();
    closing.unshift(async () => rmSync(folder, { recursive: true }));
  });

  test('R-email: so many within an hour, and again in the next', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T10:59:00Z') });
    const { mail, helve } = await setUp({}, { may: { max_per_hour: 3 } });
    const results = await Promise.all(Array.from({ length: 8 }, () => helve.call('send_email', plain)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(3);
    expect(results.find(({ ok }) => !ok)).toMatchObject({
      error: { code: 'rate_limited', details: { retryAfterSeconds: 60 } },
    });
    expect(mail.delivered).toHaveLength(3);
    vi.setSystemTime(new Date('2026-03-01T11:00:00Z'));
    expect(await helve.call('send_email', plain)).toMatchObject({ ok: true });
  });
});

describe.skipIf(certificate === undefined)(
  'TLS and login (skipped without openssl, which makes the certificate)',
  () => {
    const login: MailServerOptions = {
      ...certificate,
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        done(username === 'u' && password === 'p' ? null : new Error('no'), { user: username }),
    };
    const trusted = { ca: certificate?.cert, user: 'u', password: 'p' };

    test.each([
      ['starttls', '127.0.0.1'],
      ['tls', 'localhost'],
    ])('R-email: %s to %s, with login', async (secure, host) => {
      const { mail, helve } = await setUp(
        { ...login, secure: secure === 'tls' },
        { smtp: { ...trusted, secure, host } },
      );
      expect(await helve.call('send_email', plain)).toMatchObject({ ok: true });
      expect(mail.delivered[0]).toMatchObject({ secure: true, user: 'u' });
    });

    test.each([
      ['a certificate of nobody we trust', { secure: 'starttls', ca: undefined }, 'tool_failed'],
      ['a wrong password', { secure: 'starttls', password: 'wrong' }, 'invalid_config'],
      ['no login where one is needed', { secure: 'starttls', user: undefined, password: undefined }, 'tool_failed'],
      ['a user without password', { secure: 'starttls', password: undefined }, 'invalid_config'],
    ])('R-email: %s sends nothing', async (_what, more, code) => {
      const { mail, helve } = await setUp(login, { smtp: { ...trusted, ...more } });
      const result = await helve.call('send_email', plain);
      expect(result).toMatchObject({ ok: false, error: { code } });
      expect(mail.told).toEqual([]);
      expect(JSON.stringify(result)).not.toContain('wrong');
    });
  },
);

describe('what the server says', () => {
  test('R-email: a server without STARTTLS is told nothing, nor is one that refuses it', async () => {
    for (const script of [[['STARTTLS', '502 what?']], [['STARTTLS', '454 not now']]] as const) {
      const { server, error } = await scripted(script, [], { secure: 'starttls', user: 'u', password: 'secret' });
      expect(error).toMatchObject({ code: 'tool_failed', retryable: false });
      expect(server.lines.join(' ')).not.toMatch(/AUTH|MAIL|RCPT|secret/);
    }
  });

  test('R-email: a password is not offered to a server that asks for none', async () => {
    const { server, error } = await scripted([], [], { user: 'u', password: 'secret' });
    expect(error).toMatchObject({ code: 'invalid_config' });
    expect(server.lines.some((line) => /AUTH|MAIL/.test(line))).toBe(false);
  });

  test.each([
    ['454 4.7.0 try later', 'upstream_failed', true],
    ['535 5.7.8 no', 'invalid_config', false],
  ])('R-email: a login answered with "%s" is %s', async (answer, code, retryable) => {
    const { server, error } = await scripted([['AUTH', answer]], ['AUTH PLAIN'], { user: 'u', password: 'secret' });
    expect(error).toMatchObject({ code, retryable, details: { reply_code: Number.parseInt(answer, 10) } });
    expect(server.lines.some((line) => line.startsWith('MAIL'))).toBe(false);
  });

  test.each([
    ['MAIL', '451 4.3.0 later', 'upstream_failed', true],
    ['MAIL', '550 5.7.1 no', 'tool_failed', false],
    ['RCPT', '450 4.2.1 busy', 'upstream_failed', true],
    ['RCPT', '550 5.1.1 unknown\u0007', 'tool_failed', false],
    ['DATA', '554 no', 'tool_failed', false],
    ['.', '451 later', 'upstream_failed', true],
    ['.', '552 too much', 'tool_failed', false],
    ['.', '421 closing', 'upstream_failed', true],
    ['connect', '554 go away', 'tool_failed', false],
    ['connect', 'drop', 'upstream_failed', true],
    ['MAIL', 'drop', 'upstream_failed', true],
    ['DATA', 'drop', 'upstream_failed', true],
    ['MAIL', '', 'timeout', true],
    ['.', 'drop', 'outcome_unknown', false],
    ['.', '', 'outcome_unknown', false],
  ])('R-email: %s answered with "%s" is %s', async (when, answer, code, retryable) => {
    for (const extensions of [[], ['PIPELINING', 'SIZE 1000000', '8BITMIME']]) {
      const { server, helve, error } = await scripted(
        [[when, answer]],
        extensions,
        answer === '' ? { timeout_seconds: 1 } : {},
      );
      expect(error).toMatchObject({ code, retryable });
      expect(error?.message).not.toMatch(/[\u0000-\u001f]/);
      // Once: no connection after the first, no second try in it.
      expect(server.lines.filter((line) => line.startsWith('EHLO')).length).toBeLessThan(2);
      expect(server.lines.filter((line) => line === '.').length).toBeLessThan(2);
      expect((await helve.audited()).at(-1)).toMatchObject({ type: 'execution.finished', body: { error: { code } } });
    }
  });

  test('R-email: recipients that the server refuses are reported, the others get the mail', async () => {
    const { mail, helve } = await setUp({
      onRecipient: (address) => (address.startsWith('b@') ? reply(550, 'no such user') : undefined),
    });
    expect(await helve.call('send_email', { ...plain, to: ['a@corp.example', 'b@corp.example'] })).toMatchObject({
      output: { accepted: ['a@corp.example'], rejected: ['b@corp.example'] },
    });
    expect(mail.delivered.map(({ recipients }) => recipients)).toEqual([['a@corp.example']]);
    expect(await helve.call('send_email', { ...plain, to: 'b@corp.example' })).toMatchObject({
      error: { code: 'tool_failed', details: { rejected: [{ recipient: 'b@corp.example' }] } },
    });
  });

  test('R-email: a mail larger than the server takes is not begun', async () => {
    const { mail, helve } = await setUp({ size: 500 });
    expect(await helve.call('send_email', { ...plain, body: 'x'.repeat(1_000) })).toMatchObject({
      error: { code: 'too_large' },
    });
    expect(mail.told).toEqual([]);
  });

  test('R-email: a caller who cancels ends the connection', async () => {
    const server = await startScripted([['MAIL', '']]);
    const helve = await createMailHelve({ smtp: { port: server.port } });
    closing.push(server.close, helve.close);
    const stop = new AbortController();
    const call = helve.call('send_email', plain, { signal: stop.signal });
    await vi.waitFor(() => expect(server.lines.some((line) => line.startsWith('MAIL'))).toBe(true), {
      timeout: 20_000,
    });
    stop.abort();
    expect(await call).toMatchObject({ ok: false, error: { code: 'outcome_unknown' } });
    expect(server.lines.some((line) => line.startsWith('RCPT'))).toBe(false);
  });

  test('R-email: the tool names its limits for whoever grants it', () => {
    // The libraries are loaded when the first mail is composed, not when tools are listed.
    const mail = ['addresses.ts', 'message.ts', 'smtp.ts', 'smtp-failures.ts'].map((name) => `../../util/mail/${name}`);
    const source = ['tools/send-email.ts', 'server.ts', 'recipients.ts', 'content.ts', ...mail].map((name) =>
      readFileSync(new URL(name, import.meta.url), 'utf8'),
    );
    expect(source.join('\n')).not.toMatch(/^import (?!type).*nodemailer/m);
  });
});

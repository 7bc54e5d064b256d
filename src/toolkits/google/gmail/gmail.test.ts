/**
 * R-google-gmail through the whole plane against `@emulators/google`, whose state Google's own client reads and writes
 * as well: what a tool sent the client finds, and the reverse.
 */
import { auth, gmail } from '@googleapis/gmail';
import * as docx from 'docx';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ToolResult } from '../../../domain/execution.js';
import { createTestHelve, type TestHelve } from '../../../testing/index.js';
import { type GoogleEmulator, startGoogleEmulator } from '../testing/emulator.js';
import { type Recorder, startRecorder } from '../testing/recorder.js';
import { workspaceAt } from '../testing/workspace.js';

let google: GoogleEmulator;
let recorder: Recorder;
let helve: TestHelve;
let official: ReturnType<typeof gmail>;

beforeAll(async () => {
  google = await startGoogleEmulator({
    labels: [{ id: 'Label_7', user_email: 'ada@example.com', name: 'Receipts' }],
    messages: Array.from({ length: 3 }, (_, index) => ({
      id: `old_${index}`,
      thread_id: `thread_${index}`,
      user_email: 'ada@example.com',
      from: 'Shop <shop@example.net>',
      to: 'ada@example.com',
      subject: `Order ${index}`,
      body_text: `Your order ${index} & more`,
      label_ids: ['INBOX', 'UNREAD', ...(index === 0 ? ['Label_7'] : [])],
      date: `2026-01-0${index + 1}T10:00:00Z`,
      message_id: `<order-${index}@example.net>`,
    })),
  });
  recorder = await startRecorder(google.baseUrl);
  helve = await createTestHelve(workspaceAt(recorder.baseUrl));
  const client = new auth.OAuth2();
  client.setCredentials({ access_token: google.token });
  official = gmail({ version: 'v1', auth: client, rootUrl: `${google.baseUrl}/` });
});
afterAll(async () => {
  await recorder?.close();
  await google?.close();
});
beforeEach(() => {
  recorder.sent.length = 0;
  recorder.react = () => undefined;
});

const me = { userId: 'me' } as const;

async function done(tool: string, input: object): Promise<any> {
  const result = await helve.call(`work__${tool}`, input);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.output;
}

async function refused(tool: string, input: object): Promise<Extract<ToolResult, { ok: false }>['error']> {
  const result = await helve.call(`work__${tool}`, input);
  if (result.ok) throw new Error(`not refused: ${JSON.stringify(result.output)}`);
  return result.error;
}

async function readRaw(id: string) {
  const { data } = await official.users.messages.get({ ...me, id, format: 'raw' });
  return simpleParser(Buffer.from(data.raw ?? '', 'base64url'));
}

describe('sending', () => {
  test('R-google-gmail: what is sent is read by the official client, with all its parts', async () => {
    const pdf = Buffer.from('%PDF-1.7 \u0000\u00ff', 'latin1');
    const sent = await done('send_gmail_message', {
      to: ['Bob Müller <bob@example.com>', 'carol@example.com'],
      cc: 'dan@example.com',
      bcc: ['eve@example.com'],
      reply_to: 'Team <team@example.com>',
      subject: 'Grüße 你好 – a long subject that has to be folded more than once, since it goes on and on and on',
      body: 'Plain ünd simple\n.\nFrom here',
      html: '<p>Rich &amp; simple ✓</p>',
      attachments: [
        { filename: 'Übersicht €.pdf', content_base64: pdf.toString('base64'), content_type: 'application/pdf' },
      ],
    });
    const mail = await readRaw(sent.id);
    expect(mail.subject).toBe(
      'Grüße 你好 – a long subject that has to be folded more than once, since it goes on and on and on',
    );
    expect([mail.to].flat().flatMap((one) => one?.value)).toEqual([
      { name: 'Bob Müller', address: 'bob@example.com' },
      { name: '', address: 'carol@example.com' },
    ]);
    expect(mail.headers.get('bcc')).toMatchObject({ text: 'eve@example.com' });
    expect(mail.replyTo?.text).toBe('"Team" <team@example.com>');
    expect(mail.text?.trim().replace(/\r/g, '')).toBe('Plain ünd simple\n.\nFrom here');
    expect(mail.html).toContain('<p>Rich &amp; simple ✓</p>');
    expect(mail.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      ['Übersicht €.pdf', 'application/pdf'],
    ]);
    expect(mail.attachments[0]?.content.equals(pdf)).toBe(true);
    expect(mail.messageId).toBe(sent.message_id);
    const raw = (recorder.sent.at(-1)?.json as { raw: string }).raw;
    const source = Buffer.from(raw, 'base64url').toString('latin1');
    expect(source).toMatch(/^[\x00-\x7f]*$/);
    expect(source.split('\r\n').every((line) => line.length <= 998 && !/[\r\n]/.test(line))).toBe(true);
  });

  test('R-google-gmail: html alone gets a text alternative', async () => {
    const sent = await done('send_gmail_message', {
      to: 'bob@example.com',
      subject: 'x',
      html: '<h1>Hello</h1><p>See <a href="https://example.com/">here</a></p>',
    });
    expect((await readRaw(sent.id)).text?.replace(/\r/g, '')).toContain('Hello\n\nSee here (https://example.com/)');
  });

  test.each([
    ['subject', { subject: 'a\r\nBcc: x@example.com' }, 'subject'],
    ['address', { to: 'bob@example.com\r\nBcc: x@example.com' }, 'to'],
    ['name', { to: ['"Bob\nBcc: x@example.com" <bob@example.com>'] }, 'to[0]'],
    ['encoded name', { cc: '=?utf-8?q?=0d=0aBcc:_x=40example.com?= <bob@example.com>' }, 'cc'],
    ['two addresses in one', { reply_to: 'bob@example.com>, <x@example.com' }, 'reply_to'],
    ['no address', { bcc: ['Bob'] }, 'bcc[0]'],
    ['list in one text', { to: 'bob@example.com, x@example.com' }, 'to'],
    ['hidden file', { attachments: [{ filename: '.a', content_base64: 'YQ==' }] }, 'attachments[0].filename'],
    ['file name', { attachments: [{ filename: 'a\r\nb', content_base64: 'YQ==' }] }, 'attachments[0].filename'],
    [
      'type',
      { attachments: [{ filename: 'a', content_base64: 'YQ==', content_type: 'a/b\r\nX: y' }] },
      'attachments[0].content_type',
    ],
    ['base64', { attachments: [{ filename: 'a', content_base64: 'not base64' }] }, 'attachments[0].content_base64'],
    ['no body', { body: undefined }, 'body'],
  ])('R-google-gmail: nothing is sent with a wrong %s', async (_what, wrong, place) => {
    const input = { to: 'bob@example.com', subject: 's', body: 'b', ...wrong };
    const error = await refused('send_gmail_message', JSON.parse(JSON.stringify(input)));
    expect(error).toMatchObject({ code: 'invalid_input' });
    expect(error.message.startsWith(place)).toBe(true);
    expect(recorder.sent).toEqual([]);
  });

  test('R-google-gmail: a subject that looks encoded arrives as the characters it is made of', async () => {
    const subject = '=?utf-8?q?=0d=0aBcc:_x?=';
    const sent = await done('send_gmail_message', { to: 'bob@example.com', subject, body: 'b' });
    expect((await readRaw(sent.id)).subject).toBe(subject);
    expect((await done('get_gmail_message', { id: sent.id })).subject).toBe(subject);
  });

  test('R-google-gmail: a send whose answer was lost is not repeated, and can be looked up', async () => {
    recorder.react = ({ path }) => (path.endsWith('/send') ? 'lost' : undefined);
    const error = await refused('send_gmail_message', { to: 'bob@example.com', subject: 'once only', body: 'b' });
    expect(error).toMatchObject({ code: 'outcome_unknown', retryable: false });
    expect(recorder.sent.filter(({ path }) => path.endsWith('/send'))).toHaveLength(1);
    const id = (error.details as { message_id: string }).message_id;
    expect(error.hint).toContain('"in:sent newer_than:1d"');
    const { messages } = await done('list_gmail_messages', { query: 'in:sent subject:once' });
    expect(messages).toHaveLength(1);
    expect((await done('get_gmail_message', { id: messages[0].id })).message_id).toBe(id);
  });

  test('R-google-gmail: a large message goes as an upload, in the shape that the official client gives it', async () => {
    const bodies: string[] = [];
    recorder.react = ({ path, headers, text }) => {
      if (!path.startsWith('/upload/')) return undefined;
      bodies.push(`${path} ${headers['content-type']?.replace(/boundary=.*/, '')} ${text.slice(0, 400)}`);
      return { json: { id: 'm', threadId: 't' } };
    };
    const content = Buffer.alloc(4_000_000, 'x');
    const attachments = [{ filename: 'x.bin', content_base64: content.toString('base64') }];
    expect(
      await done('send_gmail_message', { to: 'bob@example.com', subject: 's', body: 'b', attachments }),
    ).toMatchObject({ id: 'm' });
    const client = new auth.OAuth2();
    client.setCredentials({ access_token: google.token });
    // For uploads the client takes the root from the call alone.
    await gmail({ version: 'v1', auth: client }).users.messages.send(
      {
        ...me,
        requestBody: {},
        media: { mimeType: 'message/rfc822', body: 'Subject: s\r\n\r\nb' },
      },
      { rootUrl: `${recorder.baseUrl}/` },
    );
    const shapes = bodies.map((one) =>
      one
        .toLowerCase()
        .replace(/--[\w-]+\r\n/g, '--B\r\n')
        .replace(/; charset=utf-8/g, ''),
    );
    const start =
      '/upload/gmail/v1/users/me/messages/send?uploadtype=multipart multipart/related;  --b\r\ncontent-type: application/json\r\n\r\n{}\r\n--b\r\ncontent-type: message/rfc822\r\n\r\nsubject: s\r\n';

    for (const shape of shapes) expect(shape.toLowerCase().startsWith(start)).toBe(true);
    expect(shapes).toHaveLength(2);
  });

  test('R-google-gmail: more than Gmail takes is refused before it is sent', async () => {
    const content_base64 = Buffer.alloc(20_000_000).toString('base64');
    const error = await refused('send_gmail_message', {
      to: 'bob@example.com',
      subject: 's',
      body: 'b',
      attachments: [{ filename: 'x.bin', content_base64 }],
    });
    expect(error.code).toBe('too_large');
    expect(recorder.sent).toEqual([]);
  });
});

describe('answering', () => {
  async function received(headers: Record<string, string>, threadId?: string): Promise<string> {
    const lines = Object.entries({ Date: 'Mon, 05 Jan 2026 10:00:00 +0000', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const raw = Buffer.from(`${lines.join('\r\n')}\r\n\r\nHello`).toString('base64url');
    const { data } = await official.users.messages.insert({
      ...me,
      requestBody: { raw, labelIds: ['INBOX'], ...(threadId ? { threadId } : {}) },
    });
    return data.id ?? '';
  }

  test('R-google-gmail: a reply is in its thread, goes to Reply-To, and has Re: once', async () => {
    const id = await received({
      From: 'Bob <bob@example.com>',
      'Reply-To': 'Support <support@example.com>',
      To: 'ada@example.com, carol@example.com',
      Subject: '=?utf-8?B?R3LDvMOfZQ==?=',
      'Message-ID': '<b@example.com>',
      References: '<a@example.com>',
    });
    const original = await official.users.messages.get({ ...me, id });
    const reply = await done('reply_gmail_message', { message_id: id, body: 'Yes' });
    expect(reply).toMatchObject({
      thread_id: original.data.threadId,
      to: ['support@example.com'],
      cc: [],
      subject: 'Re: Grüße',
    });
    const mail = await readRaw(reply.id);
    expect(mail.inReplyTo).toBe('<b@example.com>');
    expect(mail.references).toEqual(['<a@example.com>', '<b@example.com>']);
    const second = await done('reply_gmail_message', { thread_id: original.data.threadId ?? '', body: 'Again' });
    expect(second).toMatchObject({ subject: 'Re: Grüße', to: ['support@example.com'] });
    expect((await readRaw(second.id)).references).toEqual(['<a@example.com>', '<b@example.com>', reply.message_id]);
  });

  test('R-google-gmail: reply_all reaches all others once and never the account itself', async () => {
    const id = await received({
      From: 'bob@example.com',
      To: 'Ada <ADA@example.com>, carol@example.com, bob@example.com',
      Cc: 'dan@example.com, Carol <carol@example.com>',
      Subject: 'RE: plans',
      'Message-ID': '<c@example.com>',
    });
    const reply = await done('reply_gmail_message', {
      message_id: id,
      reply_all: true,
      cc: ['eve@example.com', 'dan@example.com'],
      body: 'Yes',
    });
    expect(reply).toMatchObject({
      to: ['bob@example.com', 'carol@example.com'],
      cc: ['dan@example.com', 'eve@example.com'],
      subject: 'RE: plans',
    });
  });

  test('R-google-gmail: an encoded name cannot smuggle a recipient in', async () => {
    const id = await received({
      From: '=?utf-8?q?x=40evil.example=2C_Bob?= <bob@example.com>',
      To: 'ada@example.com',
      Subject: 'Hi',
      'Message-ID': '<d@example.com>',
    });
    const reply = await done('reply_gmail_message', { message_id: id, reply_all: true, body: 'Yes' });
    expect([...reply.to, ...reply.cc]).toEqual(['bob@example.com']);
  });

  test('R-google-gmail: nobody to answer, and not saying what to answer, are refused', async () => {
    const id = await received({
      From: 'ada@example.com',
      To: 'ada@example.com',
      Subject: 'Note',
      'Message-ID': '<e@example.com>',
    });
    recorder.sent.length = 0;
    expect(await refused('reply_gmail_message', { message_id: id, body: 'x' })).toMatchObject({
      code: 'invalid_input',
    });
    expect(await refused('reply_gmail_message', { body: 'x' })).toMatchObject({ code: 'invalid_input' });
    expect(await refused('reply_gmail_message', { message_id: id, thread_id: 't', body: 'x' })).toMatchObject({
      code: 'invalid_input',
    });
    expect(await refused('reply_gmail_message', { message_id: 'none', body: 'x' })).toMatchObject({
      code: 'not_found',
    });
    expect(recorder.sent.some(({ method }) => method === 'POST')).toBe(false);
  });
});

describe('drafts', () => {
  test('R-google-gmail: a draft is there for the official client, listed, and not sent', async () => {
    const draft = await done('create_gmail_draft', { to: 'bob@example.com', subject: 'Offer ✓', body: 'Dear Bob' });
    const { data } = await official.users.drafts.get({ ...me, id: draft.draft_id });
    expect(data.message?.labelIds).toEqual(['DRAFT']);
    const { drafts } = await done('list_drafts', {});
    expect(drafts[0]).toMatchObject({
      draft_id: draft.draft_id,
      id: draft.id,
      subject: 'Offer ✓',
      to: 'bob@example.com',
    });
  });

  test('R-google-gmail: a draft with a wrong recipient is refused', async () => {
    expect(await refused('create_gmail_draft', { to: 'bob', body: 'b' })).toMatchObject({ code: 'invalid_input' });
    expect(recorder.sent).toEqual([]);
  });
});

describe('reading', () => {
  test('R-google-gmail: lists are compact rows, page by page', async () => {
    const first = await done('list_gmail_messages', { query: 'from:shop', max_results: 2 });
    expect(first.messages).toEqual([
      expect.objectContaining({ id: 'old_2', subject: 'Order 2', labels: ['INBOX', 'UNREAD'] }),
      expect.objectContaining({
        id: 'old_1',
        from: 'Shop <shop@example.net>',
        snippet: 'Your order 1 & more',
        date: '2026-01-02T10:00:00.000Z',
      }),
    ]);
    const second = await done('list_gmail_messages', {
      query: 'from:shop',
      max_results: 2,
      page_token: first.next_page_token,
    });
    expect(second.messages).toEqual([
      expect.objectContaining({ id: 'old_0', labels: ['INBOX', 'UNREAD', 'Receipts'] }),
    ]);
    expect(second).not.toHaveProperty('next_page_token');
  });

  test('R-google-gmail: a label is named by its name; an unknown one is refused with the nearest', async () => {
    expect((await done('list_gmail_messages', { labels: ['receipts', 'inbox'] })).messages).toHaveLength(1);
    const error = await refused('list_gmail_messages', { labels: ['Reciepts'] });
    expect(error).toMatchObject({ code: 'invalid_input', message: 'labels[0]: there is no label "Reciepts"' });
    expect(error.hint).toContain('Did you mean "Receipts"?');
  });

  test('R-google-gmail: a row that cannot be read says so and the others stand', async () => {
    recorder.react = ({ path }) =>
      path.includes('/messages/old_1')
        ? { status: 404, json: { error: { code: 404, message: 'Requested entity was not found.' } } }
        : undefined;
    const { messages } = await done('list_gmail_messages', { query: 'from:shop' });
    expect(messages[1]).toEqual({
      id: 'old_1',
      thread_id: 'thread_1',
      error: 'not_found: Google: Requested entity was not found.',
    });
    expect(messages[0]).toMatchObject({ subject: 'Order 2' });
    recorder.react = ({ path }) =>
      path.includes('/messages/') ? { status: 404, json: { error: { code: 404, message: 'gone' } } } : undefined;
    expect(await refused('list_gmail_messages', { query: 'from:shop' })).toMatchObject({ code: 'not_found' });
  });

  test('R-google-gmail: what the official client put there is read, attachment and all', async () => {
    const raw = [
      'From: =?iso-8859-1?Q?J=F6rg?= <joerg@example.com>', 'To: ada@example.com', 'Subject: =?utf-8?Q?caf=C3?= =?utf-8?Q?=A9?=',
      'Message-ID: <f@example.com>', 'Content-Type: multipart/mixed; boundary="x"', '',
      '--x', 'Content-Type: text/plain; charset=utf-8', '', 'Grüße',
      '--x', 'Content-Type: text/csv; name="a.csv"', 'Content-Disposition: attachment; filename="a.csv"', 'Content-Transfer-Encoding: base64', '', Buffer.from('a;ü\n').toString('base64'),
      '--x--', '',
    ].join('\r\n'); // biome-ignore format: a message
    const { data } = await official.users.messages.insert({
      ...me,
      requestBody: { raw: Buffer.from(raw).toString('base64url') },
    });
    const message = await done('get_gmail_message', { id: data.id });
    expect(message).toMatchObject({
      from: 'Jörg <joerg@example.com>',
      subject: 'café',
      body: 'Grüße',
      message_id: '<f@example.com>',
    });
    expect(message.attachments).toEqual([{ id: expect.any(String), name: 'a.csv', type: 'text/csv', size: 5 }]);
    const place = { message_id: data.id, attachment_id: message.attachments[0].id };
    expect(await done('get_gmail_attachment', place)).toEqual({ size: 5, text: 'a;ü\n' });
    expect(await done('get_gmail_attachment', { ...place, as: 'base64' })).toEqual({
      size: 5,
      content_base64: Buffer.from('a;ü\n').toString('base64'),
    });
    expect(await refused('get_gmail_attachment', { ...place, attachment_id: 'none' })).toMatchObject({
      code: 'not_found',
    });
  });

  test('R-google-gmail: an attached document is read as its text, a picture only as its bytes', async () => {
    const row = (...cells: string[]) =>
      new docx.TableRow({
        children: cells.map((text) => new docx.TableCell({ children: [new docx.Paragraph(text)] })),
      });
    const children = [new docx.Paragraph('Our offer.'), new docx.Table({ rows: [row('Tea', '3')] })];
    const word = await docx.Packer.toBuffer(new docx.Document({ sections: [{ children }] }));
    const page = Buffer.from('<p>Our offer.</p><p hidden>Ignore the rest</p>');
    const picture = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
    const files = [
      ['offer.docx', word],
      ['offer.html', page],
      ['offer.png', picture],
    ] as const;
    const attachments = files.map(([filename, content]) => ({ filename, content_base64: content.toString('base64') }));
    const { id } = await done('send_gmail_message', { to: 'bob@example.com', subject: 's', body: 'b', attachments });
    const message = await done('get_gmail_message', { message_id: id });
    const read = (name: string) => {
      const attachment = message.attachments.find((one: { name: string }) => one.name === name);
      return { message_id: id, attachment_id: attachment.id, name };
    };
    expect(await done('get_gmail_attachment', read('offer.docx'))).toEqual({
      size: word.length,
      text: 'Our offer.\n\nTea | 3',
      extracted_from: expect.stringMatching(/wordprocessingml/),
      notes: [],
    });
    expect(await done('get_gmail_attachment', read('offer.html'))).toMatchObject({
      text: 'Our offer.',
      extracted_from: 'text/html',
    });
    expect(await refused('get_gmail_attachment', read('offer.png'))).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('picture'),
      hint: expect.stringContaining('base64'),
    });
  });

  test('R-google-gmail: a thread is read oldest first; threads are found as rows', async () => {
    const base = { 'Message-ID': '<g@example.com>', Subject: 'Zebra' };
    const raw = (headers: object, text: string) =>
      Buffer.from(
        `${Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\r\n')}\r\n\r\n${text}`,
      ).toString('base64url');
    const one = await official.users.messages.insert({
      ...me,
      requestBody: {
        raw: raw({ ...base, From: 'bob@example.com', Date: 'Mon, 05 Jan 2026 10:00:00 +0000' }, 'first'),
        labelIds: ['INBOX'],
      },
    });
    const thread_id = one.data.threadId ?? '';
    await official.users.messages.insert({
      ...me,
      requestBody: {
        threadId: thread_id,
        raw: raw(
          { ...base, From: 'carol@example.com', Subject: 'Re: Zebra', Date: 'Tue, 06 Jan 2026 10:00:00 +0000' },
          'second',
        ),
        labelIds: ['Label_7'],
      },
    });
    expect((await done('get_thread', { thread_id })).messages.map(({ body }: { body: string }) => body)).toEqual([
      'first',
      'second',
    ]);
    expect((await done('search_threads', { query: 'subject:zebra' })).threads).toEqual([
      {
        id: thread_id,
        subject: 'Zebra',
        participants: ['bob@example.com', 'carol@example.com'],
        message_count: 2,
        last_date: '2026-01-06T10:00:00.000Z',
        snippet: 'second',
        labels: ['INBOX', 'Receipts'],
      },
    ]);
    expect(await refused('get_thread', { thread_id: 'none' })).toMatchObject({ code: 'not_found' });
  });
});

describe('labels', () => {
  test('R-google-gmail: labels are listed by id and name', async () => {
    const { labels } = await done('list_labels', {});
    expect(labels).toContainEqual({ id: 'Label_7', name: 'Receipts', type: 'user' });
    expect(labels).toContainEqual({ id: 'INBOX', name: 'INBOX', type: 'system' });
  });

  test('R-google-gmail: messages and threads are labelled and unlabelled, as the official client sees', async () => {
    const readLabels = async () => (await official.users.messages.get({ ...me, id: 'old_2' })).data.labelIds;
    expect(await done('label_message', { message_id: 'old_2', labels: ['receipts', 'starred'] })).toEqual({
      id: 'old_2',
      labels: expect.arrayContaining(['Receipts', 'STARRED', 'INBOX']),
    });
    expect(await readLabels()).toEqual(expect.arrayContaining(['Label_7', 'STARRED']));
    await done('unlabel_message', { message_id: 'old_2', labels: ['Label_7', 'UNREAD'] });
    expect(await readLabels()).toEqual(['INBOX', 'STARRED']);
    await done('label_thread', { thread_id: 'thread_2', labels: ['IMPORTANT'] });
    expect(await readLabels()).toContain('IMPORTANT');
    await done('unlabel_thread', { thread_id: 'thread_2', labels: ['Inbox'] });
    expect(await readLabels()).not.toContain('INBOX');
  });

  test.each([
    'label_message',
    'unlabel_message',
    'label_thread',
    'unlabel_thread',
  ])('R-google-gmail: %s refuses an unknown label and an unknown place', async (tool) => {
    const field = tool.endsWith('message') ? 'message_id' : 'thread_id';
    expect(await refused(tool, { [field]: 'old_2', labels: ['No such'] })).toMatchObject({ code: 'invalid_input' });
    expect(recorder.sent.some(({ method }) => method === 'POST')).toBe(false);
    expect(await refused(tool, { [field]: 'none', labels: ['STARRED'] })).toMatchObject({ code: 'not_found' });
  });
});

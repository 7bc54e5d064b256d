/** R-google-gmail: bodies and headers as mail programs really write them. */
import { describe, expect, test } from 'vitest';
import type { MailPart } from '../../../util/mail/reading/index.js';
import { decodeWords, readBody, readHeader } from '../../../util/mail/reading/index.js';
import { readHeaderAddresses } from './addresses.js';
import { replySubject, threadingHeaders } from './reply.js';

const part = (mimeType: string, content: string | Buffer, more: Partial<MailPart> = {}): MailPart => ({
  mimeType,
  headers: [{ name: 'Content-Type', value: `${mimeType}; charset=utf-8` }],
  body: { data: Buffer.from(content).toString('base64url'), size: content.length },
  ...more,
});
const multi = (kind: string, ...parts: MailPart[]): MailPart => ({ mimeType: `multipart/${kind}`, parts });
const charset = (name: string) => ({
  headers: [{ name: 'content-type', value: `text/plain; format=flowed; charset="${name}"` }],
});
const never = async () => Promise.reject(new Error('nothing is to be fetched'));
const readText = async (payload: MailPart) => (await readBody(payload, never)).text;

describe('bodies', () => {
  test('R-google-gmail: of alternatives the plain one is read, unless it is empty', async () => {
    const html = part('text/html', '<p>Rich <b>text</b></p><ul><li>one</li></ul>');
    expect(await readText(multi('alternative', part('text/plain', 'Plain\r\ntext\r\n'), html))).toBe('Plain\ntext');
    expect(await readText(multi('alternative', part('text/plain', ' \r\n'), html))).toBe('Rich text\n\n- one');
    expect(await readText(multi('alternative', html, part('text/plain', 'Plain')))).toBe('Plain');
    expect(await readText(html)).toBe('Rich text\n\n- one');
    const both = await readBody(multi('alternative', part('text/plain', 'Plain'), html), never);
    expect(both.html).toContain('<b>text</b>');
  });

  test('R-google-gmail: nested parts are read in order and what is attached is listed', async () => {
    const attached = (mimeType: string, filename: string, attachmentId = 'a1'): MailPart => ({
      mimeType,
      filename,
      body: { attachmentId, size: 12 },
    });
    const payload = multi(
      'mixed',
      multi(
        'related',
        multi('alternative', part('text/plain', 'Body'), part('text/html', '<p>Body</p>')),
        attached('image/png', 'logo.png'),
      ),
      part('text/plain', 'not the body', { filename: 'notes.txt' }),
      part('text/plain', 'nor this', {
        headers: [{ name: 'Content-Disposition', value: 'attachment' }],
        body: { attachmentId: 'a2', size: 8 },
      }),
      attached('application/pdf', '=?utf-8?Q?=C3=9Cbersicht.pdf?=', 'a3'),
      attached('message/rfc822', ''),
      part('text/html', '<p>Footer</p>'),
    );
    const { text, attachments } = await readBody(payload, never);
    expect(text).toBe('Body\n\nFooter');
    expect(attachments.map(({ id, name, type }) => [id, name, type])).toEqual([
      ['a1', 'logo.png', 'image/png'],
      [undefined, 'notes.txt', 'text/plain'],
      ['a2', 'unnamed', 'text/plain'],
      ['a3', 'Übersicht.pdf', 'application/pdf'],
      ['a1', 'message.eml', 'message/rfc822'],
    ]);
  });

  test('R-google-gmail: a long text that Gmail keeps apart is fetched', async () => {
    const asked: string[] = [];
    const fetchData = async (id: string) => {
      asked.push(id);
      return Buffer.from('long ✓').toString('base64url');
    };
    expect((await readBody({ mimeType: 'text/plain', body: { attachmentId: 'big', size: 9 } }, fetchData)).text).toBe(
      'long ✓',
    );
    expect(asked).toEqual(['big']);
  });

  test.each([
    ['iso-8859-1', Buffer.from('Grüße', 'latin1'), 'Grüße'],
    ['windows-1252', Buffer.from([0x80, 0x20, 0x93]), '€ “'],
    ['iso-8859-1', Buffer.from('schon UTF-8: ü'), 'schon UTF-8: ü'],
    ['iso-2022-jp', Buffer.from('\x1b$B$3$s\x1b(B', 'latin1'), 'こん'],
    ['utf-16le', Buffer.from('wide ü', 'utf16le'), 'wide ü'],
    ['gb18030', Buffer.from([0xc4, 0xe3, 0xba, 0xc3]), '你好'],
    ['no-such-charset', Buffer.from('Grüße', 'latin1'), 'Grüße'],
  ])('R-google-gmail: text in %s is read', async (name, bytes, text) => {
    expect(await readText(part('text/plain', bytes, charset(name)))).toBe(text);
  });

  test('R-google-gmail: nothing, and nesting without end, are no text', async () => {
    expect(await readBody(undefined, never)).toEqual({ text: '', html: undefined, attachments: [] });
    let deep = part('text/plain', 'deep');
    for (let level = 0; level < 200; level++) deep = multi('mixed', deep);
    expect(await readText(deep)).toBe('');
  });
});

describe('headers', () => {
  test.each([
    ['=?UTF-8?Q?Caf=C3=A9_au_lait?=', 'Café au lait'],
    ['=?utf-8?B?5L2g?= =?utf-8?B?5aW9?= there', '你好 there'],
    // A letter in two words; two charsets in a row; a language tag.
    ['=?utf-8?q?=C3?=\r\n =?utf-8?q?=A9?=', 'é'],
    ['=?iso-8859-1?q?=E9?= =?utf-8?q?=C3=A8?=', 'éè'],
    ['=?utf-8*fr?q?=C3=A9?=', 'é'],
    ['already é and =?broken', 'already é and =?broken'],
    ['=?x-unknown?q?abc?=', 'abc'],
  ])('R-google-gmail: %s is decoded', (encoded, text) => {
    expect(decodeWords(encoded)).toBe(text);
  });

  test('R-google-gmail: a header field is found in upper or lower case; a missing one gives undefined', () => {
    const payload = {
      headers: [
        { name: 'SUBJECT', value: 'Hi' },
        { name: 'To', value: ' ' },
      ],
    };
    expect([
      readHeader(payload, 'Subject'),
      readHeader(payload, 'to'),
      readHeader(payload, 'Cc'),
      readHeader(undefined, 'Cc'),
    ]).toEqual(['Hi', undefined, undefined, undefined]);
  });

  test('R-google-gmail: addresses are parted before their names are decoded', () => {
    expect(
      readHeaderAddresses(
        '=?utf-8?q?a=40evil.example=2C_J?= <j@x.example>, "Doe, Jane" <d@x.example>, Team: t@x.example;, nobody',
      ),
    ).toEqual([
      { name: 'a@evil.example, J', address: 'j@x.example' },
      { name: 'Doe, Jane', address: 'd@x.example' },
      { name: '', address: 't@x.example' },
    ]);
  });
});

describe('replies', () => {
  const message = (headers: Record<string, string>) => ({
    id: 'm',
    threadId: 't',
    payload: { headers: Object.entries(headers).map(([name, value]) => ({ name, value })) },
  });

  test.each([
    ['Plans', 'Re: Plans'],
    ['Re: Plans', 'Re: Plans'],
    ['RE[2]: Plans', 'RE[2]: Plans'],
    ['Regarding: plans', 'Re: Regarding: plans'],
    ['', 'Re:'],
  ])('R-google-gmail: the answer to %j is called %j', (subject, answer) => {
    expect(replySubject(message({ Subject: subject }))).toBe(answer);
  });

  test('R-google-gmail: references keep the first, and are no longer than is useful', () => {
    const ids = Array.from({ length: 80 }, (_, index) => `<${index}@x>`);
    const { references, inReplyTo } = threadingHeaders(
      message({ 'Message-ID': '<last@x>', References: ids.join('\r\n ') }),
    );
    expect(inReplyTo).toBe('<last@x>');
    expect(references).toHaveLength(30);
    expect([references?.[0], references?.at(-1)]).toEqual(['<0@x>', '<last@x>']);
    expect(threadingHeaders(message({ 'Message-ID': '<b@x>', 'In-Reply-To': '<a@x>' })).references).toEqual([
      '<a@x>',
      '<b@x>',
    ]);
    expect(threadingHeaders(message({ 'Message-ID': 'nonsense\r\nBcc: x' }))).toEqual({});
  });
});

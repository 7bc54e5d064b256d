/** Messages as mail programs save them. */
import { createTransport } from 'nodemailer';
import { describe, expect, test } from 'vitest';
import { startCpuClock } from '../../testing/cpu-time.js';
import { findDocument, getMedia } from './media.js';
import { readText } from './read.js';

const toBytes = (lines: readonly string[]) => Buffer.from(lines.join('\r\n'), 'latin1');
const read = (lines: readonly string[]) =>
  readText({ bytes: toBytes(lines), mediaType: 'message/rfc822', maxChars: 1_000_000 });
const utf8 = (text: string) => Buffer.from(text).toString('latin1');

describe('R-knowledge R-files: a saved message', () => {
  const head = ['From: =?iso-8859-1?Q?J=F6rg?= <joerg@example.com>', 'To: Ada <ada@example.com>,', '\tbob@example.com'];

  test('is read as who wrote to whom, what it says, and what is attached', async () => {
    const { text, notes } = await read([
      'From sender Mon Jan 5 10:00:00 2026',
      ...head,
      'Subject: =?utf-8?B?Q2Fmw6k=?= on =?utf-8?Q?Monday?=',
      'Date: Mon, 5 Jan 2026 10:00:00 +0100',
      'X-Mailer: test',
      'Content-Type: multipart/mixed; boundary="out er"',
      '',
      'No program shows this.',
      '--out er',
      'Content-Type: multipart/alternative; boundary=in',
      '',
      '--in',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=C3=BC=C3=9Fe,=',
      ' and bye',
      '--in',
      'Content-Type: text/html',
      '',
      '<p>not this</p>',
      '--in--',
      '--out er',
      'Content-Type: application/pdf',
      "Content-Disposition: attachment; filename*0*=utf-8''%C3%9Cber; filename*1*=sicht.pdf",
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('%PDF-').toString('base64'),
      '--out er',
      'Content-Type: message/rfc822',
      '',
      'Subject: inner',
      '',
      'not read',
      '--out er--',
      'nor this',
    ]);
    expect(text.split('\n')).toEqual([
      'Subject: Café on Monday',
      'From: Jörg <joerg@example.com>',
      'To: Ada <ada@example.com>, bob@example.com',
      'Date: Mon, 5 Jan 2026 10:00:00 +0100',
      'Grüße, and bye',
      'Attachment: Übersicht.pdf (application/pdf, 5 bytes)',
      'Attachment: message.eml (message/rfc822, 26 bytes)',
    ]);
    expect(notes).toEqual(['What is attached to the message is not read.']);
  });

  test('is read as the library that writes our own mail wrote it', async () => {
    const transport = createTransport({ streamTransport: true, buffer: true });
    const { message } = await transport.sendMail({
      from: { name: 'Jörg Ätzend', address: 'joerg@example.com' },
      to: ['Ada <ada@example.com>', '"Bó, Eve" <eve@example.com>'],
      subject: `Ångström ${'über alles '.repeat(12).trim()}`,
      date: new Date('2026-01-05T10:00:00Z'),
      text: `Grüße — 東京 ${'word '.repeat(60)}\n\n.\nFrom here on`,
      html: '<p>not this</p>',
      attachments: [
        { filename: `${'sehr langer Name mit Umlaut ü '.repeat(4).trim()}.txt`, content: 'inside' },
        { filename: 'photo.png', content: Buffer.alloc(1_000, 7), cid: 'photo' },
      ],
    });
    const { text } = await readText({ bytes: message as Buffer, mediaType: 'message/rfc822', maxChars: 1_000_000 });
    expect(text.split('\n')).toEqual([
      `Subject: Ångström ${'über alles '.repeat(12).trim()}`,
      'From: Jörg Ätzend <joerg@example.com>',
      'To: Ada <ada@example.com>, Bó, Eve <eve@example.com>',
      'Date: Mon, 05 Jan 2026 10:00:00 +0000',
      `Grüße — 東京 ${'word '.repeat(60).trim()}`,
      '.',
      'From here on',
      // It belongs to the HTML, which comes first.
      'Attachment: photo.png (image/png, 1000 bytes)',
      `Attachment: ${'sehr langer Name mit Umlaut ü '.repeat(4).trim()}.txt (text/plain, 6 bytes)`,
    ]);
  });

  test.each([
    ['in HTML, without what a reader does not see', 'text/html', '<p>Tea</p><p style="display:none">Ignore</p>'],
    ['with raw UTF-8', 'text/plain', 'Tea'],
    ['without a type', '', 'Tea'],
  ])('is read %s', async (_, type, body) => {
    const typed = type === '' ? [] : [`Content-Type: ${type}`];
    const { text, notes } = await read([`Subject: ${utf8('Café')}`, ...typed, '', body]);
    expect([text, notes]).toEqual(['Subject: Café\nTea', []]);
  });

  test('is known by its name and its first line', () => {
    const bytes = toBytes([...head, '', 'Tea']);
    expect(findDocument('/a/Mail.EML', bytes)).toBe('message/rfc822');
    expect(getMedia('mail.eml', bytes, undefined)).toEqual({ mediaType: 'message/rfc822', language: undefined });
    expect(findDocument('/a/mail.txt', bytes)).toBeUndefined();
    expect(findDocument('/a/mail.eml', Buffer.from('no fields'))).toBeUndefined();
  });

  test.each([
    ['open parts', `Content-Type: multipart/mixed; boundary=a\r\n\r\n${'--a\r\n'.repeat(60_000)}`],
    ['nested parts', `${'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(6_000)}`],
    ['fields', 'a: b\r\n'.repeat(60_000)],
    ['folded lines', `a: b${'\r\n '.repeat(100_000)}`],
    ['soft breaks', `Content-Transfer-Encoding: quoted-printable\r\n\r\n${'= '.repeat(150_000)}`],
    ['parameters', `Content-Type: a/b${'; '.repeat(150_000)}\r\n\r\n`],
    ['encoded words', `Subject: ${'=?utf-8?Q?'.repeat(30_000)}\r\n\r\n`],
  ])('attack: one with very many %s takes no longer than its length', async (_, message) => {
    const worked = startCpuClock();
    await read([message]);
    expect(worked()).toBeLessThan(3_000);
  });
});

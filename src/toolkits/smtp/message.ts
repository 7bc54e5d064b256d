/** A mail as bytes, complete before anything is connected: nothing in it can turn into a command or another header. */
import { z } from 'zod';
import { HelveError } from '../../domain/errors.js';
import { htmlToText } from '../../util/html-text.js';
import { htmlInput, peopleInput, readBodies } from '../../util/mail-input.js';
import type { Recipients } from './addresses.js';
import type { Mailbox } from './mailbox.js';

const address = z.string().min(1).max(320);

export const mailInput = z.strictObject({
  to: peopleInput.describe('Who gets it: addresses; names are not put into the mail'),
  cc: peopleInput.optional(),
  bcc: peopleInput.optional().describe('Recipients that the others do not see'),
  subject: z.string().min(1).max(500).describe('One line'),
  body: z.string().min(1).max(1_000_000).optional().describe('Text, or HTML if html is true'),
  html: htmlInput,
  reply_to: address.optional().describe('Where answers go. Default: the sender'),
  attachments: z
    .array(
      z.strictObject({
        filename: z.string().min(1).max(150).describe('Name only, no folder'),
        content_base64: z.string(),
        content_type: z.string().max(100).optional().describe('Default: application/octet-stream'),
      }),
    )
    .max(20)
    .optional(),
});

export type MailInput = z.infer<typeof mailInput>;

export async function composeMessage(
  input: MailInput,
  { from, recipients, messageId }: { from: Mailbox['from']; recipients: Recipients; messageId: string },
): Promise<Buffer> {
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(input.subject)) {
    throw wrong('subject: it holds a line break or another control character', 'A subject is one line of text.');
  }
  const bodies = await bodiesOf(input);
  const [{ default: MailComposer }, { encodeWord }] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/mime-funcs'),
  ]);
  const named = (plain: string, name = '') => ({ name, address: plain });
  const composer = new MailComposer({
    messageId,
    date: new Date(),
    from: named(from.address, from.name),
    to: recipients.to.map((one) => named(one)),
    cc: recipients.cc.map((one) => named(one)),
    ...(recipients.replyTo === undefined ? {} : { replyTo: named(recipients.replyTo) }),
    headers: [
      { key: 'Subject', value: { prepared: true, foldLines: true, value: headerText(input.subject, encodeWord) } },
      { key: 'Auto-Submitted', value: 'auto-generated' },
    ],
    ...bodies,
    attachments: attachmentsOf(input),
    // Quoted-printable is readable on the way but slow for what is not ASCII.
    textEncoding: /^[\x00-\x7f]*$/.test(`${bodies.text}${bodies.html ?? ''}`) ? 'quoted-printable' : 'base64',
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return new Promise((resolve, reject) => {
    composer.compile().build((error: Error | null, bytes?: Buffer) => (bytes ? resolve(bytes) : reject(error)));
  });
}

async function bodiesOf(input: MailInput): Promise<{ text: string; html?: string }> {
  const { text, html } = readBodies(input);
  const lines = (body: string): string => body.replace(/\r\n|\r|\n/g, '\r\n');
  if (html === undefined) {
    if (text === undefined) throw wrong('A mail needs body or html', 'Send one of them, or both.');
    return { text: lines(text) };
  }
  return { text: lines(text ?? (await htmlToText(html))), html: lines(html) };
}

function attachmentsOf({ attachments = [] }: MailInput) {
  return attachments.map(({ filename, content_base64, content_type = 'application/octet-stream' }, index) => {
    const at = `attachments[${index}]`;
    // `?` and `=` would let it pass for an encoded word; the marks that turn the direction of writing hide an ending.
    if (/[\u0000-\u001f\u007f-\u009f"*/:<>?\\|\u2028-\u202e\u2066-\u2069]|^\.|[. ]$|=\?/.test(filename))
      throw wrong(`${at}.filename: it holds a character that file names cannot have`);
    if (!/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i.test(content_type))
      throw wrong(`${at}.content_type: it is not a type such as application/pdf`);
    if (/^(?:multipart|message)\//i.test(content_type))
      throw wrong(`${at}.content_type: a mail inside a mail is not sent`);
    const content = Buffer.from(content_base64, 'base64');
    if (content.toString('base64') !== content_base64)
      throw wrong(`${at}.content_base64: it is not base64 (RFC 4648, with padding)`);
    return { filename, content, contentType: content_type, contentTransferEncoding: 'base64' as const };
  });
}

/** Also encoded when it only looks as if it were: `=?utf-8?q?=0d=0a?=` is to arrive as those very characters. */
function headerText(text: string, encodeWord: (text: string, encoding: 'B', most: number) => string): string {
  return /^[\x20-\x7e]*$/.test(text) && !text.includes('=?') && !/\S{60}/.test(text) ? text : encodeWord(text, 'B', 52);
}

const wrong = (message: string, hint?: string): HelveError =>
  new HelveError('invalid_input', message, hint === undefined ? {} : { hint });

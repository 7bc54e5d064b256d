/**
 * A mail as bytes, complete before anything is connected: its size is known, and nothing in it can turn into a command
 * or a header. Bodies are quoted-printable or base64 and attachments base64, so no line of theirs is bare or long.
 */
import { HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';
import { htmlToText } from '../../util/html-text.js';
import type { Recipients, Sender } from './addresses.js';
import type { Content } from './content.js';
import type { EmailConfig, EmailInput } from './shapes.js';

export interface Attachment {
  readonly filename: string;
  readonly content: Buffer;
  readonly contentType: string;
}

export interface Draft {
  readonly messageId: string;
  readonly from: Sender;
  readonly recipients: Recipients;
  readonly content: Content;
  readonly attachments: readonly Attachment[];
}

export function attachmentsOf({ attachments = [] }: EmailInput, config: EmailConfig): Attachment[] {
  if (attachments.length > config.max_attachments) {
    throw new HelveError(
      'forbidden',
      `The mail has ${attachments.length} attachments; at most ${config.max_attachments} are allowed`,
    );
  }
  return attachments.map(({ filename, content_base64, content_type = 'application/octet-stream' }, index) => {
    const wrong = (what: string): HelveError => new HelveError('invalid_input', `attachments[${index}].${what}`);
    // `?` and `=` would let it pass for an encoded word; the marks that turn the direction of writing hide an ending.
    if (/[\u0000-\u001f\u007f-\u009f"*/:<>?\\|\u2028-\u202e\u2066-\u2069]|^\.|[. ]$|=\?/.test(filename)) {
      throw wrong('filename: it holds a character that file names cannot have');
    }
    if (!/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i.test(content_type)) {
      throw wrong('content_type: it is not a type such as application/pdf');
    }
    if (/^(?:multipart|message)\//i.test(content_type)) throw wrong('content_type: a mail inside a mail is not sent');
    const content = Buffer.from(content_base64, 'base64');
    if (content.toString('base64') !== content_base64)
      throw wrong('content_base64: it is not base64 (RFC 4648, with padding)');
    return { filename, content, contentType: content_type };
  });
}

export async function composeMessage(draft: Draft): Promise<Buffer> {
  const [{ default: MailComposer }, { encodeWord }] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/mime-funcs'),
  ]);
  const { content, recipients, from, attachments } = draft;
  const address = (plain: string) => ({ name: '', address: plain });
  const composer = new MailComposer({
    messageId: draft.messageId,
    date: new Date(),
    from: { name: from.name, address: from.address },
    to: recipients.to.map(address),
    cc: recipients.cc.map(address),
    ...(recipients.replyTo === undefined ? {} : { replyTo: address(recipients.replyTo) }),
    headers: [
      { key: 'Subject', value: { prepared: true, foldLines: true, value: headerText(content.subject, encodeWord) } },
      { key: 'Auto-Submitted', value: 'auto-generated' },
    ],
    text: content.text ?? (await htmlToText(content.html ?? '')),
    ...defined({ html: content.html }),
    attachments: attachments.map((one) => ({ ...one, contentTransferEncoding: 'base64' as const })),
    // Quoted-printable is readable on the way but slow for what is not ASCII: a second for a long text.
    textEncoding: /^[\x00-\x7f]*$/.test(`${content.text ?? ''}${content.html ?? ''}`) ? 'quoted-printable' : 'base64',
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = composer.compile();
  return new Promise((resolve, reject) => {
    message.build((error: Error | null, bytes?: Buffer) => (bytes ? resolve(bytes) : reject(error)));
  });
}

/** Also encoded when it only looks as if it were: `=?utf-8?q?=0d=0a?=` is to arrive as those very characters. */
function headerText(text: string, encodeWord: (text: string, encoding: 'B', most: number) => string): string {
  return /^[\x20-\x7e]*$/.test(text) && !text.includes('=?') && !/\S{60}/.test(text) ? text : encodeWord(text, 'B', 52);
}

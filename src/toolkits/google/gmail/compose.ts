/** A message as bytes: MIME by nodemailer, from fields that can no longer turn into other fields. */
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import { htmlToText } from '../../../util/html-text.js';
import { readBodies } from '../../../util/mail-input.js';
import type { Address } from './addresses.js';
import type { ContentInput } from './content-input.js';

export interface Outgoing {
  /** With angle brackets. */
  readonly messageId: string;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly replyTo?: Address | undefined;
  readonly subject: string;
  readonly content: ContentInput;
  readonly inReplyTo?: string | undefined;
  readonly references?: readonly string[] | undefined;
}

/** What Gmail takes, attachments encoded. */
const mostBytes = 25 * 1_048_576;
const mostRecipients = 100;

/**
 * There is no `From`: Gmail puts the account's own, with the name that its owner chose. `Bcc` is kept, since Gmail
 * reads the recipients from the message and takes it out before anybody sees it.
 */
export async function composeMessage(outgoing: Outgoing): Promise<Buffer> {
  const { to, cc, bcc, content } = outgoing;
  const count = to.length + cc.length + bcc.length;
  if (count > mostRecipients) {
    throw new HelveError('invalid_input', `The message has ${count} recipients; at most ${mostRecipients} are taken`);
  }
  const [{ default: MailComposer }, { encodeWord }] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/mime-funcs'),
  ]);
  const { body, html } = bodiesOf(content);
  const composer = new MailComposer({
    messageId: outgoing.messageId,
    date: new Date(),
    to: [...to],
    cc: [...cc],
    bcc: [...bcc],
    ...defined({ replyTo: outgoing.replyTo, inReplyTo: outgoing.inReplyTo }),
    ...(outgoing.references === undefined ? {} : { references: [...outgoing.references] }),
    headers: [
      {
        key: 'Subject',
        value: { prepared: true, foldLines: true, value: headerText(subjectLine(outgoing.subject), encodeWord) },
      },
    ],
    text: body ?? (await htmlToText(html ?? '')),
    ...defined({ html }),
    attachments: attachmentsOf(content),
    // Quoted-printable is readable on the way but slow for what is not ASCII.
    textEncoding: /^[\x00-\x7f]*$/.test(`${body ?? ''}${html ?? ''}`) ? 'quoted-printable' : 'base64',
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = composer.compile();
  message.keepBcc = true;
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    message.build((error: Error | null, built?: Buffer) => (built ? resolve(built) : reject(error)));
  });
  if (bytes.length > mostBytes) {
    throw new HelveError('too_large', `The message has ${bytes.length} bytes; Gmail takes at most ${mostBytes}`, {
      hint: 'Send a link instead of the attachment.',
    });
  }
  return bytes;
}

function bodiesOf(content: ContentInput): { body: string | undefined; html: string | undefined } {
  const { text: body, html } = readBodies(content);
  if (body === undefined && html === undefined) {
    throw new HelveError('invalid_input', 'body: there is neither body nor html', {
      hint: 'Give at least one of them.',
    });
  }
  return { body, html };
}

/** One line, whoever wrote it. */
function subjectLine(subject: string): string {
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(subject)) {
    throw new HelveError('invalid_input', 'subject: it holds a line break or another control character', {
      hint: 'A subject is one line of text.',
    });
  }
  return subject;
}

/** Also encoded when it only looks as if it were: `=?utf-8?q?=0d=0a?=` is to arrive as those very characters. */
function headerText(text: string, encodeWord: (text: string, encoding: 'B', most: number) => string): string {
  return /^[\x20-\x7e]*$/.test(text) && !text.includes('=?') && !/\S{60}/.test(text) ? text : encodeWord(text, 'B', 52);
}

function attachmentsOf({ attachments = [] }: ContentInput) {
  return attachments.map(({ filename, content_base64, content_type = 'application/octet-stream' }, index) => {
    const wrong = (what: string): HelveError => new HelveError('invalid_input', `attachments[${index}].${what}`);
    // The marks that turn the direction of writing hide an ending.
    if (/[\u0000-\u001f\u007f-\u009f"/\\\u2028-\u202e\u2066-\u2069]|=\?/.test(filename)) {
      throw wrong('filename: it holds a character that file names cannot have');
    }
    if (!/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i.test(content_type)) {
      throw wrong('content_type: it is not a type such as application/pdf');
    }
    if (/^(?:multipart|message)\//i.test(content_type)) throw wrong('content_type: a mail inside a mail is not sent');
    const content = Buffer.from(content_base64, 'base64');
    if (content.toString('base64') !== content_base64) {
      throw wrong('content_base64: it is not base64 (RFC 4648, with padding)');
    }
    return { filename, content, contentType: content_type, contentTransferEncoding: 'base64' as const };
  });
}

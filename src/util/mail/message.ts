/**
 * A mail as bytes, complete before anything is sent: nothing in it can turn into a command or another header. Bodies are
 * quoted-printable or base64 and attachments base64, so no line of theirs is bare or long.
 */
import { HelveError } from '../../domain/errors.js';
import { defined } from '../defined.js';
import { htmlToText } from '../html-text.js';
import type { Address, Recipients } from './addresses.js';

export interface Bodies {
  readonly text: string | undefined;
  /** If there is no `text`, the mail gets the text of the HTML. */
  readonly html: string | undefined;
}

export interface Attachment {
  readonly filename: string;
  readonly content: Buffer;
  readonly contentType: string;
}

export interface Draft extends Bodies {
  /** With angle brackets. */
  readonly messageId: string;
  readonly from?: Address | undefined;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  /** Becomes a header. For mail over SMTP it must be left out. */
  readonly bcc?: readonly Address[] | undefined;
  readonly replyTo?: Address | undefined;
  readonly subject: string;
  readonly attachments: readonly Attachment[];
  /** Repeats the Message-ID in a header of Helve's own, for servers that replace it. */
  readonly repeatsMessageId?: boolean;
  /** Adds `Auto-Submitted: auto-generated`. */
  readonly isAutomatic?: boolean;
  readonly inReplyTo?: string | undefined;
  readonly references?: readonly string[] | undefined;
}

export const repeatedMessageId = 'X-Helve-Message-ID';

interface GivenAttachment {
  readonly filename: string;
  readonly content_base64: string;
  readonly content_type?: string | undefined;
}

/** Throws `invalid_input` if the subject is not one line of text. */
export function checkSubject(subject: string): string {
  if (!/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(subject)) return subject;
  throw new HelveError('invalid_input', 'subject: it holds a line break or another control character', {
    hint: 'A subject is one line of text.',
  });
}

/** Reads the fields `body` and `html`: each result is undefined if it was not given. */
export function readBodies({ body, html }: { body?: string | undefined; html?: boolean | string | undefined }): Bodies {
  if (typeof html === 'string') return { text: body, html };
  return html === true ? { text: undefined, html: body } : { text: body, html: undefined };
}

/** As `readBodies`. Throws `invalid_input` if there is neither. */
export function requireBodies(input: Parameters<typeof readBodies>[0]): Bodies {
  const bodies = readBodies(input);
  if (bodies.text !== undefined || bodies.html !== undefined) return bodies;
  throw new HelveError('invalid_input', 'body: a mail needs body or html', { hint: 'Send one of them, or both.' });
}

/** Throws `invalid_input` naming the attachment that is wrong. */
export function readAttachments(attachments: readonly GivenAttachment[] = []): Attachment[] {
  return attachments.map(({ filename, content_base64, content_type = 'application/octet-stream' }, index) => {
    const wrong = (what: string): HelveError => new HelveError('invalid_input', `attachments[${index}].${what}`);
    // `=?` could pass for an encoded word; the marks that change the direction of writing hide a file extension.
    if (/[\u0000-\u001f\u007f-\u009f"*/:<>?\\|\u2028-\u202e\u2066-\u2069]|^\.|[. ]$|=\?/.test(filename)) {
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
    return { filename, content, contentType: content_type };
  });
}

/** The header fields of a mail that a program sends: bare addresses, no `Bcc`, and a mark that nobody wrote it by hand. */
export function toAutomaticHeaders(from: Address, { to, cc, replyTo }: Recipients) {
  const bare = (address: string): Address => ({ name: '', address });
  return {
    from: { name: from.name, address: from.address },
    to: to.map(bare),
    cc: cc.map(bare),
    replyTo: replyTo === undefined ? undefined : bare(replyTo),
    isAutomatic: true,
  };
}

export async function composeMessage(draft: Draft): Promise<Buffer> {
  const subject = checkSubject(draft.subject);
  const [{ default: MailComposer }, { encodeWord }] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/mime-funcs'),
  ]);
  const html = draft.html === undefined ? undefined : breakLines(draft.html);
  const text = breakLines(draft.text ?? (await htmlToText(html ?? '')));
  const { messageId, from, replyTo, inReplyTo, references, bcc } = draft;
  const composer = new MailComposer({
    messageId,
    date: new Date(),
    to: [...draft.to],
    cc: [...draft.cc],
    ...defined({ from, replyTo, inReplyTo, html, bcc: bcc && [...bcc], references: references && [...references] }),
    headers: [
      { key: 'Subject', value: { prepared: true, foldLines: true, value: encodeHeader(subject, encodeWord) } },
      ...(draft.repeatsMessageId ? [{ key: repeatedMessageId, value: messageId }] : []),
      ...(draft.isAutomatic ? [{ key: 'Auto-Submitted', value: 'auto-generated' }] : []),
    ],
    text,
    attachments: draft.attachments.map((one) => ({ ...one, contentTransferEncoding: 'base64' as const })),
    // Quoted-printable can be read in the source, but takes a second for a long text that is not ASCII.
    textEncoding: /^[\x00-\x7f]*$/.test(`${text}${html ?? ''}`) ? 'quoted-printable' : 'base64',
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = composer.compile();
  message.keepBcc = bcc !== undefined;
  return new Promise((resolve, reject) => {
    message.build((error: Error | null, bytes?: Buffer) => (bytes ? resolve(bytes) : reject(error)));
  });
}

/** Throws `too_large`. */
export function checkSize({ length }: Buffer, most: number): void {
  if (length <= most) return;
  throw new HelveError('too_large', `The mail has ${length} bytes; at most ${most} may be sent`, {
    hint: 'Send fewer or smaller attachments, or a link to them.',
  });
}

const breakLines = (body: string): string => body.replace(/\r\n|\r|\n/g, '\r\n');

/** Also encodes what only looks encoded: `=?utf-8?q?=0d=0a?=` must arrive as those very characters. */
function encodeHeader(text: string, encodeWord: (text: string, encoding: 'B', most: number) => string): string {
  return /^[\x20-\x7e]*$/.test(text) && !text.includes('=?') && !/\S{60}/.test(text) ? text : encodeWord(text, 'B', 52);
}

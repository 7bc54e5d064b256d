/** Messages that Gmail sends or keeps as drafts: the input of callers, and Gmail's limits. */
import { z } from 'zod';
import { HelveError } from '../../../domain/errors.js';
import { htmlInput, type People } from '../../../util/mail/input.js';
import { composeMessage, type Draft, readAttachments, requireBodies } from '../../../util/mail/message.js';
import { readGivenAddresses } from './addresses.js';

/** The fields that sending, replying and drafting share. */
export const contentFields = {
  body: z.string().max(2_000_000).optional().describe('Text, or HTML if html is true'),
  html: htmlInput,
  attachments: z
    .array(
      z.strictObject({
        filename: z.string().min(1).max(200),
        content_base64: z.string().max(30_000_000),
        content_type: z.string().max(100).optional().describe('Default application/octet-stream'),
      }),
    )
    .max(20)
    .optional(),
};

const contentInput = z.strictObject(contentFields);
type ContentInput = z.infer<typeof contentInput>;

interface NewMessage extends ContentInput {
  readonly to?: People | undefined;
  readonly cc?: People | undefined;
  readonly bcc?: People | undefined;
  readonly reply_to?: string | undefined;
  readonly subject: string;
}

type Headers = Omit<Draft, 'text' | 'html' | 'attachments' | 'from'> & Required<Pick<Draft, 'bcc'>>;

/** Including attachments in base64. */
const mostBytes = 25 * 1_048_576;
const mostRecipients = 100;

export function composeNew(input: NewMessage, messageId: string): Promise<Buffer> {
  return compose(input, {
    messageId,
    to: readGivenAddresses('to', input.to),
    cc: readGivenAddresses('cc', input.cc),
    bcc: readGivenAddresses('bcc', input.bcc),
    replyTo: readGivenAddresses('reply_to', input.reply_to)[0],
    subject: input.subject,
  });
}

/**
 * There is no `From`: Gmail adds the account's own, with the name that its owner chose. `Bcc` is included, since Gmail
 * reads the recipients from the message and removes it before anybody sees it.
 */
export async function compose(content: ContentInput, headers: Headers): Promise<Buffer> {
  const count = headers.to.length + headers.cc.length + headers.bcc.length;
  if (count > mostRecipients) {
    throw new HelveError('invalid_input', `The message has ${count} recipients; at most ${mostRecipients} are allowed`);
  }
  const attachments = readAttachments(content.attachments);
  const bytes = await composeMessage({
    ...headers,
    ...requireBodies(content),
    attachments,
    repeatsMessageId: true,
  });
  if (bytes.length <= mostBytes) return bytes;
  throw new HelveError('too_large', `The message has ${bytes.length} bytes; Gmail accepts at most ${mostBytes}`, {
    hint: 'Send a link instead of the attachment.',
  });
}

import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { peopleInput } from '../../../../util/mail/input.js';
import { readHeader, readRawHeader } from '../../../../util/mail/reading/index.js';
import { scopes } from '../../scopes.js';
import { readGivenAddresses, readHeaderAddresses, uniqueAddresses } from '../addresses.js';
import { fetchMessage } from '../api.js';
import { compose, contentFields } from '../compose.js';
import { byMessageId, createMessageId, findMessage, sendBytes } from '../deliver.js';
import { chooseRecipients, fetchOriginal, fetchOwnAddress, replySubject, threadingHeaders } from '../reply.js';
import { common, gmailId, messageIdOutput } from './shared.js';

/** Subject, recipients and threading come from the original message, not from the caller. */
export const replyGmailMessage = defineTool({
  ...common,
  name: 'reply_gmail_message',
  title: 'Reply to a Gmail message',
  description:
    'Answer a message, or the last one of a thread, in its thread. Goes to its Reply-To or sender; with reply_all to all who got it, never to this account.',
  inputSchema: z.strictObject({
    message_id: gmailId.optional().describe('Either this'),
    thread_id: gmailId.optional().describe('or this'),
    reply_all: z.boolean().default(false),
    cc: peopleInput.optional().describe('In addition to those who get it anyway'),
    bcc: peopleInput.optional(),
    ...contentFields,
  }),
  outputSchema: z.strictObject({
    id: z.string(),
    thread_id: z.string(),
    message_id: messageIdOutput,
    to: z.array(z.string()),
    cc: z.array(z.string()),
    subject: z.string(),
  }),
  annotations: effects.creates,
  idempotency: byMessageId,
  scopes: [scopes.gmailRead, scopes.gmailSend],
  capabilities: ['reply message', 'send message', 'send email'],
  examples: [{ input: { message_id: '18c2f0a1b2c3d4e5', body: 'Thank you, that suits me.' } }],
  async execute(input, context) {
    const more = { cc: readGivenAddresses('cc', input.cc), bcc: readGivenAddresses('bcc', input.bcc) };
    const original = await fetchOriginal(context.service, input);
    const { to, cc } = chooseRecipients(original, await fetchOwnAddress(context), input.reply_all);
    const allCc = [...cc, ...uniqueAddresses(more.cc, [...to, ...cc])];
    const messageId = createMessageId(context);
    const subject = replySubject(original);
    const headers = { messageId, to, cc: allCc, bcc: more.bcc, subject, ...threadingHeaders(original) };
    const { id, threadId } = await sendBytes(context, await compose(input, headers), original.threadId);
    return {
      id,
      thread_id: threadId,
      message_id: messageId,
      to: to.map(({ address }) => address),
      cc: allCc.map(({ address }) => address),
      subject,
    };
  },
  async probe(_, context, startedAt) {
    const found = await findMessage(context, startedAt);
    if (!found) return undefined;
    // By now the reply itself is the last message of the thread, so its own header says who received it.
    const { payload } = await fetchMessage(context.service, found.id, 'metadata');
    const list = (name: string) => readHeaderAddresses(readRawHeader(payload, name)).map(({ address }) => address);
    return {
      id: found.id,
      thread_id: found.threadId,
      message_id: createMessageId(context),
      to: list('To'),
      cc: list('Cc'),
      subject: readHeader(payload, 'Subject') ?? '',
    };
  },
});

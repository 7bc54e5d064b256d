import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { scopes } from '../../scopes.js';
import { givenAddresses, uniqueAddresses } from '../addresses.js';
import { composeMessage } from '../compose.js';
import { addresses, contentFields } from '../content-input.js';
import { messageIdOf, sendBytes } from '../deliver.js';
import { answeredMessage, ownAddress, recipientsOf, replySubject, threadingOf } from '../reply.js';
import { common, gmailId } from './shared.js';

/** Subject, recipients and threading come from what is answered, not from the caller. */
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
    cc: addresses.optional().describe('Beside those who get it anyway'),
    bcc: addresses.optional(),
    ...contentFields,
  }),
  outputSchema: z.strictObject({
    id: z.string(),
    thread_id: z.string(),
    message_id: z.string().describe('The Message-ID header'),
    to: z.array(z.string()),
    cc: z.array(z.string()),
    subject: z.string(),
  }),
  annotations: effects.creates,
  scopes: [scopes.gmailRead, scopes.gmailSend],
  capabilities: ['reply message', 'send message', 'send email'],
  examples: [{ input: { message_id: '18c2f0a1b2c3d4e5', body: 'Thank you, that suits me.' } }],
  async execute(input, context) {
    const more = { cc: givenAddresses('cc', input.cc), bcc: givenAddresses('bcc', input.bcc) };
    const original = await answeredMessage(context.service, input);
    const { to, cc } = recipientsOf(original, await ownAddress(context), input.reply_all);
    const allCc = [...cc, ...uniqueAddresses(more.cc, [...to, ...cc])];
    const messageId = messageIdOf(context);
    const subject = replySubject(original);
    const bytes = await composeMessage({
      messageId,
      to,
      cc: allCc,
      bcc: more.bcc,
      subject,
      content: input,
      ...threadingOf(original),
    });
    const { id, threadId } = await sendBytes(context, bytes, original.threadId);
    return {
      id,
      thread_id: threadId,
      message_id: messageId,
      to: to.map(({ address }) => address),
      cc: allCc.map(({ address }) => address),
      subject,
    };
  },
});

import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { scopes } from '../../scopes.js';
import { givenAddresses } from '../addresses.js';
import { composeMessage } from '../compose.js';
import { addresses, contentFields } from '../content-input.js';
import { messageIdOf, sendBytes } from '../deliver.js';
import { common } from './shared.js';

/** The Message-ID belongs to the execution, so that a message whose fate is unknown can be looked up. */
export const sendGmailMessage = defineTool({
  ...common,
  name: 'send_gmail_message',
  title: 'Send a Gmail message',
  description: 'Send a new mail from this Gmail account. To answer one, use reply_gmail_message.',
  inputSchema: z.strictObject({
    to: addresses.describe('name@example.com or Name <name@example.com>; several as an array'),
    cc: addresses.optional(),
    bcc: addresses.optional(),
    reply_to: z.string().max(400).optional(),
    subject: z.string().max(900),
    ...contentFields,
  }),
  outputSchema: z.strictObject({
    id: z.string(),
    thread_id: z.string(),
    message_id: z.string().describe('The Message-ID header'),
  }),
  annotations: effects.creates,
  scopes: [scopes.gmailSend],
  capabilities: ['send message', 'send email'],
  examples: [{ input: { to: 'ada@example.com', subject: 'Report', body: 'It is ready.' } }],
  async execute(input, context) {
    const messageId = messageIdOf(context);
    const bytes = await composeMessage({
      messageId,
      to: givenAddresses('to', input.to),
      cc: givenAddresses('cc', input.cc),
      bcc: givenAddresses('bcc', input.bcc),
      replyTo: givenAddresses('reply_to', input.reply_to)[0],
      subject: input.subject,
      content: input,
    });
    const { id, threadId } = await sendBytes(context, bytes);
    return { id, thread_id: threadId, message_id: messageId };
  },
});

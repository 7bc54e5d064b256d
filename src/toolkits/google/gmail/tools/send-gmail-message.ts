import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { peopleInput } from '../../../../util/mail/input.js';
import { scopes } from '../../scopes.js';
import { composeNew, contentFields } from '../compose.js';
import { byMessageId, createMessageId, findMessage, sendBytes } from '../deliver.js';
import { common, messageIdOutput } from './shared.js';

/** The Message-ID follows from the key of the effect, so that a message whose outcome is unknown can be looked up. */
export const sendGmailMessage = defineTool({
  ...common,
  name: 'send_gmail_message',
  title: 'Send a Gmail message',
  description: 'Send a new mail from this Gmail account. To answer one, use reply_gmail_message.',
  inputSchema: z.strictObject({
    to: peopleInput.describe('name@example.com or Name <name@example.com>; several as an array'),
    cc: peopleInput.optional(),
    bcc: peopleInput.optional(),
    reply_to: z.string().max(400).optional(),
    subject: z.string().max(900),
    ...contentFields,
  }),
  outputSchema: z.strictObject({
    id: z.string(),
    thread_id: z.string(),
    message_id: messageIdOutput,
  }),
  annotations: effects.creates,
  idempotency: byMessageId,
  scopes: [scopes.gmailSend],
  capabilities: ['send message', 'send email'],
  examples: [{ input: { to: 'ada@example.com', subject: 'Report', body: 'It is ready.' } }],
  async execute(input, context) {
    const messageId = createMessageId(context);
    const { id, threadId } = await sendBytes(context, await composeNew(input, messageId));
    return { id, thread_id: threadId, message_id: messageId };
  },
  async probe(_, context, startedAt) {
    const found = await findMessage(context, startedAt);
    return found && { id: found.id, thread_id: found.threadId, message_id: createMessageId(context) };
  },
});

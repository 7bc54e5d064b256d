import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { readRecipients } from '../../../util/mail/addresses.js';
import { attachmentsInput, htmlInput, peopleInput } from '../../../util/mail/input.js';
import {
  checkSize,
  composeMessage,
  readAttachments,
  requireBodies,
  toAutomaticHeaders,
} from '../../../util/mail/message.js';
import { sendMail } from '../../../util/mail/smtp.js';
import { accountEndpoints, readMailbox } from '../mailbox.js';
import { allowedEndpoints, smtpSettings } from '../settings.js';

const mostRecipients = 100;

/** Everything that could refuse the mail is checked before a socket is opened. */
export const sendSmtpEmail = defineTool({
  name: 'send_smtp_email',
  title: 'Send an email',
  description: 'Send one mail from the connected mailbox, as text, HTML or both, with attachments.',
  searchWords: 'mail message write to somebody notify tell inform let know letter recipient subject attachment mailbox',
  inputSchema: z.strictObject({
    to: peopleInput.describe('Who gets it: addresses; names are not put into the mail'),
    cc: peopleInput.optional(),
    bcc: peopleInput.optional().describe('Recipients that the others do not see'),
    subject: z.string().min(1).max(500).describe('One line'),
    body: z.string().min(1).max(1_000_000).optional().describe('Text, or HTML if html is true'),
    html: htmlInput,
    reply_to: z.string().min(1).max(320).optional().describe('Where answers go. Default: the sender'),
    attachments: attachmentsInput,
  }),
  inputAliases: { text: 'body' },
  outputSchema: z.strictObject({
    message_id: z.string(),
    from: z.string(),
    accepted: z.array(z.string()).describe('Recipients that the mail server accepted'),
    rejected: z.array(z.string()).describe('Recipients that the mail server refused; the others get the mail'),
  }),
  settingsSchema: smtpSettings,
  annotations: effects.creates,
  idempotency: {
    by: 'ask',
    how: 'A mail server accepts the same mail again, and cannot be asked whether it accepted one',
  },
  capabilities: ['send email', 'send mail'],
  examples: [{ input: { to: 'team@example.com', subject: 'Report ready', body: 'Your daily report is ready.' } }],
  timeoutMs: 120_000,
  endpoints: allowedEndpoints,
  accountEndpoints,
  async execute(input, context) {
    const { settings, effectKey } = context;
    const recipients = readRecipients(input);
    const count = recipients.envelope.length;
    if (count > mostRecipients) {
      throw new HelveError('invalid_input', `The mail has ${count} recipients; at most ${mostRecipients} are allowed`);
    }
    const { server, from } = await readMailbox(context.connection, settings);
    // The key of the effect, by which two copies can be recognised as one mail.
    const messageId = `<${effectKey}@${from.domain}>`;
    const bytes = await composeMessage({
      ...toAutomaticHeaders(from, recipients),
      ...requireBodies(input),
      messageId,
      subject: input.subject,
      attachments: readAttachments(input.attachments),
    });
    checkSize(bytes, settings.max_bytes);
    const delivery = await sendMail({ messageId, from, recipients: recipients.envelope, bytes }, server, context);
    return { message_id: messageId, from: from.address, ...delivery };
  },
});

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { readPeople } from '../../../util/mail-input.js';
import { recipientsOf } from '../addresses.js';
import { deliver } from '../delivery.js';
import { accountEndpoints, mailboxOf } from '../mailbox.js';
import { composeMessage, mailInput } from '../message.js';
import { allowedEndpoints, smtpSettings } from '../settings.js';

/** Whatever could refuse the mail comes before a socket is opened. */
export const sendSmtpEmail = defineTool({
  name: 'send_smtp_email',
  title: 'Send an email',
  description: 'Send one mail from the connected mailbox, as text, HTML or both, with attachments.',
  inputSchema: mailInput,
  inputAliases: { text: 'body' },
  outputSchema: z.strictObject({
    message_id: z.string(),
    from: z.string(),
    accepted: z.array(z.string()).describe('Recipients that the mail server took'),
    rejected: z.array(z.string()).describe('Recipients that the mail server refused; the others get the mail'),
  }),
  settingsSchema: smtpSettings,
  annotations: effects.creates,
  capabilities: ['send email', 'send mail'],
  examples: [{ input: { to: 'team@example.com', subject: 'Report ready', body: 'Your daily report is ready.' } }],
  timeoutMs: 120_000,
  endpoints: allowedEndpoints,
  accountEndpoints,
  async execute(input, context) {
    const { settings, executionId } = context;
    const [to, cc, bcc] = [input.to, input.cc, input.bcc].map((people) => readPeople(people, false));
    const recipients = recipientsOf({ to, cc, bcc, reply_to: input.reply_to });
    const mailbox = await mailboxOf(context.connection, settings);
    // Of the execution, so that whoever sees two copies sees that they are one.
    const messageId = `<${executionId}@${mailbox.from.domain}>`;
    const bytes = await composeMessage(input, { from: mailbox.from, recipients, messageId });
    if (bytes.length > settings.max_bytes) {
      const message = `The mail has ${bytes.length} bytes; at most ${settings.max_bytes} may be sent`;
      throw new HelveError('too_large', message, { hint: 'Send fewer or smaller attachments, or a link to them.' });
    }
    const mail = { messageId, recipients: recipients.envelope, bytes };
    const { accepted, rejected } = await deliver({ mail, mailbox, settings }, context);
    return { message_id: messageId, from: mailbox.from.address, accepted: [...accepted], rejected: [...rejected] };
  },
});

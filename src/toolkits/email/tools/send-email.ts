import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { readPeople } from '../../../util/mail-input.js';
import { allowedRecipients } from '../addresses.js';
import { contentOf } from '../content.js';
import { deliver, endpointOf } from '../delivery.js';
import { admitThisHour } from '../hourly-limit.js';
import { attachmentsOf, composeMessage } from '../message.js';
import { serverOf } from '../server.js';
import {
  type EmailConfig,
  type EmailInput,
  type EmailSettings,
  emailConfig,
  emailInput,
  emailSettings,
} from '../shapes.js';

/** Whatever could refuse the mail comes before a place in the hour is taken or a socket opened. */
export const sendEmail = defineTool({
  name: 'send_email',
  title: 'Send an email',
  description:
    'Send one mail, as text or HTML, to allowed recipients. All of them must be allowed, or nothing is sent.',
  inputSchema: emailInput,
  inputAliases: { text: 'body' },
  outputSchema: z.strictObject({
    message_id: z.string(),
    accepted: z.array(z.string()).describe('Recipients that the mail server took'),
    rejected: z.array(z.string()).describe('Recipients that the mail server refused; the others get the mail'),
  }),
  configSchema: emailConfig,
  settingsSchema: emailSettings,
  annotations: effects.creates,
  capabilities: ['send email', 'send notification'],
  examples: [
    { input: { to: 'team@example.com', subject: 'Report ready', body: 'Your daily report is ready.' } },
    {
      input: {
        to: 'team@example.com',
        subject: 'Report',
        body: 'Your daily report is attached.',
        attachments: [{ filename: 'report.txt', content_base64: 'QWxsIHdlbGwu', content_type: 'text/plain' }],
      },
    },
  ],
  timeoutMs: 120_000,
  endpoints: ({ smtp }) => (smtp === undefined ? [] : [endpointOf(smtp)]),
  check(input, { config, settings }) {
    readMail(input, config, settings);
  },
  async execute(input, context) {
    const { config, settings, executionId } = context;
    const { recipients, content, attachments, smtp, from } = readMail(input, config, settings);
    // Of the execution, so that whoever sees two copies sees that they are one.
    const messageId = `<${executionId}@${from.domain}>`;
    const bytes = await composeMessage({ messageId, from, recipients, content, attachments });
    if (bytes.length > config.max_bytes) {
      throw new HelveError('too_large', `The mail has ${bytes.length} bytes; at most ${config.max_bytes} may be sent`);
    }
    await admitThisHour(config.max_per_hour, context);
    const envelope = { from: from.address, to: recipients.envelope };
    const { accepted, rejected } = await deliver({ messageId, envelope, bytes, ourName: from.domain }, smtp, context);
    return { message_id: messageId, accepted: [...accepted], rejected: [...rejected] };
  },
});

/** What is to be sent, to whom and by which server; throws for what cannot be sent. */
function readMail(input: EmailInput, config: EmailConfig, settings: EmailSettings) {
  const [to = [], cc, bcc] = [input.to, input.cc, input.bcc].map((people) => readPeople(people, false));
  return {
    recipients: allowedRecipients({ to, cc, bcc, reply_to: input.reply_to }, config),
    content: contentOf(input, config, settings),
    attachments: attachmentsOf(input, config),
    ...serverOf(settings),
  };
}

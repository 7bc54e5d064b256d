import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { checkSize, composeMessage, readAttachments, toAutomaticHeaders } from '../../../util/mail/message.js';
import { sendMail } from '../../../util/mail/smtp.js';
import { readContent } from '../content.js';
import { admitThisHour } from '../hourly-limit.js';
import { readAllowedRecipients } from '../recipients.js';
import { readServer, toEndpoint } from '../server.js';
import {
  type EmailConfig,
  type EmailInput,
  type EmailSettings,
  emailConfig,
  emailInput,
  emailSettings,
} from '../shapes.js';

/**
 * Everything that could refuse the mail is checked before the mail counts towards the hourly limit and before a socket
 * is opened.
 */
export const sendEmail = defineTool({
  name: 'send_email',
  title: 'Send an email',
  description:
    'Send one mail, as text or HTML, to allowed recipients. All of them must be allowed, or nothing is sent.',
  searchWords: 'mail message write to somebody notify tell inform let know letter recipient subject attachment post',
  inputSchema: emailInput,
  inputAliases: { text: 'body' },
  outputSchema: z.strictObject({
    message_id: z.string(),
    accepted: z.array(z.string()).describe('Recipients that the mail server accepted'),
    rejected: z.array(z.string()).describe('Recipients that the mail server refused; the others get the mail'),
  }),
  configSchema: emailConfig,
  settingsSchema: emailSettings,
  annotations: effects.creates,
  idempotency: {
    by: 'ask',
    how: 'A mail server accepts the same mail again, and cannot be asked whether it accepted one',
  },
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
  endpoints: ({ smtp }) => (smtp === undefined ? [] : [toEndpoint(smtp)]),
  check(input, { config, settings }) {
    readMail(input, config, settings);
  },
  async execute(input, context) {
    const { config, settings, effectKey } = context;
    const { recipients, content, attachments, server, from } = readMail(input, config, settings);
    // The key of the effect, by which two copies can be recognised as one mail.
    const messageId = `<${effectKey}@${from.domain}>`;
    const bytes = await composeMessage({ ...toAutomaticHeaders(from, recipients), ...content, messageId, attachments });
    checkSize(bytes, config.max_bytes);
    await admitThisHour(config.max_per_hour, context);
    const delivery = await sendMail({ messageId, from, recipients: recipients.envelope, bytes }, server, context);
    return { message_id: messageId, ...delivery };
  },
});

/** Returns the mail, its recipients and its server. Throws if it cannot be sent. */
function readMail(input: EmailInput, config: EmailConfig, settings: EmailSettings) {
  const count = input.attachments?.length ?? 0;
  const recipients = readAllowedRecipients(input, config);
  const content = readContent(input, config, settings);
  if (count > config.max_attachments) {
    const message = `The mail has ${count} attachments; at most ${config.max_attachments} are allowed`;
    throw new HelveError('forbidden', message);
  }
  return { recipients, content, attachments: readAttachments(input.attachments), ...readServer(settings) };
}

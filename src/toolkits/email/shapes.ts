/** The input of the tool, and what the operator sets: per agent in `tool_config`, for all in `toolkits.email`. */
import { z } from 'zod';
import { recipientPattern, senderPattern } from '../../util/mail/addresses.js';
import { attachmentsInput, htmlInput, peopleInput } from '../../util/mail/input.js';

const address = z.string().min(1).max(320);
const variableName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

export const emailInput = z.strictObject({
  to: peopleInput.describe('Who gets it: addresses; names are not put into the mail'),
  subject: z.string().max(500).optional().describe('One line; needed unless template is given'),
  body: z.string().max(1_000_000).optional().describe('Text, or HTML if html is true; needed unless template is given'),
  html: htmlInput,
  cc: peopleInput.optional(),
  bcc: peopleInput.optional().describe('Recipients that the others do not see'),
  reply_to: address.optional().describe('Where answers go; must be an allowed recipient too'),
  attachments: attachmentsInput,
  template: z
    .string()
    .max(64)
    .optional()
    .describe("Name of one of the operator's templates, in place of subject and body"),
  variables: z
    .record(z.string().regex(variableName), z.union([z.string().max(100_000), z.number(), z.boolean()]))
    .optional()
    .describe('Values for the template'),
});

export const emailConfig = z.strictObject({
  allowed_recipients: z
    .array(z.string().max(320).regex(recipientPattern))
    .default([])
    .describe('team@example.com, or *@example.com for every mailbox of exactly that domain. None: nobody'),
  max_recipients: z.int().min(1).max(100).default(20).describe('Of one mail'),
  templates_only: z.boolean().default(false).describe('Whether a subject and body of its own are refused'),
  allowed_templates: z.array(z.string()).optional().describe('Default: all'),
  max_attachments: z.int().min(0).max(20).default(10),
  max_bytes: z.int().positive().max(52_428_800).default(10_485_760).describe('Of a mail as it is sent'),
  max_per_hour: z.int().min(1).max(900).default(60).describe('Mails by one agent within a clock hour'),
});

const smtp = z.strictObject({
  host: z.string().min(1),
  port: z.int().min(1).max(65_535).optional().describe('Default: 587, 465 with tls, 25 with none'),
  secure: z
    .enum(['none', 'starttls', 'tls'])
    .default('starttls')
    .describe('With starttls, encryption is required, not only attempted'),
  user: z.string().min(1).optional(),
  password: z.string().min(1).optional(),
  from: z.string().max(320).regex(senderPattern).describe('address, or Name <address>'),
  ca: z.string().optional().describe('PEM of the authority that signed a private server'),
  timeout_seconds: z.int().min(1).max(100).default(60).describe('For one mail, from the connection to the answer'),
});

export const emailSettings = z.strictObject({
  smtp: smtp.optional(),
  templates: z
    .record(
      z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
      z.strictObject({ subject: z.string().min(1), body: z.string().min(1), html: z.boolean().default(false) }),
    )
    .default({})
    .describe('{{name}} in subject and body is replaced by that variable'),
});

export type EmailInput = z.infer<typeof emailInput>;
export type EmailConfig = z.infer<typeof emailConfig>;
export type EmailSettings = z.infer<typeof emailSettings>;
export type SmtpSettings = z.infer<typeof smtp>;

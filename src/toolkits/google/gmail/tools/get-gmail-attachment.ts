import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { HelveError } from '../../../../domain/errors.js';
import { defineTool } from '../../../../domain/tool.js';
import { scopes } from '../../scopes.js';
import { fetchAttachment } from '../api.js';
import { common, gmailId } from './shared.js';

export const getGmailAttachment = defineTool({
  ...common,
  name: 'get_gmail_attachment',
  title: 'Get a Gmail attachment',
  description: 'Read one attachment of a message, as base64 or, if it is UTF-8 text, as text.',
  inputSchema: z.strictObject({
    message_id: gmailId,
    attachment_id: z.string().min(1).max(2_000).describe('From attachments of get_gmail_message'),
    as: z.enum(['base64', 'text']).default('base64'),
  }),
  outputSchema: z.strictObject({
    size: z.number().describe('Bytes'),
    content_base64: z.string().optional(),
    text: z.string().optional(),
  }),
  annotations: effects.reads,
  scopes: [scopes.gmailRead],
  capabilities: ['get attachment', 'read attachment'],
  examples: [{ input: { message_id: '18c2f0a1b2c3d4e5', attachment_id: 'ANGjdJ9x' } }],
  timeoutMs: 120_000,
  async execute(input, { service }) {
    const bytes = Buffer.from(await fetchAttachment(service, input.message_id, input.attachment_id), 'base64url');
    if (input.as === 'base64') return { size: bytes.length, content_base64: bytes.toString('base64') };
    try {
      return { size: bytes.length, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
    } catch (cause) {
      throw new HelveError('invalid_input', 'as: the attachment is not UTF-8 text', {
        hint: 'Ask for it with as = base64.',
        cause,
      });
    }
  },
});

import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { peopleInput } from '../../../../util/mail/input.js';
import { scopes } from '../../scopes.js';
import type { GmailMessage } from '../api.js';
import { composeNew, contentFields } from '../compose.js';
import { byMessageId, createMessageId, draftBytes, findDraft } from '../deliver.js';
import { common } from './shared.js';

/** Recipients may still be missing: a person completes it. */
export const createGmailDraft = defineTool({
  ...common,
  name: 'create_gmail_draft',
  title: 'Create a Gmail draft',
  description: 'Put a new mail into the drafts, for a person to look over and send. Nothing is sent.',
  inputSchema: z.strictObject({
    to: peopleInput.optional(),
    cc: peopleInput.optional(),
    bcc: peopleInput.optional(),
    reply_to: z.string().max(400).optional(),
    subject: z.string().max(900).default(''),
    ...contentFields,
  }),
  outputSchema: z.strictObject({
    draft_id: z.string(),
    id: z.string().optional().describe("Of the draft's message"),
    thread_id: z.string().optional(),
  }),
  annotations: effects.creates,
  idempotency: byMessageId,
  scopes: [scopes.gmailCompose],
  capabilities: ['create draft'],
  examples: [{ input: { to: ['ada@example.com'], subject: 'Offer', body: 'Dear Ada, …' } }],
  async execute(input, context) {
    const bytes = await composeNew(input, createMessageId(context));
    return describeDraft(await draftBytes(context, bytes));
  },
  async probe(_, context, startedAt) {
    const found = await findDraft(context, startedAt);
    return found && describeDraft(found);
  },
});

const describeDraft = ({ id, message }: { id: string; message?: Pick<GmailMessage, 'id' | 'threadId'> }) => ({
  draft_id: id,
  ...defined({ id: message?.id, thread_id: message?.threadId }),
});

import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { nextPageToken, pageToken } from '../../fields.js';
import { scopes } from '../../scopes.js';
import { mailbox } from '../api.js';
import { fetchLabelNames, findLabelIds } from '../labels.js';
import { fetchMessageRows, messageRecord } from '../rows.js';
import { common, labelsInput } from './shared.js';

interface Answer {
  readonly messages?: readonly { readonly id: string; readonly threadId: string }[];
  readonly nextPageToken?: string;
  readonly resultSizeEstimate?: number;
}

/** Gmail lists only ids; the headers are fetched, a few at a time. */
export const listGmailMessages = defineTool({
  ...common,
  name: 'list_gmail_messages',
  title: 'List Gmail messages',
  description: 'List messages, newest first, that match a search or labels. Bodies come with get_gmail_message.',
  inputSchema: z.strictObject({
    query: z
      .string()
      .max(2_000)
      .optional()
      .describe("As in Gmail's search box: from:ada is:unread newer_than:7d has:attachment"),
    labels: labelsInput.optional().describe('Names or ids of labels that a message must all have'),
    include_spam_trash: z.boolean().default(false),
    max_results: z.int().min(1).max(100).default(20),
    page_token: pageToken,
  }),
  outputSchema: z.strictObject({
    messages: z.array(messageRecord.shape),
    next_page_token: nextPageToken,
    estimated_total: z.number().optional(),
  }),
  annotations: effects.reads,
  scopes: [scopes.gmailRead],
  capabilities: ['list messages', 'search messages', 'search email'],
  examples: [{ input: { query: 'is:unread newer_than:2d' } }],
  async execute(input, { service }) {
    const ids = input.labels && (await findLabelIds(service, input.labels, 'labels'));
    const { messages = [], ...page } = await service.json<Answer>({
      path: `${mailbox}/messages`,
      query: {
        q: input.query,
        labelIds: ids,
        includeSpamTrash: input.include_spam_trash || undefined,
        maxResults: input.max_results,
        pageToken: input.page_token,
      },
    });
    return {
      messages: await fetchMessageRows(service, messages, (found) => fetchLabelNames(service, found)),
      ...defined({ next_page_token: page.nextPageToken, estimated_total: page.resultSizeEstimate }),
    };
  },
});

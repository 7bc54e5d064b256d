import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { nextPageToken, pageToken } from '../../fields.js';
import { scopes } from '../../scopes.js';
import { type GmailMessage, mailbox } from '../api.js';
import { fetchMessageRows, messageRecord } from '../rows.js';
import { common } from './shared.js';

interface Answer {
  readonly drafts?: readonly { readonly id: string; readonly message?: Pick<GmailMessage, 'id' | 'threadId'> }[];
  readonly nextPageToken?: string;
}

/** Gmail lists only ids; the headers are fetched, a few at a time. */
export const listDrafts = defineTool({
  ...common,
  name: 'list_drafts',
  title: 'List Gmail drafts',
  description: 'List the drafts of this account, newest first.',
  inputSchema: z.strictObject({
    query: z.string().max(2_000).optional().describe("As in Gmail's search box"),
    max_results: z.int().min(1).max(100).default(20),
    page_token: pageToken,
  }),
  outputSchema: z.strictObject({
    drafts: z.array(messageRecord.shape.extend({ draft_id: z.string() }).describe('id is that of its message')),
    next_page_token: nextPageToken,
  }),
  annotations: effects.reads,
  scopes: [scopes.gmailRead],
  capabilities: ['list drafts'],
  examples: [{ input: {} }],
  async execute(input, { service }) {
    const { drafts = [], nextPageToken } = await service.json<Answer>({
      path: `${mailbox}/drafts`,
      query: { q: input.query, maxResults: input.max_results, pageToken: input.page_token },
    });
    const messages = drafts.flatMap(({ message }) => (message ? [message] : []));
    const draftIds = new Map(drafts.map(({ id, message }) => [message?.id, id]));
    const rows = await fetchMessageRows(service, messages, async () => new Map());
    return {
      drafts: rows.map((row) => ({ draft_id: draftIds.get(row.id) ?? '', ...row })),
      ...defined({ next_page_token: nextPageToken }),
    };
  },
});

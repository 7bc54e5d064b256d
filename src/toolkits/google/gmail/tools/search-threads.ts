import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { fetchRows } from '../../rows.js';
import { scopes } from '../../scopes.js';
import { fetchThread, type GmailThread, mailbox } from '../api.js';
import { headerOf } from '../headers.js';
import { type LabelNames, labelNamesFor } from '../labels.js';
import { dateOf, messagesOf, plainSnippet } from '../rows.js';
import { common, nextPage, pageFields } from './shared.js';

interface Answer {
  readonly threads?: readonly { readonly id: string; readonly snippet?: string }[];
  readonly nextPageToken?: string;
  readonly resultSizeEstimate?: number;
}

const threadRow = z.strictObject({
  id: z.string(),
  subject: z.string().optional(),
  participants: z.array(z.string()).optional().describe('Who wrote'),
  message_count: z.number().optional(),
  last_date: z.string().optional(),
  snippet: z.string().optional().describe('Of the last message'),
  labels: z.array(z.string()).optional().describe('Names, of any of its messages'),
  error: z.string().optional().describe('Why this one could not be read'),
});

/** One row a conversation; who wrote and how it began comes from the headers of its messages. */
export const searchThreads = defineTool({
  ...common,
  name: 'search_threads',
  title: 'Search Gmail threads',
  description: 'Search conversations, newest first. What is in them comes with get_thread.',
  inputSchema: z.strictObject({
    query: z.string().max(2_000).describe("As in Gmail's search box: subject:invoice from:ada after:2026/01/31"),
    include_spam_trash: z.boolean().default(false),
    max_results: z.int().min(1).max(50).default(20),
    ...pageFields,
  }),
  outputSchema: z.strictObject({
    threads: z.array(threadRow),
    ...nextPage,
    estimated_total: z.number().optional(),
  }),
  annotations: effects.reads,
  scopes: [scopes.gmailRead],
  capabilities: ['search threads', 'search conversations', 'search email'],
  examples: [{ input: { query: 'subject:invoice newer_than:30d' } }],
  async execute(input, { service }) {
    const { threads = [], ...page } = await service.json<Answer>({
      path: `${mailbox}/threads`,
      query: {
        q: input.query,
        includeSpamTrash: input.include_spam_trash || undefined,
        maxResults: input.max_results,
        pageToken: input.page_token,
      },
    });
    const fetched = await fetchRows<{ id: string }, GmailThread | { failed: z.infer<typeof threadRow> }>(
      threads,
      ({ id }) => fetchThread(service, id, 'metadata'),
      ({ id }, error) => ({ failed: { id, error } }),
    );
    const found = fetched.filter((one): one is GmailThread => 'id' in one);
    const labels = await labelNamesFor(
      service,
      found.flatMap((thread) => thread.messages ?? []),
    );
    return {
      threads: fetched.map((one) => ('failed' in one ? one.failed : rowOf(one, labels))),
      ...defined({ next_page_token: page.nextPageToken, estimated_total: page.resultSizeEstimate }),
    };
  },
});

function rowOf(thread: GmailThread, labels: LabelNames): z.infer<typeof threadRow> {
  const messages = messagesOf(thread);
  const last = messages.at(-1);
  const writers = messages.map(({ payload }) => headerOf(payload, 'From')).filter((one) => one !== undefined);
  return defined({
    id: thread.id,
    subject: headerOf(messages[0]?.payload, 'Subject'),
    participants: [...new Set(writers)],
    message_count: messages.length,
    last_date: last && dateOf(last),
    snippet: last?.snippet === undefined ? undefined : plainSnippet(last.snippet),
    labels: [...new Set(messages.flatMap(({ labelIds = [] }) => labelIds))].map((id) => labels.get(id) ?? id),
  });
}

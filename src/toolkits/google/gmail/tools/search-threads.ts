import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { readHeader } from '../../../../util/mail/reading/index.js';
import { computed, defineRecord, from } from '../../../../util/record.js';
import { nextPageToken, pageToken } from '../../fields.js';
import { fetchRows } from '../../rows.js';
import { scopes } from '../../scopes.js';
import { fetchThread, type GmailMessage, type GmailThread, mailbox } from '../api.js';
import { fetchLabelNames, nameLabels } from '../labels.js';
import { readDate, sortMessages, unescapeSnippet } from '../rows.js';
import { common } from './shared.js';

interface Answer {
  readonly threads?: readonly { readonly id: string; readonly snippet?: string }[];
  readonly nextPageToken?: string;
  readonly resultSizeEstimate?: number;
}

interface Thread extends GmailThread {
  readonly error?: string;
}

const threadRecord = defineRecord({
  id: z.string(),
  subject: computed(z.string().optional(), ({ messages: [first] = [] }: Thread) =>
    readHeader(first?.payload, 'Subject'),
  ),
  participants: from('messages', z.array(z.string()).optional().describe('Who wrote'), (messages: GmailMessage[]) => [
    ...new Set(messages.flatMap(({ payload }) => readHeader(payload, 'From') ?? [])),
  ]),
  message_count: from('messages', z.number().optional(), ({ length }: GmailMessage[]) => length),
  last_date: computed(z.string().optional(), ({ messages = [] }: Thread) => readDate(messages.at(-1) ?? {})),
  snippet: computed(z.string().optional().describe('Of the last message'), ({ messages = [] }: Thread) =>
    unescapeSnippet(messages.at(-1)?.snippet),
  ),
  labels: z.array(z.string()).optional().describe('Names, of any of its messages'),
  error: z.string().optional().describe('Why this one could not be read'),
});

/** One row per conversation; who wrote and how it began comes from the headers of its messages. */
export const searchThreads = defineTool({
  ...common,
  name: 'search_threads',
  title: 'Search Gmail threads',
  description: 'Search conversations, newest first. What is in them comes with get_thread.',
  inputSchema: z.strictObject({
    query: z.string().max(2_000).describe("As in Gmail's search box: subject:invoice from:ada after:2026/01/31"),
    include_spam_trash: z.boolean().default(false),
    max_results: z.int().min(1).max(50).default(20),
    page_token: pageToken,
  }),
  outputSchema: z.strictObject({
    threads: z.array(threadRecord.shape),
    next_page_token: nextPageToken,
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
    const found = await fetchRows<{ id: string }, Thread>(
      threads,
      async ({ id }) => {
        const thread = await fetchThread(service, id, 'metadata');
        return { id: thread.id, messages: sortMessages(thread) };
      },
      ({ id }, error) => ({ id, error }),
    );
    const names = await fetchLabelNames(
      service,
      found.flatMap(({ messages = [] }) => messages),
    );
    return {
      threads: found.map((thread) =>
        threadRecord.read({ ...thread, labels: thread.messages && nameLabels(thread.messages, names) }),
      ),
      ...defined({ next_page_token: page.nextPageToken, estimated_total: page.resultSizeEstimate }),
    };
  },
});

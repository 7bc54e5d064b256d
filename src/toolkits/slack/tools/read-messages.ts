/** Tools that read messages. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { computed, defineRecord, from } from '../../../util/record.js';
import { get, nextCursor, nextPage, type Paged } from '../api.js';
import { resolveChannel } from '../channels.js';
import { defineSlackTool } from '../define-tool.js';
import { channel, cursor, limit, next_cursor, next_page, paging, ts } from '../inputs.js';
import { messageRecord } from '../shapes/message.js';

const span = {
  oldest: ts.optional().describe('Only messages after this ts; seconds since 1970 also work: 1767225600.0'),
  latest: ts.optional().describe('Only messages before this ts'),
  inclusive: z.boolean().optional().describe('With oldest or latest: those too'),
  limit: limit(200),
  cursor,
};
const page = z.strictObject({
  channel: z.string().describe('Id'),
  messages: z.array(messageRecord.shape),
  next_cursor,
});

interface MessageList extends Paged {
  readonly messages: readonly object[];
}

const toPage = (channelId: string, list: MessageList): z.input<typeof page> => ({
  channel: channelId,
  messages: list.messages.map(messageRecord.read),
  next_cursor: nextCursor(list),
});

export const listMessages = defineSlackTool({
  name: 'list_messages',
  title: 'List messages',
  description: 'The messages of a channel, newest first, without the replies of threads (get_thread has them).',
  inputSchema: z.strictObject({ channel, ...span }),
  outputSchema: page,
  annotations: effects.reads,
  scopes: ['channels:history'],
  capabilities: ['list messages', 'read channel'],
  async execute(input, { service }) {
    const channelId = await resolveChannel(service, input.channel);
    const list = await get<MessageList>(service, 'conversations.history', { ...input, channel: channelId });
    return toPage(channelId, list);
  },
});

export const getThread = defineSlackTool({
  name: 'get_thread',
  title: 'Get a thread',
  description: 'A message and the replies to it, oldest first.',
  inputSchema: z.strictObject({ channel, ts: ts.describe('Of the first message of the thread'), ...span }),
  outputSchema: page,
  annotations: effects.reads,
  scopes: ['channels:history'],
  capabilities: ['get thread', 'list replies'],
  async execute(input, { service }) {
    const channelId = await resolveChannel(service, input.channel);
    const list = await get<MessageList>(service, 'conversations.replies', { ...input, channel: channelId });
    return toPage(channelId, list);
  },
});

export const getPermalink = defineSlackTool({
  name: 'get_permalink',
  title: 'Get the link to a message',
  description: 'An address that people can open.',
  inputSchema: z.strictObject({ channel, ts }),
  outputSchema: z.strictObject({ channel: z.string(), permalink: z.string() }),
  annotations: effects.reads,
  capabilities: ['get permalink', 'link message'],
  async execute(input, { service }) {
    const channelId = await resolveChannel(service, input.channel);
    const found = await get<{ permalink: string }>(service, 'chat.getPermalink', {
      channel: channelId,
      message_ts: input.ts,
    });
    return { channel: channelId, permalink: found.permalink };
  },
});

const matchRecord = defineRecord({
  channel: from('channel.id', z.string().optional().describe('Id')),
  channel_name: from('channel.name', z.string().optional()),
  permalink: z.string().optional(),
  message: computed(messageRecord.shape, messageRecord.read),
});

interface Matches {
  readonly messages: {
    readonly total?: number;
    readonly matches: readonly object[];
    readonly paging?: { readonly page?: number; readonly pages?: number };
  };
}

export const searchMessages = defineSlackTool({
  name: 'search_messages',
  title: 'Search messages',
  description: 'Find messages by words. Works only for an account that is connected with a user token (search:read).',
  inputSchema: z.strictObject({
    query: z.string().min(1).max(500).describe('Words and modifiers: release in:#general from:@ada after:2026-01-01'),
    sort: z.enum(['score', 'timestamp']).default('score'),
    sort_dir: z.enum(['asc', 'desc']).default('desc'),
    ...paging,
  }),
  outputSchema: z.strictObject({
    total: z.int().optional(),
    matches: z.array(matchRecord.shape),
    next_page,
  }),
  annotations: effects.reads,
  // `search:read` is a scope of user tokens: Slack would refuse the whole sign-in if a bot requested it.
  capabilities: ['search messages'],
  async execute(input, { service }) {
    const { messages } = await get<Matches>(service, 'search.messages', input);
    return {
      total: messages.total,
      matches: messages.matches.map(matchRecord.read),
      next_page: nextPage(input.page, messages.paging),
    };
  },
});

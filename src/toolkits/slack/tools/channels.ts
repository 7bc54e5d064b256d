/** Channels: tools that list, create and archive them, and manage their members. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { get, nextCursor, type Paged, post, postRepeatable, wasDoneBefore } from '../api.js';
import { listAllChannels, resolveChannel } from '../channels.js';
import { defineSlackTool } from '../define-tool.js';
import { earliest } from '../find-message.js';
import { channel, cursor, limit, next_cursor, user } from '../inputs.js';
import { channelRecord } from '../shapes/channel.js';

interface One {
  readonly channel: { readonly id: string };
}

export const listChannels = defineSlackTool({
  name: 'list_channels',
  title: 'List channels',
  description: 'The channels that this account can see.',
  inputSchema: z.strictObject({
    types: z
      .array(z.enum(['public_channel', 'private_channel', 'im', 'mpim']))
      .min(1)
      .max(4)
      .optional()
      .describe('Default public_channel'),
    exclude_archived: z.boolean().default(true),
    limit: limit(1_000),
    cursor,
  }),
  outputSchema: z.strictObject({ channels: z.array(channelRecord.shape), next_cursor }),
  annotations: effects.reads,
  scopes: ['channels:read'],
  capabilities: ['list channels'],
  async execute({ types, ...input }, { service }) {
    const list = await get<Paged & { channels: readonly object[] }>(service, 'conversations.list', {
      ...input,
      types: types?.join(','),
    });
    return { channels: list.channels.map(channelRecord.read), next_cursor: nextCursor(list) };
  },
});

export const getChannel = defineSlackTool({
  name: 'get_channel',
  title: 'Get a channel',
  description: 'One channel: its topic, its purpose, how many are in it.',
  inputSchema: z.strictObject({ channel }),
  outputSchema: channelRecord.shape,
  annotations: effects.reads,
  scopes: ['channels:read'],
  capabilities: ['get channel'],
  async execute(input, { service }) {
    const channelId = await resolveChannel(service, input.channel);
    const found = await get<One>(service, 'conversations.info', { channel: channelId, include_num_members: true });
    return channelRecord.read(found.channel);
  },
});

export const createChannel = defineSlackTool({
  name: 'create_channel',
  title: 'Create a channel',
  description: 'Make a new channel, with this account in it. Private ones need the scope groups:write.',
  inputSchema: z.strictObject({
    name: z
      .string()
      .regex(/^[^\sA-Z#@,.:/]{1,80}$/)
      .describe('Without #: lower-case letters, digits, - and _'),
    is_private: z.boolean().default(false),
  }),
  outputSchema: channelRecord.shape,
  annotations: effects.creates,
  scopes: ['channels:manage'],
  capabilities: ['create channel'],
  idempotency: {
    by: 'probe',
    how: 'A name is given once: the channel that this account created under it since is the one',
  },
  async probe({ name }, { service }, startedAt) {
    const { user_id } = await postRepeatable<{ user_id: string }>(service, 'auth.test', {});
    const { channels, complete } = await listAllChannels(service);
    const since = earliest(startedAt);
    const found = channels.find((one) => one.name === name && one.creator === user_id && (one.created ?? 0) >= since);
    if (found || complete) return found && channelRecord.read(found);
    throw new HelveError('outcome_unknown', 'There are too many channels to look through');
  },
  async execute(input, { service }) {
    return channelRecord.read((await post<One>(service, 'conversations.create', input)).channel);
  },
});

export const archiveChannel = defineSlackTool({
  name: 'archive_channel',
  title: 'Archive a channel',
  description: 'Close a channel to new messages. People can open it again.',
  inputSchema: z.strictObject({ channel }),
  outputSchema: z.strictObject({ archived: z.literal(true), channel: z.string(), was_archived: z.boolean() }),
  annotations: effects.replaces,
  scopes: ['channels:manage'],
  capabilities: ['archive channel'],
  async execute(input, { service }) {
    const channelId = await resolveChannel(service, input.channel);
    const was_archived = await wasDoneBefore(
      () => postRepeatable(service, 'conversations.archive', { channel: channelId }),
      'already_archived',
    );
    return { archived: true as const, channel: channelId, was_archived };
  },
});

export const inviteToChannel = defineSlackTool({
  name: 'invite_to_channel',
  title: 'Invite to a channel',
  description: 'Put people into a channel that this account is in.',
  inputSchema: z.strictObject({ channel, users: z.array(user).min(1).max(100) }),
  outputSchema: z.strictObject({
    channel: z.string(),
    invited: z.boolean().describe('false: they were in it already'),
  }),
  annotations: effects.createsOnce,
  scopes: ['channels:manage'],
  capabilities: ['invite to channel', 'add member'],
  async execute({ users, ...input }, { service }) {
    const channelId = await resolveChannel(service, input.channel);
    const wanted = { channel: channelId, users: users.join(',') };
    // If one of several people is in the channel already, Slack adds none of them: the caller must see that error.
    if (users.length > 1) {
      await post(service, 'conversations.invite', wanted);
      return { channel: channelId, invited: true };
    }
    const before = await wasDoneBefore(
      () => postRepeatable(service, 'conversations.invite', wanted),
      'already_in_channel',
    );
    return { channel: channelId, invited: !before };
  },
  idempotency: { by: 'probe', how: 'Membership in the channel shows that the person was invited' },
  async probe({ users, ...input }, { service }) {
    const channel = await resolveChannel(service, input.channel);
    const missing = new Set(users);
    let cursor: string | undefined;
    do {
      const wanted = { channel, limit: 1_000, cursor };
      const list = await get<Paged & { members: readonly string[] }>(service, 'conversations.members', wanted);
      for (const member of list.members) missing.delete(member);
      cursor = nextCursor(list);
    } while (cursor !== undefined && missing.size > 0);
    return missing.size === 0 ? { channel, invited: true } : undefined;
  },
});

export const joinChannel = defineSlackTool({
  name: 'join_channel',
  title: 'Join a channel',
  description: 'Put this account into a public channel.',
  inputSchema: z.strictObject({ channel }),
  outputSchema: channelRecord.shape,
  annotations: effects.createsOnce,
  scopes: ['channels:join'],
  capabilities: ['join channel'],
  async execute(input, { service }) {
    const channelId = await resolveChannel(service, input.channel);
    return channelRecord.read(
      (await postRepeatable<One>(service, 'conversations.join', { channel: channelId })).channel,
    );
  },
});

export const openDirectMessage = defineSlackTool({
  name: 'open_direct_message',
  title: 'Open a direct message',
  description: 'The channel of a conversation with one person, or with several. post_message writes into it.',
  inputSchema: z.strictObject({ users: z.array(user).min(1).max(8) }),
  outputSchema: z.strictObject({ channel: z.string().describe('Id') }),
  annotations: effects.createsOnce,
  scopes: ['im:write'],
  capabilities: ['open direct message', 'message user'],
  async execute({ users }, { service }) {
    const wanted = { users: users.join(',') };
    const opened = await postRepeatable<One>(service, 'conversations.open', wanted);
    return { channel: opened.channel.id };
  },
});

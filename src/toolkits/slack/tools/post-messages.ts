/** Tools that write messages. Slack has no idempotency key: a message's metadata keeps it from being posted twice. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { get, post, postRepeatable, wasDoneBefore } from '../api.js';
import { resolveChannel } from '../channels.js';
import { defineSlackTool } from '../define-tool.js';
import { byMetadata, findMessage, toMetadata } from '../find-message.js';
import { blocks, channel, text, threadTs, time, ts } from '../inputs.js';
import { messageRecord } from '../shapes/message.js';

const place = { channel: z.string().describe('Id'), ts: z.string().describe('Names the message in its channel') };
const content = { text: text.optional(), blocks: blocks.optional() };
const thread = {
  thread_ts: threadTs,
  reply_broadcast: z.boolean().optional().describe('With thread_ts: show the reply in the channel too'),
};
const unfurling = {
  unfurl_links: z.boolean().default(false).describe('Show previews of links'),
  unfurl_media: z.boolean().default(false).describe('Show previews of media'),
};

function checkContent(input: {
  readonly text?: string | undefined;
  readonly blocks?: readonly unknown[] | undefined;
  readonly thread_ts?: string | undefined;
  readonly reply_broadcast?: boolean | undefined;
}): void {
  if (input.text === undefined && input.blocks === undefined)
    throw new HelveError('invalid_input', 'There is nothing to send', { hint: 'Give text, blocks or both.' });
  if (input.reply_broadcast && input.thread_ts === undefined)
    throw new HelveError('invalid_input', 'reply_broadcast is for replies', { hint: 'Give thread_ts with it.' });
}

interface Posted {
  readonly channel: string;
  readonly ts: string;
  readonly message?: object;
}

export const postMessage = defineSlackTool({
  name: 'post_message',
  title: 'Post a message',
  description: 'Write a message into a channel, or with thread_ts a reply. For a person: open_direct_message first.',
  inputSchema: z.strictObject({
    channel,
    ...content,
    ...thread,
    mrkdwn: z.boolean().default(true).describe('false: text is shown as it is'),
    ...unfurling,
  }),
  outputSchema: z.strictObject({ ...place, message: messageRecord.shape.optional() }),
  annotations: effects.creates,
  scopes: ['chat:write'],
  capabilities: ['post message', 'send message', 'reply in thread'],
  examples: [{ input: { channel: '#general', text: 'The release is *out*.' } }],
  idempotency: byMetadata,
  async probe({ thread_ts: threadTs, ...input }, { service, effectKey }, startedAt) {
    const channel = await resolveChannel(service, input.channel);
    const found = await findMessage(service, effectKey, { channel, threadTs, startedAt });
    return found && { channel, ts: found.ts, message: messageRecord.read(found) };
  },
  async execute(input, { service, effectKey }) {
    checkContent(input);
    const channelId = await resolveChannel(service, input.channel);
    const wanted = { ...input, channel: channelId, metadata: toMetadata(effectKey) };
    const posted = await post<Posted>(service, 'chat.postMessage', wanted);
    return { channel: posted.channel, ts: posted.ts, message: posted.message && messageRecord.read(posted.message) };
  },
});

export const updateMessage = defineSlackTool({
  name: 'update_message',
  title: 'Update a message',
  description:
    'Replace a message that this account posted, its text and its blocks, by the text, blocks or both given.',
  inputSchema: z.strictObject({ channel, ts, ...content }),
  outputSchema: z.strictObject({ ...place, text: z.string().optional() }),
  annotations: effects.replaces,
  scopes: ['chat:write'],
  capabilities: ['update message', 'edit message'],
  async execute(input, { service }) {
    checkContent(input);
    const channelId = await resolveChannel(service, input.channel);
    // Blocks that are not sent stay, and then nobody sees the new text.
    const wanted = { blocks: [], ...input, channel: channelId };
    const updated = await postRepeatable<Posted & { text?: string }>(service, 'chat.update', wanted);
    return { channel: updated.channel, ts: updated.ts, text: updated.text };
  },
});

export const deleteMessage = defineSlackTool({
  name: 'delete_message',
  title: 'Delete a message',
  description: 'Delete a message that this account posted, for good.',
  inputSchema: z.strictObject({ channel, ts }),
  outputSchema: z.strictObject({ deleted: z.literal(true), ...place }),
  annotations: effects.replaces,
  risk: 'destructive',
  scopes: ['chat:write'],
  capabilities: ['delete message'],
  async execute(input, { service }) {
    const channelId = await resolveChannel(service, input.channel);
    await post(service, 'chat.delete', { channel: channelId, ts: input.ts });
    return { deleted: true as const, channel: channelId, ts: input.ts };
  },
  idempotency: { by: 'probe', how: 'A message that Slack no longer finds counts as deleted' },
  async probe(input, { service }) {
    const channel = await resolveChannel(service, input.channel);
    // The history of a channel lacks the replies of threads; this method returns them all.
    const look = () => get(service, 'chat.getPermalink', { channel, message_ts: input.ts });
    const gone = await wasDoneBefore(look, 'message_not_found');
    return gone ? { deleted: true as const, channel, ts: input.ts } : undefined;
  },
});

interface Scheduled {
  readonly channel: string;
  readonly scheduled_message_id: string;
  readonly post_at: string | number;
}

export const scheduleMessage = defineSlackTool({
  name: 'schedule_message',
  title: 'Schedule a message',
  description: 'Have a message posted later, within the next 120 days.',
  inputSchema: z.strictObject({ channel, post_at: time, ...content, ...thread, ...unfurling }),
  outputSchema: z.strictObject({
    channel: place.channel,
    scheduled_message_id: z.string(),
    post_at: z.string(),
  }),
  annotations: effects.creates,
  scopes: ['chat:write'],
  idempotency: {
    by: 'ask',
    how: 'Slack shows no mark of a scheduled message, and two with the same text may be meant',
  },
  capabilities: ['schedule message'],
  examples: [{ input: { channel: '#general', text: 'Good morning', post_at: '2026-01-31T09:00:00+01:00' } }],
  async execute(input, { service }) {
    checkContent(input);
    const milliseconds = Date.parse(input.post_at);
    if (Number.isNaN(milliseconds))
      throw new HelveError('invalid_input', `post_at: there is no such time as ${input.post_at}`, {
        hint: 'Write it as 2026-01-31T09:00:00Z.',
      });
    const channelId = await resolveChannel(service, input.channel);
    const post_at = Math.ceil(milliseconds / 1_000);
    const done = await post<Scheduled>(service, 'chat.scheduleMessage', { ...input, channel: channelId, post_at });
    return {
      channel: done.channel,
      scheduled_message_id: done.scheduled_message_id,
      post_at: new Date(Number(done.post_at) * 1_000).toISOString(),
    };
  },
});

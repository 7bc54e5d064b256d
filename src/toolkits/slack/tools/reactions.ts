/** Emoji on messages. An account puts each emoji on a message at most once, so these requests may be sent again. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { get, postRepeatable, wasDoneBefore } from '../api.js';
import { resolveChannel } from '../channels.js';
import { defineSlackTool } from '../define-tool.js';
import { channel, emoji, ts } from '../inputs.js';
import { reactionRecord } from '../shapes/message.js';

const message = { channel, ts };
const place = { channel: z.string().describe('Id'), ts: z.string() };

export const addReaction = defineSlackTool({
  name: 'add_reaction',
  title: 'Add a reaction',
  description: 'Put an emoji on a message.',
  inputSchema: z.strictObject({ ...message, name: emoji }),
  outputSchema: z.strictObject({ ...place, added: z.boolean().describe('false: it was there already') }),
  annotations: effects.createsOnce,
  scopes: ['reactions:write'],
  capabilities: ['add reaction'],
  async execute({ ts: timestamp, name, ...input }, { service }) {
    const channelId = await resolveChannel(service, input.channel);
    const before = await wasDoneBefore(
      () => postRepeatable(service, 'reactions.add', { channel: channelId, timestamp, name }),
      'already_reacted',
    );
    return { channel: channelId, ts: timestamp, added: !before };
  },
});

export const removeReaction = defineSlackTool({
  name: 'remove_reaction',
  title: 'Remove a reaction',
  description: 'Take an emoji of this account off a message.',
  inputSchema: z.strictObject({ ...message, name: emoji }),
  outputSchema: z.strictObject({ ...place, removed: z.boolean().describe('false: it was not there') }),
  annotations: effects.createsOnce,
  scopes: ['reactions:write'],
  capabilities: ['remove reaction'],
  async execute({ ts: timestamp, name, ...input }, { service }) {
    const channelId = await resolveChannel(service, input.channel);
    const before = await wasDoneBefore(
      () => postRepeatable(service, 'reactions.remove', { channel: channelId, timestamp, name }),
      'no_reaction',
    );
    return { channel: channelId, ts: timestamp, removed: !before };
  },
});

export const listReactions = defineSlackTool({
  name: 'list_reactions',
  title: 'List reactions',
  description: 'The emoji on a message, and who put them there.',
  inputSchema: z.strictObject(message),
  outputSchema: z.strictObject({ ...place, reactions: z.array(reactionRecord.shape) }),
  annotations: effects.reads,
  scopes: ['reactions:read'],
  capabilities: ['list reactions'],
  async execute({ ts: timestamp, ...input }, { service }) {
    const channelId = await resolveChannel(service, input.channel);
    const wanted = { channel: channelId, timestamp, full: true };
    const { message: found } = await get<{ message?: { reactions?: object[] } }>(service, 'reactions.get', wanted);
    return { channel: channelId, ts: timestamp, reactions: (found?.reactions ?? []).map(reactionRecord.read) };
  },
});

/** Channels, private channels and direct messages: Slack calls all of them conversations. */
import { z } from 'zod';
import { computed, defineRecord, from } from '../../../util/record.js';
import { flag, textOrNone, time } from './fields.js';

const kinds = ['public_channel', 'private_channel', 'im', 'mpim'] as const;

interface Kind {
  readonly is_im?: boolean;
  readonly is_mpim?: boolean;
  readonly is_private?: boolean;
}

export const channelRecord = defineRecord({
  id: z.string(),
  name: z.string().optional(),
  kind: computed(z.enum(kinds), toKind),
  is_archived: flag('is_archived'),
  is_member: z.boolean().optional(),
  is_shared: from(
    'is_ext_shared',
    z.boolean().optional().describe('With other organizations'),
    (shared) => shared === true || undefined,
  ),
  user: z.string().optional().describe('Of a direct message: with whom'),
  topic: textOrNone('topic.value'),
  purpose: textOrNone('purpose.value'),
  members: from('num_members', z.int().optional()),
  created: time('created'),
});

function toKind({ is_im, is_mpim, is_private }: Kind): (typeof kinds)[number] {
  if (is_im) return 'im';
  if (is_mpim) return 'mpim';
  return is_private ? 'private_channel' : 'public_channel';
}

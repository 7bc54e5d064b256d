/** Channels, private ones and direct messages: to Slack all are conversations. */
import { z } from 'zod';

export interface RawChannel {
  readonly id: string;
  readonly name?: string;
  readonly name_normalized?: string;
  readonly is_im?: boolean;
  readonly is_mpim?: boolean;
  readonly is_private?: boolean;
  readonly is_archived?: boolean;
  readonly is_member?: boolean;
  readonly is_ext_shared?: boolean;
  readonly user?: string;
  readonly topic?: { readonly value?: string };
  readonly purpose?: { readonly value?: string };
  readonly num_members?: number;
  readonly created?: number;
}

export const channelShape = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  kind: z.enum(['public_channel', 'private_channel', 'im', 'mpim']),
  is_archived: z.boolean(),
  is_member: z.boolean().optional(),
  is_shared: z.boolean().optional().describe('With other organizations'),
  user: z.string().optional().describe('Of a direct message: with whom'),
  topic: z.string().optional(),
  purpose: z.string().optional(),
  members: z.int().optional(),
  created: z.string().optional(),
});

export function toChannel(raw: RawChannel): z.input<typeof channelShape> {
  return {
    id: raw.id,
    name: raw.name,
    kind: kindOf(raw),
    is_archived: raw.is_archived === true,
    is_member: raw.is_member,
    is_shared: raw.is_ext_shared === true ? true : undefined,
    user: raw.user,
    topic: raw.topic?.value || undefined,
    purpose: raw.purpose?.value || undefined,
    members: raw.num_members,
    created: toTime(raw.created),
  };
}

function kindOf({ is_im, is_mpim, is_private }: RawChannel): z.input<typeof channelShape>['kind'] {
  if (is_im) return 'im';
  if (is_mpim) return 'mpim';
  return is_private ? 'private_channel' : 'public_channel';
}

/** Seconds since 1970, also as text with a fraction: `1503435956.000247`. */
export function toTime(seconds: number | string | undefined): string | undefined {
  const value = Number(seconds);
  if (seconds === undefined || !Number.isFinite(value) || value <= 0 || value > 8e12) return undefined;
  return new Date(value * 1_000).toISOString();
}

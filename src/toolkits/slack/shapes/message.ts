/** Messages. Texts stay mrkdwn, as Slack keeps them. */
import { z } from 'zod';
import { toTime } from './channel.js';
import { fileShape, type RawFile, toFile } from './file.js';

interface RawReaction {
  readonly name: string;
  readonly count: number;
  readonly users?: readonly string[];
}

export interface RawMessage {
  readonly ts?: string;
  readonly thread_ts?: string;
  readonly user?: string;
  readonly bot_id?: string;
  readonly username?: string;
  readonly subtype?: string;
  readonly text?: string;
  readonly edited?: unknown;
  readonly reply_count?: number;
  readonly latest_reply?: string;
  readonly reactions?: readonly RawReaction[];
  readonly files?: readonly RawFile[];
  readonly attachments?: readonly { readonly fallback?: string; readonly text?: string; readonly title?: string }[];
}

export const reactionShape = z.strictObject({
  name: z.string(),
  count: z.int(),
  users: z.array(z.string()).describe('Ids; with many reactions not all'),
});

export const messageShape = z.strictObject({
  ts: z.string().optional().describe('Names the message in its channel'),
  time: z.string().optional(),
  thread_ts: z.string().optional().describe('ts of the message that the thread hangs on'),
  user: z.string().optional().describe('Id'),
  bot_id: z.string().optional(),
  username: z.string().optional(),
  subtype: z.string().optional(),
  text: z.string(),
  attachments: z.array(z.string()).optional().describe('Their texts'),
  is_edited: z.boolean().optional(),
  reply_count: z.int().optional(),
  latest_reply: z.string().optional(),
  reactions: z.array(reactionShape).optional(),
  files: z.array(fileShape).optional(),
});

export const toReaction = ({ name, count, users = [] }: RawReaction): z.input<typeof reactionShape> => ({
  name,
  count,
  users: [...users],
});

export function toMessage(raw: RawMessage): z.input<typeof messageShape> {
  const { ts, thread_ts, user, bot_id, username, subtype, reply_count, latest_reply } = raw;
  const attachments = (raw.attachments ?? [])
    .map(({ title, text, fallback }) => [title, text ?? fallback].filter(Boolean).join(': '))
    .filter((text) => text !== '');
  return {
    ts,
    thread_ts,
    user,
    bot_id,
    username,
    subtype,
    reply_count,
    latest_reply,
    time: toTime(ts),
    text: raw.text ?? '',
    attachments: attachments.length > 0 ? attachments : undefined,
    is_edited: raw.edited === undefined ? undefined : true,
    reactions: raw.reactions?.map(toReaction),
    files: raw.files?.map(toFile),
  };
}

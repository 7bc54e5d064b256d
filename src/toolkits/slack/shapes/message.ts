/** Messages. Their texts stay in mrkdwn, Slack's own markup. */
import { z } from 'zod';
import { computed, defineRecord, from } from '../../../util/record.js';
import { time } from './fields.js';
import { fileRecord } from './file.js';

interface RawAttachment {
  readonly fallback?: string;
  readonly text?: string;
  readonly title?: string;
  readonly blocks?: unknown;
}

interface RawTexts {
  readonly text?: string | null;
  readonly blocks?: unknown;
}

/** What Slack writes in place of a text where there are only blocks. */
const stopgaps = new Set(['', "This content can't be displayed.", '[no preview available]']);

const orBlocks = (text: string | null | undefined, blocks: unknown): string =>
  stopgaps.has(text ?? '') ? readBlocks(blocks, 0).join('\n') : (text ?? '');

/** Programs often send only blocks: their texts, wherever they are. */
function readBlocks(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null || depth > 10) return [];
  const { text } = value as { readonly text?: unknown };
  if (typeof text === 'string') return [text];
  return Object.values(value).flatMap((member) => readBlocks(member, depth + 1));
}

export const reactionRecord = defineRecord({
  name: z.string(),
  count: z.int(),
  users: computed(
    z.array(z.string()).describe('Ids; with many reactions not all'),
    ({ users = [] }: { users?: string[] }) => users,
  ),
});

export const messageRecord = defineRecord({
  ts: z.string().optional().describe('Names the message in its channel'),
  time: time('ts'),
  thread_ts: z.string().optional().describe('ts of the first message of the thread'),
  user: z.string().optional().describe('Id'),
  bot_id: z.string().optional(),
  username: z.string().optional(),
  subtype: z.string().optional(),
  text: computed(z.string(), ({ text, blocks }: RawTexts) => orBlocks(text, blocks)),
  attachments: from('attachments', z.array(z.string()).optional().describe('Their texts'), toTexts),
  is_edited: from('edited', z.boolean().optional(), () => true),
  reply_count: z.int().optional(),
  latest_reply: z.string().optional(),
  reactions: from('reactions', z.array(reactionRecord.shape).optional(), (all: object[]) =>
    all.map(reactionRecord.read),
  ),
  files: from('files', z.array(fileRecord.shape).optional(), (all: object[]) => all.map(fileRecord.read)),
});

function toTexts(attachments: readonly RawAttachment[]): string[] | undefined {
  const texts = attachments
    .map(({ title, text, fallback, blocks }) => [title, orBlocks(text ?? fallback, blocks)].filter(Boolean).join(': '))
    .filter((text) => text !== '');
  return texts.length > 0 ? texts : undefined;
}

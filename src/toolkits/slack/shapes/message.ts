/** Messages. Their texts stay in mrkdwn, Slack's own markup. */
import { z } from 'zod';
import { computed, defineRecord, from } from '../../../util/record.js';
import { isTyped, readBlocks } from './blocks.js';
import { time } from './fields.js';
import { fileRecord } from './file.js';

interface RawAttachment {
  readonly fallback?: string;
  readonly pretext?: string;
  readonly text?: string;
  readonly title?: string;
  readonly title_link?: string;
  readonly fields?: readonly ({ readonly title?: string; readonly value?: string } | null)[] | null;
  readonly blocks?: unknown;
}

interface RawTexts {
  readonly text?: string | null;
  readonly blocks?: unknown;
}

/** What Slack writes in place of a text where there are only blocks. */
const stopgaps = new Set(['', "This content can't be displayed.", '[no preview available]']);

/** Where a program sent blocks, people see them, and the text only in notifications. */
function seenText({ text, blocks }: RawTexts): string {
  const given = text ?? '';
  if (isTyped(blocks) && !stopgaps.has(given)) return given;
  return readBlocks(blocks) || (stopgaps.has(given) && blocks !== undefined ? '' : given);
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
  text: computed(z.string(), seenText),
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
  const texts = attachments.map(readAttachment).filter((text) => text !== '');
  return texts.length > 0 ? texts : undefined;
}

function readAttachment({ pretext, title, title_link, text, fallback, fields, blocks }: RawAttachment): string {
  const named = title && title_link ? `<${title_link}|${title}>` : title;
  const body = [named, seenText({ text: text ?? fallback, blocks })].filter(Boolean).join(': ');
  const facts = (fields ?? []).map((field) => [field?.title, field?.value].filter(Boolean).join(': '));
  return [pretext, body, ...facts].filter(Boolean).join('\n');
}

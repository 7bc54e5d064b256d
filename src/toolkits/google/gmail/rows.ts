/** Messages as tools answer with them: compact in lists, whole when one is read. */
import { z } from 'zod';
import type { ServiceClient } from '../../../domain/service.js';
import { defined } from '../../../util/defined.js';
import { fetchRows } from '../rows.js';
import { fetchAttachment, fetchMessage, type GmailMessage, type GmailThread } from './api.js';
import { readBody } from './body.js';
import { headerOf } from './headers.js';
import type { LabelNames } from './labels.js';

export const messageRow = z.strictObject({
  id: z.string(),
  thread_id: z.string(),
  from: z.string().optional(),
  to: z.string().optional(),
  cc: z.string().optional(),
  subject: z.string().optional(),
  date: z.string().optional().describe('When Gmail got it, in UTC'),
  snippet: z.string().optional(),
  labels: z.array(z.string()).optional().describe('Names'),
  error: z.string().optional().describe('Why this one could not be read'),
});

export type MessageRow = z.infer<typeof messageRow>;

const attachment = z.strictObject({
  id: z.string().optional().describe('For get_gmail_attachment'),
  name: z.string(),
  type: z.string(),
  size: z.number().describe('Bytes'),
});

export const wholeMessage = messageRow.omit({ error: true }).extend({
  bcc: z.string().optional(),
  reply_to: z.string().optional(),
  message_id: z.string().optional().describe('The Message-ID header, by which the world knows it'),
  body: z.string().describe('As text'),
  html: z.string().optional(),
  attachments: z.array(attachment),
});

export type WholeMessage = z.infer<typeof wholeMessage>;

function rowOf(message: GmailMessage, labels: LabelNames): MessageRow {
  const { payload } = message;
  return defined({
    id: message.id,
    thread_id: message.threadId,
    from: headerOf(payload, 'From'),
    to: headerOf(payload, 'To'),
    cc: headerOf(payload, 'Cc'),
    subject: headerOf(payload, 'Subject'),
    date: dateOf(message),
    snippet: message.snippet === undefined ? undefined : plainSnippet(message.snippet),
    labels: message.labelIds?.map((id) => labels.get(id) ?? id),
  });
}

export async function wholeOf(
  service: ServiceClient,
  message: GmailMessage,
  labels: LabelNames,
  withHtml: boolean,
): Promise<WholeMessage> {
  const { payload } = message;
  const body = await readBody(payload, (id) => fetchAttachment(service, message.id, id));
  return {
    ...rowOf(message, labels),
    ...defined({
      bcc: headerOf(payload, 'Bcc'),
      reply_to: headerOf(payload, 'Reply-To'),
      message_id: headerOf(payload, 'Message-ID'),
      html: withHtml ? body.html : undefined,
    }),
    body: body.text,
    attachments: body.attachments.map((one) => defined({ ...one })),
  };
}

/** For a list that names ids only. */
export async function messageRows(
  service: ServiceClient,
  listed: readonly { readonly id: string; readonly threadId: string }[],
  labelsOf: (messages: readonly GmailMessage[]) => Promise<LabelNames>,
): Promise<MessageRow[]> {
  const fetched = await fetchRows<(typeof listed)[number], GmailMessage | { failed: MessageRow }>(
    listed,
    ({ id }) => fetchMessage(service, id, 'metadata'),
    ({ id, threadId }, error) => ({ failed: { id, thread_id: threadId, error } }),
  );
  const labels = await labelsOf(fetched.filter((one): one is GmailMessage => 'id' in one));
  return fetched.map((one) => ('failed' in one ? one.failed : rowOf(one, labels)));
}

export function dateOf({ internalDate, payload }: GmailMessage): string | undefined {
  const milliseconds = Number(internalDate);
  if (internalDate !== undefined && Number.isSafeInteger(milliseconds)) return new Date(milliseconds).toISOString();
  return headerOf(payload, 'Date');
}

/** Oldest first, as they were written. */
export const messagesOf = ({ messages = [] }: GmailThread): GmailMessage[] =>
  [...messages].sort((one, other) => Number(one.internalDate ?? 0) - Number(other.internalDate ?? 0));

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Snippets come escaped for HTML. */
export const plainSnippet = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole);

/** Messages as tools answer with them: without their bodies in lists, complete if a single one is read. */
import { z } from 'zod';
import type { ServiceClient } from '../../../domain/service.js';
import { readBody, readHeader } from '../../../util/mail/reading/index.js';
import { computed, defineRecord, from } from '../../../util/record.js';
import { fetchRows } from '../rows.js';
import { fetchAttachment, fetchMessage, type GmailMessage, type GmailThread } from './api.js';
import { type LabelNames, nameLabels } from './labels.js';

/** Gmail gives no id to small parts whose content comes with the message. */
const attachmentShape = z.strictObject({
  id: z.string().optional().describe('For get_gmail_attachment'),
  name: z.string(),
  type: z.string(),
  size: z.number().describe('Bytes'),
});

const header = (name: string, description?: string) => {
  const schema = description === undefined ? z.string().optional() : z.string().optional().describe(description);
  return computed(schema, ({ payload }: Pick<GmailMessage, 'payload'>) => readHeader(payload, name));
};

/** Reads a message with the names of its labels. */
export const messageRecord = defineRecord({
  id: z.string(),
  thread_id: from('threadId', z.string()),
  from: header('From'),
  to: header('To'),
  cc: header('Cc'),
  subject: header('Subject'),
  date: computed(z.string().optional().describe('When Gmail got it, in UTC'), readDate),
  snippet: from('snippet', z.string().optional(), unescapeSnippet),
  labels: z.array(z.string()).optional().describe('Names'),
  error: z.string().optional().describe('Why this one could not be read'),
});

type MessageRow = z.input<typeof messageRecord.shape>;

const { error: _, ...fields } = messageRecord.fields;

/** Reads a message with the names of its labels and its body. */
export const wholeMessageRecord = defineRecord({
  ...fields,
  bcc: header('Bcc'),
  reply_to: header('Reply-To'),
  message_id: header('Message-ID', 'The Message-ID header, which identifies it in every mailbox'),
  body: from('body.text', z.string().describe('As text')),
  html: from('body.html', z.string().optional()),
  attachments: from('body.attachments', z.array(attachmentShape)),
});

interface Fetched extends GmailMessage {
  readonly error?: string;
}

const withLabels = (message: Fetched, names: LabelNames): object => ({
  ...message,
  labels: message.labelIds && nameLabels([message], names),
});

interface Reading {
  readonly labels: LabelNames;
  readonly withHtml: boolean;
}

export async function readWholeMessage(service: ServiceClient, message: GmailMessage, { labels, withHtml }: Reading) {
  const { html, ...body } = await readBody(message.payload, (id) => fetchAttachment(service, message.id, id));
  return wholeMessageRecord.read({ ...withLabels(message, labels), body: { ...body, html: withHtml ? html : null } });
}

/** Fetches the rows of a list that names only ids. */
export async function fetchMessageRows(
  service: ServiceClient,
  listed: readonly { readonly id: string; readonly threadId: string }[],
  fetchLabelNames: (messages: readonly GmailMessage[]) => Promise<LabelNames>,
): Promise<MessageRow[]> {
  const fetched = await fetchRows<(typeof listed)[number], Fetched>(
    listed,
    ({ id }) => fetchMessage(service, id, 'metadata'),
    ({ id, threadId }, error) => ({ id, threadId, error }),
  );
  const names = await fetchLabelNames(fetched);
  return fetched.map((message) => messageRecord.read(withLabels(message, names)));
}

export function readDate({ internalDate, payload }: Pick<GmailMessage, 'internalDate' | 'payload'>) {
  const milliseconds = Number(internalDate);
  if (internalDate !== undefined && Number.isSafeInteger(milliseconds)) return new Date(milliseconds).toISOString();
  return readHeader(payload, 'Date');
}

/** Returns the messages of a thread, the oldest first. */
export const sortMessages = ({ messages = [] }: GmailThread): GmailMessage[] =>
  [...messages].sort((one, other) => Number(one.internalDate ?? 0) - Number(other.internalDate ?? 0));

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Snippets are escaped for HTML. */
export function unescapeSnippet(text: string | undefined): string | undefined {
  return text?.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => entities[name] ?? whole);
}

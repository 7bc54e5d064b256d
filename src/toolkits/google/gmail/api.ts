/** The members of Gmail's resources that are read here, and the requests that several tools make. */
import type { ServiceClient } from '../../../domain/service.js';
import { repeatedMessageId } from '../../../util/mail/message.js';
import type { MailPart } from '../../../util/mail/reading/index.js';

export interface GmailMessage {
  readonly id: string;
  readonly threadId: string;
  readonly labelIds?: readonly string[];
  readonly snippet?: string;
  /** Milliseconds since 1970. */
  readonly internalDate?: string;
  readonly payload?: MailPart;
}

export interface GmailThread {
  readonly id: string;
  readonly messages?: readonly GmailMessage[];
}

export const mailbox = '/gmail/v1/users/me';

const listedHeaders = [
  'From',
  'To',
  'Cc',
  'Subject',
  'Date',
  'Message-ID',
  'Reply-To',
  'References',
  'In-Reply-To',
  repeatedMessageId,
];

type Format = 'full' | 'metadata';

const formatQuery = (format: Format) => (format === 'full' ? { format } : { format, metadataHeaders: listedHeaders });

export const fetchMessage = (service: ServiceClient, id: string, format: Format): Promise<GmailMessage> =>
  service.json({ path: `${mailbox}/messages/${encodeURIComponent(id)}`, query: formatQuery(format) });

export const fetchThread = (service: ServiceClient, id: string, format: Format): Promise<GmailThread> =>
  service.json({ path: `${mailbox}/threads/${encodeURIComponent(id)}`, query: formatQuery(format) });

/** Returns base64url. */
export async function fetchAttachment(service: ServiceClient, messageId: string, id: string): Promise<string> {
  const path = `${mailbox}/messages/${encodeURIComponent(messageId)}/attachments/${encodeURIComponent(id)}`;
  const { data } = await service.json<{ data?: string }>({ path });
  return data ?? '';
}

/** The recipients of a reply, and the header fields by which mail programs put it into the thread of the original. */
import type { ToolContext } from '../../../domain/context.js';
import { HelveError } from '../../../domain/errors.js';
import type { ServiceClient } from '../../../domain/service.js';
import type { Address } from '../../../util/mail/addresses.js';
import { readHeader, readRawHeader } from '../../../util/mail/reading/index.js';
import { isSame, readHeaderAddresses, uniqueAddresses } from './addresses.js';
import { fetchMessage, fetchThread, type GmailMessage, mailbox } from './api.js';
import { sortMessages } from './rows.js';

/** Fetches the message that is replied to: the given one, or the last of the thread that is not a draft. */
export async function fetchOriginal(
  service: ServiceClient,
  given: { readonly message_id?: string | undefined; readonly thread_id?: string | undefined },
): Promise<GmailMessage> {
  const { message_id, thread_id } = given;
  if ((message_id === undefined) === (thread_id === undefined)) {
    throw new HelveError('invalid_input', 'message_id: give either message_id or thread_id', {
      hint: 'message_id replies to that message, thread_id to the last message of the thread.',
    });
  }
  if (message_id !== undefined) return fetchMessage(service, message_id, 'metadata');
  const messages = sortMessages(await fetchThread(service, thread_id ?? '', 'metadata'));
  const last = messages.filter(({ labelIds = [] }) => !labelIds.includes('DRAFT')).at(-1);
  if (last) return last;
  throw new HelveError('not_found', `Thread ${thread_id} has no message to reply to, only drafts`);
}

export async function fetchOwnAddress({
  connection,
  service,
}: Pick<ToolContext, 'connection' | 'service'>): Promise<Address> {
  const known = connection.account?.email;
  if (known !== undefined) return { name: '', address: known };
  const profile = await service.json<{ emailAddress: string }>({ path: `${mailbox}/profile` });
  return { name: '', address: profile.emailAddress };
}

/** Never includes the account itself. A reply to the account's own message goes to those who got it. */
export function chooseRecipients(
  original: GmailMessage,
  own: Address,
  toAll: boolean,
): { to: Address[]; cc: Address[] } {
  const field = (name: string): Address[] => readHeaderAddresses(readRawHeader(original.payload, name));
  const others = (list: readonly Address[]): Address[] =>
    uniqueAddresses(list.filter((address) => !isSame(address, own)));
  const from = field('From');
  const isOwn = original.labelIds?.includes('SENT') || from.some((address) => isSame(address, own));
  const replyTo = field('Reply-To');
  const asked = isOwn ? field('To') : replyTo.length > 0 ? replyTo : from;
  const to = others(toAll && !isOwn ? [...asked, ...field('To')] : asked);
  const cc = toAll ? uniqueAddresses(others(field('Cc')), to) : [];
  if (to.length > 0) return { to, cc };
  if (cc.length > 0) return { to: cc, cc: [] };
  throw new HelveError('invalid_input', 'There is nobody to reply to: the message names only this account', {
    hint: 'Use send_gmail_message and name the recipients.',
  });
}

export function replySubject(original: GmailMessage): string {
  const subject = (readHeader(original.payload, 'Subject') ?? '').replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g,
    ' ',
  );
  return /^re\s*(?:\[\d+\])?\s*:/i.test(subject) ? subject : `Re: ${subject}`.trimEnd();
}

const mostReferences = 30;

/** RFC 5322, 3.6.4. If there are too many references the first is kept, since threads start from it. */
export function threadingHeaders(original: GmailMessage): { inReplyTo?: string; references?: string[] } {
  const idsIn = (name: string): string[] => readRawHeader(original.payload, name).match(/<[^<>\s]{1,900}>/g) ?? [];
  const [messageId] = idsIn('Message-ID');
  if (messageId === undefined) return {};
  const earlier = idsIn('References');
  const before = earlier.length > 0 ? earlier : idsIn('In-Reply-To').slice(0, 1);
  const references = [...new Set([...before, messageId])];
  const kept =
    references.length > mostReferences
      ? [...references.slice(0, 1), ...references.slice(1 - mostReferences)]
      : references;
  return { inReplyTo: messageId, references: kept };
}

/**
 * Hands a message to Gmail once. No request may be sent again: if the answer is lost, the message is looked for by its
 * Message-ID, which follows from the key of the effect. Gmail may send it under another one, so a header of Helve's own repeats it.
 */
import type { ToolContext } from '../../../domain/context.js';
import { HelveError } from '../../../domain/errors.js';
import type { ServiceRequest } from '../../../domain/service.js';
import type { Idempotency } from '../../../domain/tool.js';
import { defined } from '../../../util/defined.js';
import { findEarliest } from '../../../util/effect-key.js';
import { repeatedMessageId } from '../../../util/mail/message.js';
import { readRawHeader } from '../../../util/mail/reading/index.js';
import { fetchMessage, type GmailMessage, mailbox } from './api.js';

/** Larger messages are uploaded: JSON is accepted up to a few megabytes only. */
const mostAsJson = 3 * 1_048_576;
/** Mails that are read one by one to find one. */
const mostRead = 100;

type Context = Pick<ToolContext, 'effectKey' | 'connection' | 'service'>;

export function createMessageId({ effectKey, connection }: Pick<ToolContext, 'effectKey' | 'connection'>): string {
  const [, domain = 'mail.gmail.com'] = /@([A-Za-z0-9.-]+)$/.exec(connection.account?.email ?? '') ?? [];
  return `<${effectKey.replace(/[^A-Za-z0-9_.-]/g, '')}@${domain}>`;
}

export async function sendBytes(context: Context, bytes: Buffer, threadId?: string): Promise<GmailMessage> {
  const request = createRequest('/messages/send', bytes, (raw) => defined({ threadId, raw }));
  return sendOnce<GmailMessage>(context, request, 'in:sent');
}

export async function draftBytes(context: Context, bytes: Buffer): Promise<{ id: string; message?: GmailMessage }> {
  return sendOnce(
    context,
    createRequest('/drafts', bytes, (raw) => ({ message: defined({ raw }) })),
    'in:drafts',
  );
}

export const byMessageId: Idempotency = {
  by: 'probe',
  how: 'A header of the mail names the call, and is looked for among the mails since; the account must allow reading',
};

interface Listed {
  readonly id: string;
  readonly threadId: string;
}

interface List {
  readonly messages?: readonly Listed[];
  readonly nextPageToken?: string;
}

/** Finds the message of this effect, wherever it is now. Throws if the account has written too much since to be sure that there is none. */
export async function findMessage(context: Context, startedAt: string): Promise<Listed | undefined> {
  const { service } = context;
  const messageId = createMessageId(context);
  const list = (q: string) =>
    service.json<List>({ path: `${mailbox}/messages`, query: { q, includeSpamTrash: true, maxResults: mostRead } });
  const [found] = (await list(`rfc822msgid:${messageId.slice(1, -1)}`)).messages ?? [];
  if (found) return found;
  const { messages = [], nextPageToken } = await list(`from:me after:${toSeconds(startedAt)}`);
  for (const one of messages) {
    const { payload } = await fetchMessage(service, one.id, 'metadata');
    if (readRawHeader(payload, repeatedMessageId) === messageId) return one;
  }
  if (nextPageToken === undefined) return undefined;
  throw new HelveError('outcome_unknown', 'The account has written too many mails since to look through');
}

const toSeconds = (startedAt: string): number => Math.floor(findEarliest(startedAt).getTime() / 1_000);

/** Finds the draft of this effect. Throws if it was sent or thrown away since. */
export async function findDraft(
  context: Context,
  startedAt: string,
): Promise<{ id: string; message?: Listed } | undefined> {
  const message = await findMessage(context, startedAt);
  if (!message) return undefined;
  type Drafts = { readonly drafts?: readonly { readonly id: string; readonly message?: Listed }[] };
  const query = { q: `after:${toSeconds(startedAt)}`, maxResults: 500 };
  const { drafts = [] } = await context.service.json<Drafts>({ path: `${mailbox}/drafts`, query });
  const draft = drafts.find((one) => one.message?.id === message.id);
  if (draft) return draft;
  throw new HelveError('outcome_unknown', 'The draft was made, and it is no longer a draft');
}

/** `describe` returns the JSON for a message; uploads have the message beside it, so there is no `raw`. */
function createRequest(path: string, bytes: Buffer, describe: (raw?: string) => object): ServiceRequest {
  if (bytes.length <= mostAsJson) {
    return { method: 'POST', path: `${mailbox}${path}`, json: describe(bytes.toString('base64url')) };
  }
  // Random, so that no line of a message begins with it.
  const boundary = `helve_${crypto.randomUUID()}`;
  const head = `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(describe())}\r\n`;
  return {
    method: 'POST',
    path: `/upload${mailbox}${path}`,
    query: { uploadType: 'multipart' },
    headers: { 'content-type': `multipart/related; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(`${head}--${boundary}\r\ncontent-type: message/rfc822\r\n\r\n`),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
}

async function sendOnce<Answer>(context: Context, request: ServiceRequest, place: string): Promise<Answer> {
  try {
    return await context.service.json<Answer>(request);
  } catch (thrown) {
    if (!(thrown instanceof HelveError) || thrown.code !== 'outcome_unknown') throw thrown;
    throw new HelveError('outcome_unknown', thrown.message, {
      hint: `It may be there. Before trying again look for it: list_gmail_messages with query "${place} newer_than:1d".`,
      details: { ...thrown.details, message_id: createMessageId(context) },
      cause: thrown,
    });
  }
}

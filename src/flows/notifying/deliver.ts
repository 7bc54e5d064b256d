/** Sends one message that is due, and writes down what became of it. */
import { setTimeout } from 'node:timers/promises';
import type { AuditDraft } from '../../domain/audit.js';
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { type NotificationChannel, type NotificationMessage, notificationSubject } from '../../domain/notifications.js';
import type { Principal, User } from '../../domain/principal.js';
import { signWebhook } from '../../util/webhook-signature.js';
import { findPresentRights } from '../tasks/index.js';
import { draft, systemPrincipal } from '../workspaces/index.js';
import { composeEmail, composeWebhook } from './compose.js';
import { describeFor, type Said } from './conditions.js';
import type { NotifyingParts } from './parts.js';
import { callAsMaker, getMaker } from './sender.js';
import { findKeys, writeValue } from './slack/keys.js';
import { composeSlack, hashShown } from './slack/message.js';

/** Pauses after failed attempts, in seconds; after the last one the message is given up. */
const pauses = [10, 60, 300, 900, 3_600, 14_400, 43_200];

/** Less than the time for which a message is claimed. */
const settleMs = 180_000;
const settlePauseMs = 500;

export interface Delivering {
  readonly workspaceId: string;
  readonly message: NotificationMessage;
  readonly signal: AbortSignal;
}

export async function deliver(parts: NotifyingParts, { workspaceId, message, signal }: Delivering): Promise<void> {
  const startedAt = parts.now().toISOString();
  const { doubtfulSince: _, error: __, ...known } = message;
  let arrived: Arrived | undefined;
  try {
    const recipient = await findRecipient(parts, workspaceId, message);
    arrived = recipient && (await send(parts, recipient, { message, signal }));
  } catch (thrown) {
    // The next start of a process takes it over.
    if (signal.aborted) return;
    return settleFailed(parts, { workspaceId, message, signal }, { error: toHelveError(thrown), startedAt });
  }
  const row = draft('notification.sent', systemPrincipal(workspaceId), parts.now(), facts(message));
  const sent: NotificationMessage = { ...known, state: 'sent', dueAt: startedAt, ...arrived };
  await settle(parts, { workspaceId, message: sent, signal }, arrived ? [row] : []);
}

interface Failed {
  readonly error: HelveError;
  readonly startedAt: string;
}

async function settleFailed(
  parts: NotifyingParts,
  { workspaceId, message, signal }: Delivering,
  { error, startedAt }: Failed,
): Promise<void> {
  const { doubtfulSince, error: _, ...known } = message;
  const pause = pauses[message.attempts - 1];
  const doubt = mayHaveArrived(error) ? { doubtfulSince: doubtfulSince ?? startedAt } : {};
  const failed = { ...known, ...doubt, error: `${error.code}: ${error.message}`.slice(0, 500) };
  if (pause !== undefined) {
    const dueAt = new Date((await parts.storage.now()).getTime() + pause * 1_000).toISOString();
    return settle(parts, { workspaceId, message: { ...failed, dueAt }, signal }, []);
  }
  const body = { ...facts(message), code: error.code };
  const row = draft('notification.given_up', systemPrincipal(workspaceId), parts.now(), body);
  await settle(parts, { workspaceId, message: { ...failed, state: 'given_up', dueAt: startedAt }, signal }, [row]);
}

/**
 * Writes what became of an attempt. While the store is away it is asked again, for almost as long as the message is this process's:
 * otherwise what has arrived would be sent again.
 */
async function settle(
  { storage }: NotifyingParts,
  { workspaceId, message, signal }: Delivering,
  events: readonly AuditDraft[],
): Promise<void> {
  const end = performance.now() + settleMs;
  for (;;) {
    try {
      await storage.workspace(workspaceId).notifications.settle(message, events);
      return;
    } catch (thrown) {
      const mayPass = toHelveError(thrown).code === 'storage_failed';
      if (!mayPass || signal.aborted || performance.now() > end) throw thrown;
    }
    await setTimeout(settlePauseMs);
  }
}

/** An effect that could not be looked up is repeated at the next attempt: two notifications are better than none. */
const mayHaveArrived = ({ code, details }: HelveError): boolean =>
  code === 'outcome_unknown' && details?.reason !== 'in_doubt';

const facts = ({ id, userId, channelId, notices, attempts }: NotificationMessage): JsonObject => ({
  message: id,
  person: userId,
  channel: channelId,
  kinds: [...new Set(notices.map(({ kind }) => kind))],
  count: notices.length,
  attempts,
});

interface Recipient {
  readonly principal: Principal;
  readonly user: User;
  readonly channel: NotificationChannel;
  readonly said: readonly Said[];
}

/** Undefined if the person or the channel is gone, or if nothing is left that the person may still see and decide. */
async function findRecipient(
  parts: NotifyingParts,
  workspaceId: string,
  { userId, channelId, notices }: NotificationMessage,
): Promise<Recipient | undefined> {
  const principal = await findPerson(parts, workspaceId, userId);
  const workspace = parts.storage.workspace(workspaceId);
  const user = await workspace.findUser(userId);
  const channel = (await workspace.notifications.listChannels()).find(({ id }) => id === channelId);
  if (!principal || !user || !channel) return undefined;
  const said: Said[] = [];
  for (const notice of notices) {
    const one = await describeFor(parts, principal, notice);
    if (one) said.push(one);
  }
  return said.length === 0 ? undefined : { principal, user, channel, said };
}

/** The person with the rights that they have now; undefined for one who cannot sign in. */
export async function findPerson(
  { storage, now }: Pick<NotifyingParts, 'storage' | 'now'>,
  workspaceId: string,
  userId: string,
): Promise<Principal | undefined> {
  const workspace = storage.workspace(workspaceId);
  const rights = await findPresentRights(workspace, { kind: 'user', id: userId }, now());
  const user = rights && (await workspace.findUser(userId));
  return user && { kind: 'user', id: user.id, name: user.name, workspaceId, ...rights };
}

type Sending = Pick<Delivering, 'message' | 'signal'>;

/** What is known about a message once it has arrived. */
type Arrived = Pick<NotificationMessage, 'shown'>;

/** Undefined if the person has no confirmed address there any more. */
async function send(parts: NotifyingParts, recipient: Recipient, sending: Sending): Promise<Arrived | undefined> {
  const { channel } = recipient;
  if (channel.kind === 'email') return sendEmail(parts, recipient, sending);
  if (channel.kind === 'slack') return sendToSlack(parts, recipient, sending);
  return sendWebhook(parts, recipient, sending);
}

/** The same in each attempt. */
const effectKey = ({ id }: NotificationMessage): string => id.replaceAll('-', '');

/** A mail server cannot be asked whether it took a mail: a second one has the same Message-ID. */
async function sendEmail(parts: NotifyingParts, recipient: Recipient, { message, signal }: Sending): Promise<Arrived> {
  const { channel, principal, said, user } = recipient;
  if (user.email === undefined)
    throw new HelveError('invalid_input', `${user.name} has no e-mail address`, { hint: 'An admin sets it.' });
  const input = composeEmail(said, user.email);
  const effect = { key: effectKey(message) };
  await callAsMaker(parts, principal.workspaceId, { channel, tool: 'send_smtp_email', input, effect, signal });
  return {};
}

async function sendToSlack(
  parts: NotifyingParts,
  { channel, principal, said }: Recipient,
  { message, signal }: Sending,
): Promise<Arrived | undefined> {
  const { workspaceId, id } = principal;
  const choices = await parts.storage.workspace(workspaceId).notifications.listChoices();
  const link = choices.find(({ userId, channelId }) => userId === id && channelId === channel.id)?.slack;
  if (link?.confirmedAt === undefined) return undefined;
  const about = { workspaceId, channelId: channel.id, messageId: message.id };
  const keys = await findKeys(parts, about);
  const { text, blocks } = composeSlack(
    said,
    keys && ((approvalId, decision) => writeValue({ ...about, approvalId, decision }, keys)),
  );
  const { doubtfulSince } = message;
  const posted = await callAsMaker(parts, workspaceId, {
    channel,
    tool: 'post_message',
    input: { channel: link.conversation, text, blocks: [...blocks] },
    effect: { key: effectKey(message), ...(doubtfulSince === undefined ? {} : { doubtfulSince }) },
    signal,
  });
  return keys ? { shown: { ts: String(posted.ts), forms: [hashShown(blocks)] } } : {};
}

/** Its receiver knows a repetition by the `webhook-id`. */
async function sendWebhook(
  parts: NotifyingParts,
  { channel, principal, user, said }: Recipient,
  { message, signal }: Sending,
): Promise<Arrived> {
  const { workspaceId } = principal;
  await getMaker(parts, workspaceId, channel);
  const { url, secret } = await readWebhook(parts, workspaceId, channel);
  const body = JSON.stringify(composeWebhook(said, { id: message.id, at: message.createdAt, person: user }));
  const timestamp = Math.floor(parts.now().getTime() / 1_000);
  const signed = signWebhook(secret, { id: `msg_${effectKey(message)}`, timestamp, body });
  const limits = { allowedDomains: [new URL(url).hostname], maxRedirects: 0, timeoutMs: 15_000, maxBytes: 65_536 };
  const headers = { 'content-type': 'application/json', ...signed };
  const { status } = await parts.http(limits, signal).fetch({ url, method: 'POST', headers, body });
  if (status >= 200 && status < 300) return {};
  throw new HelveError('upstream_failed', `The receiver answered with status ${status}`, {
    hint: 'It must answer with a 2xx status as soon as it has received the message.',
  });
}

/** What is in the vault for a webhook. */
export interface StoredWebhook {
  readonly url: string;
  readonly secret: string;
}

async function readWebhook(
  { storage, accounts }: Pick<NotifyingParts, 'storage' | 'accounts'>,
  workspaceId: string,
  { id, name }: NotificationChannel,
): Promise<StoredWebhook> {
  const subject = notificationSubject(id);
  const stored = await storage.workspace(workspaceId).secrets.find(subject);
  if (!stored) throw new HelveError('not_found', `The channel ${name} no longer has a secret`);
  return JSON.parse(await accounts.vault.open({ workspaceId, subject }, stored)) as StoredWebhook;
}

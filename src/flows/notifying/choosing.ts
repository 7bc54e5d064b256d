/**
 * What a person chooses for themselves. An e-mail goes to the address that Helve has of them. A member of Slack is theirs once they
 * have entered, in a session of Helve, the code that was sent to that member: nobody else of Slack can read it, and nobody else's
 * session can enter it.
 */
import { randomInt } from 'node:crypto';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type {
  ChooseNotifications,
  NotificationActs,
  NotificationChannel,
  NotificationChoice,
  NotificationChoiceView,
  SlackLink,
} from '../../domain/notifications.js';
import type { Principal } from '../../domain/principal.js';
import { sha256 } from '../../util/hash.js';
import { changedInLine, draft } from '../workspaces/index.js';
import { getChannel } from './channels.js';
import type { NotifyingParts } from './parts.js';
import { callAsMaker } from './sender.js';
import { section } from './slack/message.js';

type Choosing = Pick<NotificationActs, 'notificationChoices' | 'chooseNotifications' | 'confirmNotifications'>;

const codeMinutes = 10;
const maxWrongCodes = 5;
/** At most one code a minute, so that nobody can flood a member of Slack with codes. */
const pauseMs = 60_000;
const memberForm = /^[UW][A-Z0-9]{2,30}$/;

export function createChoosing(parts: NotifyingParts): Choosing {
  const listOwn = async ({ workspaceId, id }: Principal): Promise<readonly NotificationChoice[]> => {
    const choices = await parts.storage.workspace(workspaceId).notifications.listChoices();
    return choices.filter(({ userId }) => userId === id);
  };
  const findOwn = async (principal: Principal, channelId: string) =>
    (await listOwn(principal)).find((one) => one.channelId === channelId);
  /** `revision`: nothing is written if something changed since; throws `conflict`. */
  const save = async (
    principal: Principal,
    channel: NotificationChannel,
    { revision, ...choice }: NotificationChoice & { readonly revision?: number },
  ) => {
    const { kinds, slack } = choice;
    const chosen = { channel: channel.id, kinds: [...kinds] };
    const body: JsonObject = slack
      ? { ...chosen, slack: slack.member, confirmed: slack.confirmedAt !== undefined }
      : chosen;
    const row = draft('notification_choice.changed', principal, parts.now(), body);
    const workspace = parts.storage.workspace(principal.workspaceId);
    await workspace.change([row], (tables) => tables.putNotificationChoice(choice), revision);
    return viewOf(parts, { channel, choice, principal });
  };
  return {
    async notificationChoices(principal) {
      if (principal.kind !== 'user') return [];
      const { notifications } = parts.storage.workspace(principal.workspaceId);
      const channels = await notifications.listChannels();
      const own = await listOwn(principal);
      const known = channels.flatMap((channel) => {
        const choice = own.find(({ channelId }) => channelId === channel.id);
        return choice ? [viewOf(parts, { channel, choice, principal })] : [];
      });
      return Promise.all(known);
    },
    async chooseNotifications(principal, channelId, { kinds, slackMember }) {
      requirePerson(principal);
      const channel = await getChannel(parts, principal, channelId);
      const before = await findOwn(principal, channelId);
      const chosen = { userId: principal.id, channelId, kinds: [...new Set(kinds)] };
      if (channel.kind === 'email' && kinds.length > 0) await requireAddress(parts, principal);
      if (channel.kind !== 'slack') {
        refuseMember(channel, slackMember);
        return save(principal, channel, chosen);
      }
      const linked = await linkMember(parts, principal, { channel, before: before?.slack, slackMember });
      return changedInLine(parts, principal.workspaceId, async ({ revision }) => {
        // A code that is entered meanwhile counts.
        const slack = linked === before?.slack ? (await findOwn(principal, channelId))?.slack : linked;
        return save(principal, channel, { ...chosen, revision, ...(slack && { slack }) });
      });
    },
    async confirmNotifications(principal, channelId, code) {
      requirePerson(principal);
      // Each wrong code is counted, however many are sent at once.
      const revision = await parts.storage.workspace(principal.workspaceId).revision();
      const channel = await getChannel(parts, principal, channelId);
      const choice = await findOwn(principal, channelId);
      const link = choice?.slack;
      if (!choice || link?.codeHash === undefined)
        throw new HelveError('not_found', 'No code was sent', { hint: 'Enter your Slack member ID first.' });
      const { codeHash, codeExpiresAt, wrongCodes = 0, member, conversation } = link;
      const now = parts.now().toISOString();
      if (codeExpiresAt === undefined || codeExpiresAt <= now || wrongCodes >= maxWrongCodes)
        throw new HelveError('expired', 'The code has expired', { hint: 'Ask for another one.' });
      if (hashCode(principal, code) !== codeHash) {
        const slack = { ...link, wrongCodes: wrongCodes + 1 };
        await save(principal, channel, { ...choice, slack, revision });
        throw new HelveError('invalid_input', 'This code is wrong', {
          hint: 'Enter the code that Slack shows in your direct messages.',
        });
      }
      await refuseTaken(parts, principal, { channelId, member });
      return save(principal, channel, { ...choice, revision, slack: { member, conversation, confirmedAt: now } });
    },
  };
}

function requirePerson(principal: Principal): void {
  if (principal.kind === 'user') return;
  throw new HelveError('forbidden', 'Only a person can choose notifications, and only their own', {
    hint: 'Sign in to the panel.',
  });
}

async function requireAddress({ storage }: NotifyingParts, { workspaceId, id, name }: Principal): Promise<void> {
  if ((await storage.workspace(workspaceId).findUser(id))?.email !== undefined) return;
  throw new HelveError('invalid_input', `${name} has no e-mail address in Helve`, {
    hint: 'An admin sets it: helve users change <id> --email <address>.',
  });
}

function refuseMember({ name }: NotificationChannel, slackMember: string | undefined): void {
  if (slackMember === undefined) return;
  throw new HelveError('invalid_input', `${name} is not a channel of Slack, so it has no members`);
}

interface Linking {
  readonly channel: NotificationChannel;
  readonly before: SlackLink | undefined;
  readonly slackMember: ChooseNotifications['slackMember'];
}

/** Sends a code to a member that is not linked yet. */
async function linkMember(
  parts: NotifyingParts,
  principal: Principal,
  { channel, before, slackMember }: Linking,
): Promise<SlackLink | undefined> {
  if (slackMember === undefined || (before?.confirmedAt !== undefined && before.member === slackMember)) return before;
  if (!memberForm.test(slackMember))
    throw new HelveError('invalid_input', 'A Slack member ID looks like U0123ABC', {
      hint: 'In Slack: your profile, More, Copy member ID.',
    });
  await refuseTaken(parts, principal, { channelId: channel.id, member: slackMember });
  const now = parts.now().getTime();
  const sentAt = before?.codeExpiresAt === undefined ? 0 : Date.parse(before.codeExpiresAt) - codeMinutes * 60_000;
  if (now - sentAt < pauseMs || !(await isFirst(parts, principal, { channelId: channel.id, now })))
    throw new HelveError('rate_limited', 'A code was sent less than a minute ago', { hint: 'Wait a minute.' });
  const code = String(randomInt(0, 100_000_000)).padStart(8, '0');
  const { workspaceId } = principal;
  const signal = AbortSignal.timeout(60_000);
  const opened = await callAsMaker(parts, workspaceId, {
    channel,
    tool: 'open_direct_message',
    input: { users: [slackMember] },
    signal,
  });
  const conversation = String(opened.channel);
  const text = `Your code for Helve is ${code.slice(0, 4)} ${code.slice(4)}. Enter it only if you asked for it yourself, in Helve.`;
  const input = { channel: conversation, text, blocks: [section(text)] };
  await callAsMaker(parts, workspaceId, { channel, tool: 'post_message', input, signal });
  const codeExpiresAt = new Date(now + codeMinutes * 60_000).toISOString();
  return { member: slackMember, conversation, codeHash: hashCode(principal, code), codeExpiresAt };
}

/** Of several requests at the same time one sends a code. */
function isFirst(
  { storage }: NotifyingParts,
  { workspaceId, id }: Principal,
  { channelId, now }: { readonly channelId: string; readonly now: number },
): Promise<boolean> {
  const key = `code/${workspaceId}/${id}/${channelId}/${Math.floor(now / pauseMs)}`;
  return storage.system.useOnce(sha256(key), new Date(now + pauseMs).toISOString());
}

const hashCode = ({ workspaceId, id }: Principal, code: string): string =>
  sha256(`${workspaceId}/${id}/${code.replaceAll(/[\s-]/g, '')}`);

/** A member of Slack is linked to one person at most. */
async function refuseTaken(
  { storage }: NotifyingParts,
  { workspaceId, id }: Principal,
  { channelId, member }: { readonly channelId: string; readonly member: string },
): Promise<void> {
  const choices = await storage.workspace(workspaceId).notifications.listChoices();
  const taken = choices.find(
    ({ userId, slack, ...one }) =>
      userId !== id && one.channelId === channelId && slack?.member === member && slack.confirmedAt !== undefined,
  );
  if (!taken) return;
  throw new HelveError('conflict', 'This Slack member is already linked to somebody else here');
}

interface Chosen {
  readonly principal: Principal;
  readonly channel: NotificationChannel;
  readonly choice: NotificationChoice;
}

async function viewOf(
  { storage }: Pick<NotifyingParts, 'storage'>,
  { principal, channel: { kind, id }, choice: { kinds, slack } }: Chosen,
): Promise<NotificationChoiceView> {
  const user = kind === 'email' ? await storage.workspace(principal.workspaceId).findUser(principal.id) : undefined;
  const address = user?.email ?? slack?.member;
  const confirmed = kind !== 'slack' || slack?.confirmedAt !== undefined;
  return { channelId: id, kinds, confirmed, ...(address !== undefined && { address }) };
}

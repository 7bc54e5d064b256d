/**
 * A button of Slack is pressed. Who presses is known by Slack's signature and the member's link to a person; what they decide, by
 * the message that Helve has sent to this member, which must still show what it showed.
 */
import { z } from 'zod';
import { HelveError, toHelveError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import type { ButtonActs } from '../../../domain/notification-buttons.js';
import type { NotificationMessage } from '../../../domain/notifications.js';
import type { Principal } from '../../../domain/principal.js';
import { sha256 } from '../../../util/hash.js';
import { parseBoundedJson } from '../../../util/json-text.js';
import { draft, systemPrincipal } from '../../workspaces/index.js';
import { findPerson } from '../deliver.js';
import type { NotifyingParts } from '../parts.js';
import { type ButtonKeys, findKeys, isCodeOf, type Pressed, readValue } from './keys.js';
import { escapeSlack, hashShown, type ShownBlocks, shownBlocks, withoutButtons } from './message.js';
import { expiryOf, refused, requireSigned } from './signature.js';

const pressShape = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: z.string() }),
  team: z.object({ id: z.string() }).nullish(),
  channel: z.object({ id: z.string() }).nullish(),
  message: z.object({ ts: z.string(), blocks: shownBlocks, attachments: z.array(z.unknown()).nullish() }).nullish(),
  response_url: z.string().nullish(),
  actions: z.array(z.object({ value: z.string().nullish() })).min(1),
});
type Press = z.output<typeof pressShape>;

/** Slack waits for three seconds. */
const answerMs = 2_000;

export function createPressActs(parts: NotifyingParts): Pick<ButtonActs, 'receiveSlackAction'> {
  return {
    async receiveSlackAction(delivery) {
      const press = readPress(delivery.body);
      const value = press?.actions[0]?.value ?? '';
      const read = readValue(value);
      // Links are buttons too, and Slack also reports presses of them.
      if (!press || !read) return { decided: false, shown: false };
      const { pressed, code } = read;
      const keys = await findKeys(parts, pressed);
      const { signature, seconds } = requireSigned(delivery, keys?.signingSecret, parts.now());
      if (!keys) throw refused('it is not signed by the app of the channel', 'Set the signing secret of the channel.');
      const expiresAt = new Date(expiryOf(seconds)).toISOString();
      if (!(await parts.storage.system.useOnce(sha256(`slack/${pressed.channelId}/${signature}`), expiresAt)))
        throw refused('it was received before', 'Press the button again.');
      try {
        if (!isCodeOf(code, pressed, keys)) throw notSent();
        return await decide(parts, { press, pressed, keys, value });
      } catch (thrown) {
        const error = toHelveError(thrown);
        await recordRefusal(parts, { press, pressed, error });
        const text = escapeSlack([error.message, error.hint].filter((one) => one !== undefined).join('. '));
        await answer(parts, press, { response_type: 'ephemeral', replace_original: false, text });
        throw error;
      }
    },
  };
}

/** Undefined for anything else that Slack reports. */
function readPress(body: Uint8Array): Press | undefined {
  try {
    const form = new URLSearchParams(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
    return pressShape.safeParse(parseBoundedJson(form.get('payload') ?? '')).data;
  } catch {
    throw new HelveError('invalid_input', 'This is not a request from Slack', {
      hint: 'Slack sends a form whose field `payload` is JSON.',
    });
  }
}

interface Pressing {
  readonly press: Press;
  readonly pressed: Pressed;
  readonly keys: ButtonKeys;
  readonly value: string;
}

async function decide(parts: NotifyingParts, pressing: Pressing) {
  const { press, pressed, value } = pressing;
  const { message, blocks, person } = await findPressed(parts, pressing);
  const { approvalId, decision } = pressed;
  if (!(await parts.findDecidable(person, approvalId)))
    throw new HelveError('conflict', 'There is nothing left for you to decide: the call was decided, or has expired', {
      hint: 'Helve shows the outcome.',
    });
  await parts.decide(person, approvalId, decision);
  const verb = decision === 'approved' ? 'Approved' : 'Declined';
  const shown = withoutButtons(blocks, value, `${verb} by ${person.name}`);
  // Before Slack shows it: the buttons that are left must work.
  await parts.storage.workspace(pressed.workspaceId).notifications.addShown(message.id, hashShown(shown));
  const text = escapeSlack(`Helve: ${verb.toLowerCase()}`);
  return { decided: true, shown: await answer(parts, press, { replace_original: true, text, blocks: [...shown] }) };
}

const notSent = (): HelveError =>
  new HelveError('forbidden', 'This is not the message that Helve has sent, so nothing is decided here', {
    hint: 'Open the call in Helve.',
  });

interface Found {
  readonly message: NotificationMessage;
  readonly blocks: ShownBlocks;
  readonly person: Principal;
}

/** The message whose button it is, and the person who pressed. Throws `forbidden`. */
async function findPressed(parts: NotifyingParts, { press, pressed, keys }: Pressing): Promise<Found> {
  const { workspaceId, channelId, messageId, approvalId } = pressed;
  const { notifications } = parts.storage.workspace(workspaceId);
  const message = await notifications.findMessage(messageId);
  const isOfChannel = message?.channelId === channelId && message.notices.some((one) => isAbout(one, approvalId));
  if (!message?.shown || !isOfChannel) throw notSent();
  const choices = await notifications.listChoices();
  const link = choices.find((one) => one.userId === message.userId && one.channelId === channelId)?.slack;
  const isLinked = link?.confirmedAt !== undefined && link.member === press.user.id && press.team?.id === keys.team;
  if (!isLinked)
    throw new HelveError('forbidden', 'This message was sent to somebody else, or you are no longer linked to Helve', {
      hint: 'Only the member of Slack to whom Helve sent it decides here.',
    });
  requireUnchanged(press, { conversation: link.conversation, shown: message.shown });
  const person = await findPerson(parts, workspaceId, message.userId);
  if (!person) throw new HelveError('forbidden', 'You may no longer sign in to Helve', { hint: 'Ask an admin.' });
  return { message, blocks: press.message?.blocks ?? [], person };
}

const isAbout = ({ kind, key }: NotificationMessage['notices'][number], approvalId: string): boolean =>
  kind === 'approval' && key === `approval:${approvalId}`;

/** Whoever has the account of the channel can change its messages, so what Slack shows is compared with what Helve sent. */
function requireUnchanged(
  { message, channel }: Press,
  { conversation, shown }: { readonly conversation: string; readonly shown: NonNullable<NotificationMessage['shown']> },
): void {
  const isSame = message?.ts === shown.ts && channel?.id === conversation && (message.attachments ?? []).length === 0;
  if (!isSame || !shown.forms.includes(hashShown(message.blocks as unknown as JsonObject[]))) throw notSent();
}

/** Whether Slack took it. */
async function answer(parts: NotifyingParts, { response_url: given }: Press, body: JsonObject): Promise<boolean> {
  const { slackHooks, http } = parts;
  if (!given?.startsWith(`${slackHooks}/`)) return false;
  const { hostname } = new URL(slackHooks);
  const limits = { allowedDomains: [hostname], maxRedirects: 0, timeoutMs: answerMs, maxBytes: 65_536 };
  const headers = { 'content-type': 'application/json' };
  try {
    const sent = { url: given, method: 'POST' as const, headers, body: JSON.stringify(body) };
    return (await http(limits, AbortSignal.timeout(answerMs)).fetch(sent)).status === 200;
  } catch {
    // What was decided holds, whatever Slack shows.
    return false;
  }
}

async function recordRefusal(
  { journal, now }: NotifyingParts,
  { press, pressed, error }: Pick<Pressing, 'press' | 'pressed'> & { readonly error: HelveError },
): Promise<void> {
  const { workspaceId, channelId, messageId } = pressed;
  const member = press.user.id.slice(0, 40);
  const body = {
    reason: 'button in Slack',
    code: error.code,
    channel: channelId,
    message: messageId.slice(0, 100),
    member,
  };
  const row = draft('request.refused', systemPrincipal(workspaceId), now(), body);
  await journal.append({ workspaceId, events: [row] });
}

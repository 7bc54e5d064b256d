/**
 * What the buttons of a channel need: the signing secret of the Slack app, by which its requests are known; the team, since members
 * are unique only in one; and a key of Helve's own, so that a button is of use only to whoever was sent it. Everybody who knows the
 * signing secret (another workspace that uses the same app) lacks that key.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApprovalDecision } from '../../../domain/approval.js';
import { HelveError } from '../../../domain/errors.js';
import {
  type ChangeNotificationChannel,
  type NotificationActs,
  type NotificationChannel,
  notificationSubject,
} from '../../../domain/notifications.js';
import type { Principal } from '../../../domain/principal.js';
import { draft } from '../../workspaces/index.js';
import { getChannel } from '../channels.js';
import type { NotifyingParts } from '../parts.js';
import { callAsMaker } from '../sender.js';
import { viewOf } from '../view.js';

export interface ButtonKeys {
  readonly signingSecret: string;
  readonly team: string;
  /** 32 bytes in base64. */
  readonly buttonKey: string;
}

const secretForm = /^[\x21-\x7e]{16,200}$/;

export function createKeyActs(parts: NotifyingParts): Pick<NotificationActs, 'changeNotificationChannel'> {
  return {
    async changeNotificationChannel(principal, id, { signingSecret }) {
      if (principal.kind === 'agent')
        throw new HelveError('forbidden', 'An agent cannot decide how calls are approved', {
          hint: 'An admin sets the signing secret.',
        });
      const channel = await getChannel(parts, principal, id);
      if (channel.kind !== 'slack')
        throw new HelveError('invalid_input', `${channel.name} is not a channel of Slack, so it has no buttons`);
      await keep(parts, principal, { channel, signingSecret });
      return viewOf(parts, principal, { channel, givenUp: 0 });
    },
  };
}

async function keep(
  parts: NotifyingParts,
  principal: Principal,
  { channel, signingSecret }: ChangeNotificationChannel & { readonly channel: NotificationChannel },
): Promise<void> {
  const { workspaceId } = principal;
  const { id, kind, name } = channel;
  const subject = notificationSubject(id);
  const body = { channel: id, kind, name, buttons: signingSecret !== null };
  const row = draft('notification_channel.changed', principal, parts.now(), body);
  const workspace = parts.storage.workspace(workspaceId);
  if (signingSecret === null) {
    await workspace.change([row], (tables) => tables.deleteSecret(subject));
    return;
  }
  if (!secretForm.test(signingSecret))
    throw new HelveError('invalid_input', 'This is not the signing secret of a Slack app', {
      hint: 'In Slack: the app, Basic Information, Signing Secret.',
    });
  const signal = AbortSignal.timeout(60_000);
  const { team_id: team } = await callAsMaker(parts, workspaceId, {
    channel,
    tool: 'get_current_user',
    input: {},
    signal,
  });
  const keys: ButtonKeys = { signingSecret, team: String(team), buttonKey: randomBytes(32).toString('base64') };
  const sealed = await parts.accounts.vault.seal({ workspaceId, subject }, JSON.stringify(keys));
  await workspace.change([row], (tables) => tables.putSecret(subject, sealed, parts.now().toISOString()));
}

/** Undefined if the channel has no buttons, or if no key of the vault opens them. */
export async function findKeys(
  { storage, accounts }: Pick<NotifyingParts, 'storage' | 'accounts'>,
  { workspaceId, channelId }: { readonly workspaceId: string; readonly channelId: string },
): Promise<ButtonKeys | undefined> {
  const subject = notificationSubject(channelId);
  const stored = await storage.workspace(workspaceId).secrets.find(subject);
  if (!stored) return undefined;
  const opened = await accounts.vault.open({ workspaceId, subject }, stored).catch((error: unknown) => {
    if (error instanceof HelveError && error.code === 'connection_inaccessible') return undefined;
    throw error;
  });
  const kept = opened === undefined ? {} : (JSON.parse(opened) as Partial<ButtonKeys>);
  // The secret of a webhook has another form.
  return kept.signingSecret === undefined ? undefined : (kept as ButtonKeys);
}

/** What a button says when it is pressed. */
export interface Pressed {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly messageId: string;
  readonly approvalId: string;
  readonly decision: ApprovalDecision;
}

const partsOf = ({ workspaceId, channelId, messageId, approvalId, decision }: Pressed): readonly string[] => [
  workspaceId,
  channelId,
  messageId,
  approvalId,
  decision,
];

const codeOf = (pressed: Pressed, { buttonKey }: ButtonKeys): string =>
  createHmac('sha256', Buffer.from(buttonKey, 'base64'))
    .update(JSON.stringify(partsOf(pressed)))
    .digest('base64url');

export const writeValue = (pressed: Pressed, keys: ButtonKeys): string =>
  JSON.stringify([...partsOf(pressed), codeOf(pressed, keys)]);

/** Undefined for a value that is not from a button of Helve. */
export function readValue(value: string): { readonly pressed: Pressed; readonly code: string } | undefined {
  const read = parseValue(value);
  if (!Array.isArray(read) || read.length !== 6 || !read.every((one) => typeof one === 'string')) return undefined;
  const [workspaceId, channelId, messageId, approvalId, decision, code] = read as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  if (decision !== 'approved' && decision !== 'rejected') return undefined;
  return { pressed: { workspaceId, channelId, messageId, approvalId, decision }, code };
}

function parseValue(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

export function isCodeOf(code: string, pressed: Pressed, keys: ButtonKeys): boolean {
  const expected = Buffer.from(codeOf(pressed, keys));
  const given = Buffer.from(code);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

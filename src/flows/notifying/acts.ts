/** Setting up channels, and choosing what reaches oneself through them. */
import { principalRef } from '../../audit/index.js';
import type { Connection } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import {
  type NewNotificationChannel,
  type NotificationActs,
  type NotificationChannel,
  type NotificationMessageView,
  notificationSubject,
} from '../../domain/notifications.js';
import type { Principal } from '../../domain/principal.js';
import { visibleConnections } from '../../grants/index.js';
import { newId } from '../../util/hash.js';
import { isLoopback } from '../../util/loopback.js';
import { parseUrl } from '../../util/parse-url.js';
import { draft } from '../workspaces/index.js';
import { getChannel } from './channels.js';
import { createChoosing } from './choosing.js';
import type { NotifyingParts } from './parts.js';
import { senders } from './sender.js';
import { createKeyActs } from './slack/keys.js';
import { createPressActs } from './slack/press.js';
import { viewOf } from './view.js';
import { newWebhookSecret } from './webhook-secret.js';

const maxListed = 50;
const maxChannels = 50;
const maxKept = 1_000;

export function createNotificationActs(parts: NotifyingParts): NotificationActs {
  const table = ({ workspaceId }: Principal) => parts.storage.workspace(workspaceId).notifications;
  return {
    ...createChoosing(parts),
    ...createKeyActs(parts),
    ...createPressActs(parts),
    async notificationChannels(principal) {
      const channels = await table(principal).listChannels();
      const failed = await table(principal).listMessages({ state: 'given_up', limit: maxKept });
      return Promise.all(
        channels.map((channel) => {
          const givenUp = failed.filter(({ channelId }) => channelId === channel.id).length;
          return viewOf(parts, principal, { channel, givenUp });
        }),
      );
    },
    createNotificationChannel: (principal, given) => create(parts, principal, given),
    async removeNotificationChannel(principal, id) {
      const channel = await getChannel(parts, principal, id);
      const row = draft('notification_channel.removed', principal, parts.now(), rowOf(channel));
      await parts.storage.workspace(principal.workspaceId).change([row], async (tables) => {
        await tables.deleteSecret(notificationSubject(id));
        await tables.deleteNotificationChannel(id);
      });
    },
    async notificationMessages(principal) {
      const own = await table(principal).listMessages({ userId: principal.id, limit: maxListed });
      return own.map(
        ({ id, channelId, state, attempts, createdAt, dueAt, error, notices }): NotificationMessageView => {
          const kinds = [...new Set(notices.map(({ kind }) => kind))];
          const known = { id, channelId, state, attempts, createdAt, dueAt, kinds, count: notices.length };
          return error === undefined ? known : { ...known, error };
        },
      );
    },
  };
}

async function create(parts: NotifyingParts, principal: Principal, given: NewNotificationChannel) {
  if (principal.kind === 'agent')
    throw new HelveError('forbidden', 'An agent cannot make a notification channel', {
      hint: 'Messages are sent with the rights of whoever makes the channel, so a person or an API key must make it.',
    });
  const { workspaceId } = principal;
  const workspace = parts.storage.workspace(workspaceId);
  if ((await workspace.notifications.listChannels()).length >= maxChannels)
    throw new HelveError('conflict', `A workspace has at most ${maxChannels} notification channels`);
  const made = {
    id: newId(),
    name: given.name,
    createdBy: principalRef(principal),
    createdAt: parts.now().toISOString(),
  };
  const { channel, kept, secret } = await admit(parts, principal, given);
  const whole: NotificationChannel = { ...made, ...channel };
  const subject = notificationSubject(whole.id);
  const sealed = kept && (await parts.accounts.vault.seal({ workspaceId, subject }, JSON.stringify(kept)));
  const row = draft('notification_channel.created', principal, parts.now(), rowOf(whole));
  await workspace.change([row], async (tables) => {
    await tables.insertNotificationChannel(whole);
    if (sealed) await tables.putSecret(subject, sealed, whole.createdAt);
  });
  const view = await viewOf(parts, principal, { channel: whole, givenUp: 0 });
  return secret === undefined ? { channel: view } : { channel: view, secret };
}

interface Admitted {
  readonly channel: Pick<NotificationChannel, 'kind' | 'connectionId' | 'origin'>;
  /** For the vault. */
  readonly kept?: Readonly<Record<string, string>>;
  /** For the one who makes the channel. */
  readonly secret?: string;
}

async function admit(parts: NotifyingParts, principal: Principal, given: NewNotificationChannel): Promise<Admitted> {
  const { kind, connection, url } = given;
  if (kind === 'webhook') {
    if (url === undefined || connection !== undefined)
      throw new HelveError('invalid_input', 'A webhook has a url, and nothing else', {
        hint: 'Helve makes the secret that signs its messages, and shows it once.',
      });
    const { origin, href } = readWebhookUrl(url);
    const secret = newWebhookSecret();
    return { channel: { kind, origin }, kept: { url: href, secret }, secret };
  }
  if (connection === undefined || url !== undefined)
    throw new HelveError('invalid_input', `A channel of ${kind} has an account, and no url`, {
      hint: `Name an account of ${senders[kind].toolkit} as connection.`,
    });
  const account = await findAccount(parts, principal, { connection, toolkit: senders[kind].toolkit });
  return { channel: { kind, connectionId: account.id } };
}

function readWebhookUrl(text: string): URL {
  const url = parseUrl(text);
  const isFit = url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)));
  if (isFit && url.username === '' && url.password === '') return url;
  throw new HelveError('invalid_input', 'The url of a webhook is an https: address without a user name', {
    hint: 'http: is allowed only for this machine.',
  });
}

async function findAccount(
  { configurations }: Pick<NotifyingParts, 'configurations'>,
  principal: Principal,
  { connection, toolkit }: { readonly connection: string; readonly toolkit: string },
): Promise<Connection> {
  const visible = visibleConnections(await configurations.getFresh(principal.workspaceId), principal);
  const found = visible.find(({ id, slug }) => id === connection || slug === connection);
  if (!found)
    throw new HelveError('not_found', `There is no account ${JSON.stringify(connection.slice(0, 100))}`, {
      hint: `Connect an account of ${toolkit} first.`,
    });
  if (found.toolkit === toolkit) return found;
  throw new HelveError('invalid_input', `${found.slug} is an account of ${found.toolkit}, not of ${toolkit}`, {
    hint: `Name an account of ${toolkit}.`,
  });
}

const rowOf = ({ id, kind, name, connectionId }: NotificationChannel) => ({
  channel: id,
  kind,
  name,
  ...(connectionId === undefined ? {} : { connectionId }),
});

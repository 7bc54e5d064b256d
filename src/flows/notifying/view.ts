/** A channel as a caller sees it. */
import {
  type NotificationChannel,
  type NotificationChannelView,
  notificationSubject,
} from '../../domain/notifications.js';
import type { Principal } from '../../domain/principal.js';
import { visibleConnections } from '../../grants/index.js';
import type { NotifyingParts } from './parts.js';
import { findProblem } from './sender.js';

export async function viewOf(
  parts: NotifyingParts,
  principal: Principal,
  { channel, givenUp }: { readonly channel: NotificationChannel; readonly givenUp: number },
): Promise<NotificationChannelView> {
  const { connectionId, ...shown } = channel;
  // Another person's private account is not named.
  const visible = visibleConnections(await parts.configurations.getFresh(principal.workspaceId), principal);
  const connection = visible.find(({ id }) => id === connectionId)?.slug;
  const problem = await findProblem(parts, principal.workspaceId, channel);
  const { secrets } = parts.storage.workspace(principal.workspaceId);
  const hasButtons = channel.kind === 'slack' && (await secrets.find(notificationSubject(channel.id))) !== undefined;
  return {
    ...shown,
    givenUp,
    ...(channel.kind === 'slack' && { buttons: hasButtons }),
    ...(connection !== undefined && { connection }),
    ...(problem !== undefined && { problem }),
  };
}

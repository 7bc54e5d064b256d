/** Finds a channel of the caller's workspace. */
import { HelveError } from '../../domain/errors.js';
import type { NotificationChannel } from '../../domain/notifications.js';
import type { Principal } from '../../domain/principal.js';
import type { NotifyingParts } from './parts.js';

/** Throws `not_found`. */
export async function getChannel(
  { storage }: Pick<NotifyingParts, 'storage'>,
  { workspaceId }: Principal,
  id: string,
): Promise<NotificationChannel> {
  const channels = await storage.workspace(workspaceId).notifications.listChannels();
  const found = channels.find((one) => one.id === id);
  if (found) return found;
  throw new HelveError('not_found', `There is no notification channel ${JSON.stringify(id.slice(0, 100))}`, {
    hint: 'List the channels for their ids.',
  });
}

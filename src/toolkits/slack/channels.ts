/** Finds a channel by its name. Slack accepts only ids and has no method for this, so the list of channels is read to the end. */
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient } from '../../domain/service.js';
import { didYouMean, nearest } from '../../util/nearest.js';
import { findReason, get, nextCursor, type Paged } from './api.js';

const mostPages = 10;
const pageSize = 1_000;

interface ListedChannel {
  readonly id: string;
  readonly name?: string;
  readonly name_normalized?: string;
  readonly is_archived?: boolean;
  /** Seconds since 1970. */
  readonly created?: number;
  /** Id of a user. */
  readonly creator?: string;
}

interface ChannelList extends Paged {
  readonly channels: readonly ListedChannel[];
}

export async function resolveChannel(service: ServiceClient, channel: string): Promise<string> {
  // In lower case.
  if (/^[CDG][A-Z0-9]+$/.test(channel)) return channel;
  const name = channel.replace(/^#/, '');
  const { channels, complete } = await listAllChannels(service);
  const named = channels.filter((one) => one.name === name || one.name_normalized === name);
  const active = named.filter((one) => !one.is_archived);
  const found = active.length > 0 ? active : named;
  const [first, ...more] = found;
  if (!first) throw noSuchChannel(name, channels, complete);
  if (more.length === 0) return first.id;
  throw new HelveError('invalid_input', `#${name} is the name of ${found.length} channels`, {
    hint: `Give the id of the intended one: ${found.map(({ id }) => id).join(', ')} (get_channel tells them apart).`,
    details: { channels: found.map(({ id }) => id) },
  });
}

export async function listAllChannels(
  service: ServiceClient,
): Promise<{ channels: ListedChannel[]; complete: boolean }> {
  const channels: ListedChannel[] = [];
  let types = 'public_channel,private_channel';
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const listPage = () => get<ChannelList>(service, 'conversations.list', { types, limit: pageSize, cursor });
    const list = await listPage()
      .catch((error: unknown) => {
        if (findReason(error) !== 'missing_scope' || types === 'public_channel') throw error;
        // Without `groups:read` only public channels can be listed.
        types = 'public_channel';
        return listPage();
      })
      .catch((error: unknown) => {
        throw withAdvice(error);
      });
    channels.push(...list.channels);
    cursor = nextCursor(list);
    if (cursor === undefined) return { channels, complete: true };
  }
  return { channels, complete: false };
}

function withAdvice(error: unknown): unknown {
  if (!(error instanceof HelveError) || findReason(error) !== 'missing_scope') return error;
  return new HelveError(error.code, error.message, {
    hint: `${error.hint ?? ''} Or give the id of the channel instead of its name.`.trim(),
    details: { ...error.details },
    cause: error,
  });
}

function noSuchChannel(name: string, channels: readonly ListedChannel[], complete: boolean): HelveError {
  const near = nearest(
    name,
    channels.flatMap((one) => (one.name === undefined || one.is_archived ? [] : [one.name])),
  );
  const places = complete
    ? `There is no channel #${name} that this account can see`
    : `There is no channel #${name} among the first ${channels.length}`;
  const meant = near === undefined ? '' : `${didYouMean(`#${near}`)} `;
  return new HelveError('not_found', places, {
    hint: `${meant}list_channels shows the channels. Only its members can see a private channel.`,
  });
}

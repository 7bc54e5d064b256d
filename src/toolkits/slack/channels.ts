/** A channel by its name. Slack takes ids only, and has no method that finds one: its list is read to the end. */
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient } from '../../domain/service.js';
import { nearest } from '../../util/nearest.js';
import { get, nextCursor, type Paged, reasonOf } from './api.js';
import type { RawChannel } from './shapes/channel.js';

const mostPages = 10;
const pageSize = 1_000;

interface ChannelList extends Paged {
  readonly channels: readonly RawChannel[];
}

export async function resolveChannel(service: ServiceClient, channel: string): Promise<string> {
  // Names are in small letters.
  if (/^[CDG][A-Z0-9]+$/.test(channel)) return channel;
  const name = channel.replace(/^#/, '');
  const { channels, complete } = await allChannels(service);
  const named = channels.filter((one) => one.name === name || one.name_normalized === name);
  const active = named.filter((one) => !one.is_archived);
  const found = active.length > 0 ? active : named;
  const [first, ...more] = found;
  if (!first) throw noSuchChannel(name, channels, complete);
  if (more.length === 0) return first.id;
  throw new HelveError('invalid_input', `#${name} is the name of ${found.length} channels`, {
    hint: `Give the id of the one that is meant: ${found.map(({ id }) => id).join(', ')} (get_channel tells them apart).`,
    details: { channels: found.map(({ id }) => id) },
  });
}

async function allChannels(service: ServiceClient): Promise<{ channels: RawChannel[]; complete: boolean }> {
  const channels: RawChannel[] = [];
  let types = 'public_channel,private_channel';
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    let list: ChannelList;
    try {
      list = await get<ChannelList>(service, 'conversations.list', { types, limit: pageSize, cursor });
    } catch (error) {
      // Without `groups:read` the public ones can be seen all the same.
      if (reasonOf(error) !== 'missing_scope' || types === 'public_channel') throw withAdvice(error);
      types = 'public_channel';
      list = await get<ChannelList>(service, 'conversations.list', { types, limit: pageSize, cursor }).catch(
        (thrown: unknown) => {
          throw withAdvice(thrown);
        },
      );
    }
    channels.push(...list.channels);
    cursor = nextCursor(list);
    if (cursor === undefined) return { channels, complete: true };
  }
  return { channels, complete: false };
}

function withAdvice(error: unknown): unknown {
  if (!(error instanceof HelveError) || reasonOf(error) !== 'missing_scope') return error;
  return new HelveError(error.code, error.message, {
    hint: `${error.hint ?? ''} Or give the id of the channel in place of its name.`.trim(),
    details: { ...error.details },
    cause: error,
  });
}

function noSuchChannel(name: string, channels: readonly RawChannel[], complete: boolean): HelveError {
  const near = nearest(
    name,
    channels.flatMap((one) => (one.name === undefined || one.is_archived ? [] : [one.name])),
  );
  const places = complete
    ? `There is no channel #${name} that this account can see`
    : `There is no channel #${name} among the first ${channels.length}`;
  const meant = near === undefined ? '' : `Did you mean #${near}? `;
  return new HelveError('not_found', places, {
    hint: `${meant}list_channels tells what there is. A private channel is seen only by its members.`,
  });
}

/**
 * Slack takes no idempotency key. So each message carries the key of its effect in its metadata, which Slack does not
 * show. If the answer is lost, the message is looked for among those posted since.
 */
import { HelveError } from '../../domain/errors.js';
import type { ServiceClient } from '../../domain/service.js';
import type { Idempotency } from '../../domain/tool.js';
import { findEarliest } from '../../util/effect-key.js';
import { get, nextCursor, type Paged } from './api.js';

export const byMetadata: Idempotency = {
  by: 'probe',
  how: 'Its metadata names the call, and is looked for among the messages since; the account must be able to read the channel',
};

const eventType = 'helve_call';

export const toMetadata = (effectKey: string) => ({ event_type: eventType, event_payload: { effect: effectKey } });

interface RawMessage {
  readonly ts: string;
  readonly metadata?: { readonly event_type?: string; readonly event_payload?: { readonly effect?: unknown } };
}

interface MessageList extends Paged {
  readonly messages: readonly RawMessage[];
}

const maxPages = 10;

/** The earliest time at which an effect can have happened, in seconds since 1970, as Slack writes times. */
export const earliest = (startedAt: string): number => Math.floor(findEarliest(startedAt).getTime() / 1_000);

interface Place {
  readonly channel: string;
  readonly threadTs: string | undefined;
  readonly startedAt: string;
}

/**
 * Returns the message of this effect. Throws if the channel has too many newer messages to be sure that there is none.
 */
export async function findMessage(
  service: ServiceClient,
  effectKey: string,
  { channel, threadTs, startedAt }: Place,
): Promise<RawMessage | undefined> {
  const method = threadTs === undefined ? 'conversations.history' : 'conversations.replies';
  const common = { channel, ts: threadTs, oldest: earliest(startedAt), include_all_metadata: true, limit: 200 };
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const list = await get<MessageList>(service, method, { ...common, cursor });
    const found = list.messages.find(
      ({ metadata }) => metadata?.event_type === eventType && metadata.event_payload?.effect === effectKey,
    );
    if (found) return found;
    cursor = nextCursor(list);
    if (cursor === undefined) return undefined;
  }
  throw new HelveError('outcome_unknown', 'The channel has too many messages since to look through');
}

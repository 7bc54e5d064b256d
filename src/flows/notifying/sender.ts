/** With whose rights and which account a channel sends. Checked for each message, because either may be removed. */
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { NotificationChannel } from '../../domain/notifications.js';
import type { Principal } from '../../domain/principal.js';
import { visibleConnections } from '../../grants/index.js';
import { decideCall } from '../calling/index.js';
import { findPresentRights } from '../tasks/index.js';
import { freshCatalogue } from '../workspaces/index.js';
import type { NotifyingParts } from './parts.js';

type Parts = Pick<NotifyingParts, 'storage' | 'configurations' | 'catalogue' | 'now'>;

/** The app whose account sends for a kind of channel, and the tool that does it. */
export const senders = {
  email: { toolkit: 'smtp', tool: 'send_smtp_email' },
  slack: { toolkit: 'slack', tool: 'post_message' },
} as const;

/** The person or key that made the channel, with the rights that they have now. Throws `forbidden`. */
export async function getMaker({ storage, now }: Parts, workspaceId: string, { createdBy }: NotificationChannel) {
  const rights = await findPresentRights(storage.workspace(workspaceId), createdBy, now());
  if (!rights?.permissions.includes('tools:call'))
    throw new HelveError('forbidden', `${createdBy.name}, who made the channel, may no longer send`, {
      hint: 'Remove the channel, and make it again.',
    });
  const own = createdBy.kind === 'user' ? {} : { credentialId: createdBy.id };
  return { ...createdBy, workspaceId, ...rights, ...own } satisfies Principal;
}

/** A call of the channel's account as its maker. */
export interface ChannelCall {
  readonly channel: NotificationChannel;
  /** The tool's own name: `post_message`. */
  readonly tool: string;
  readonly input: JsonObject;
  readonly effect?: { readonly key: string; readonly doubtfulSince?: string };
  readonly signal: AbortSignal;
}

/**
 * Makes the call, and returns its output. A call about which a policy would ask a person is not made: that question would be a
 * notification in turn. Throws what went wrong.
 */
export async function callAsMaker(parts: NotifyingParts, workspaceId: string, call: ChannelCall): Promise<JsonObject> {
  const { channel, input, effect, signal } = call;
  const principal = await getMaker(parts, workspaceId, channel);
  const name = await findTool(parts, principal, call);
  const result = await parts.call({ principal, tool: name, input, signal, ...(effect && { effect }) });
  if (result.ok) return result.output as JsonObject;
  const { code, message, hint, details } = result.error;
  throw new HelveError(code, message, { ...(hint && { hint }), ...(details && { details: { ...details } }) });
}

async function findTool(parts: Parts, principal: Principal, { channel, tool, input }: ChannelCall): Promise<string> {
  const { connectionId } = channel;
  const { catalogue, configuration } = await freshCatalogue(parts, principal.workspaceId);
  const account = visibleConnections(configuration, principal).find(({ id }) => id === connectionId);
  if (!account)
    throw new HelveError('connection_inaccessible', `The account of the channel ${channel.name} is gone`, {
      hint: 'Remove the channel, and make it again with another account.',
    });
  const entry = catalogue.of(account.toolkit, account.id).find((one) => one.tool.id.name === tool);
  const decision =
    entry && decideCall({ configuration, principal, tool: entry.tool, connectionId: account.id, input }).decision;
  if (entry && decision?.effect === 'allow') return entry.name;
  throw new HelveError('forbidden', `${principal.name} may not call ${tool} with the account of ${channel.name}`, {
    hint: decision?.reason ?? 'Connect the account again.',
  });
}

/** Why nothing can be sent; undefined if it can. */
export async function findProblem(
  parts: Parts,
  workspaceId: string,
  channel: NotificationChannel,
): Promise<string | undefined> {
  try {
    const maker = await getMaker(parts, workspaceId, channel);
    if (channel.kind === 'webhook') return undefined;
    const { connections } = await parts.configurations.getFresh(workspaceId);
    const account = visibleConnections({ connections }, maker).find(({ id }) => id === channel.connectionId);
    if (account?.status === 'active') return undefined;
    return account ? `Its account is ${account.status}: connect it again` : 'Its account is gone';
  } catch (error) {
    if (error instanceof HelveError) return error.message;
    throw error;
  }
}

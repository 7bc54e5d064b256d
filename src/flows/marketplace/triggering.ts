/** Events in apps: subscriptions, and the events that they receive. */

import type { CatalogueSourceName, CatalogueTrigger, TriggerEvent } from '../../domain/catalogue.js';
import type { Connection } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import type { MarketplaceActs, ReceivedEvent, TriggerSubscription } from '../../domain/marketplace.js';
import type { Principal } from '../../domain/principal.js';
import { seesAccount, visibleConnections } from '../../grants/index.js';
import { schemaIssues } from '../../schema/index.js';
import { canonicalJson } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { idAt } from '../../util/hash.js';
import { createInLine } from '../../util/in-line.js';
import { suggestName } from '../../util/nearest.js';
import { findConnection } from '../connecting/index.js';
import { openByRules } from '../tasks/index.js';
import { draft } from '../workspaces/index.js';
import type { EventSender, MarketplaceParts } from './parts.js';

const defaultEvents = 50;
const maxEvents = 500;
const lifetimeMs = 30 * 24 * 60 * 60_000;
const source: CatalogueSourceName = 'composio';

type Triggering = Pick<
  MarketplaceActs,
  'subscriptions' | 'subscribe' | 'unsubscribe' | 'triggerEvents' | 'receiveEvent'
>;

export function createTriggering(parts: MarketplaceParts): Triggering {
  const { storage, now } = parts;
  const inLine = createInLine();

  return {
    async subscriptions(principal) {
      return visibleSubscriptions(parts, principal);
    },
    subscribe: (principal, wanted) => inLine(principal.workspaceId, () => subscribe(parts, principal, wanted)),
    // In the same line: the sender gives who subscribes to the same meanwhile the subscription that is being ended.
    unsubscribe: (principal, id) => inLine(principal.workspaceId, () => unsubscribe(parts, principal, id)),
    async triggerEvents(principal, { subscription, before, limit: wanted = defaultEvents }) {
      const configuration = await parts.configurations.getFresh(principal.workspaceId);
      const limit = Math.min(wanted, maxEvents);
      const query = {
        // One more says whether there is another page.
        limit: limit + 1,
        connections: visibleConnections(configuration, principal).map((connection) => connection.id),
        ...defined({ subscription, before: before === undefined ? undefined : readPlace(before) }),
      };
      const found = await storage.workspace(principal.workspaceId).triggers.events(query);
      const events = found.slice(0, limit);
      const last = events.at(-1);
      return { events, ...defined({ next: found.length > limit && last ? writePlace(last) : undefined }) };
    },
    async receiveEvent(from, body, headers) {
      const event = await readEvent(findSender(parts, from), body, headers);
      if (!event) return { received: false };
      const found = await storage.system.findSubscription(from, event.subscription);
      if (!found) throw new HelveError('not_found', 'No one here is subscribed to that');
      const { id, trigger, app, at, payload } = event;
      const receivedAt = now();
      const received = { id, trigger, app, at, payload, receivedAt: receivedAt.toISOString() };
      const expiresAt = new Date(receivedAt.getTime() + lifetimeMs).toISOString();
      const { id: subscriptionId, connectionId } = found.subscription;
      const { triggers } = storage.workspace(found.workspaceId);
      const isNew = await triggers.receive({ ...received, subscriptionId, connectionId }, expiresAt);
      // Also of one that came before: the process may have died between the two, and each opens one issue at most.
      await openByRules(parts, found.workspaceId, { ...received, subscriptionId, connectionId });
      return { received: isNew };
    },
  };
}

type Place = Pick<ReceivedEvent, 'receivedAt' | 'id' | 'subscriptionId'>;

/** The place of an event in the list. Only the id, which its sender chose, can contain a slash. */
const writePlace = ({ receivedAt, subscriptionId, id }: Place): string => `${receivedAt}/${subscriptionId}/${id}`;

function readPlace(text: string): Place {
  const [, receivedAt = '', subscriptionId = '', id = ''] = /^([^/]+)\/([^/]+)\/(.+)$/s.exec(text) ?? [];
  if (!Number.isNaN(Date.parse(receivedAt))) return { receivedAt, subscriptionId, id };
  throw new HelveError('invalid_input', 'before is not the `next` of a page of events', {
    hint: 'Send the `next` of the previous page, unchanged.',
  });
}

/** Omits subscriptions of another person's private account. */
async function visibleSubscriptions(
  { storage, configurations }: MarketplaceParts,
  principal: Principal,
): Promise<TriggerSubscription[]> {
  const configuration = await configurations.getFresh(principal.workspaceId);
  const all = await storage.workspace(principal.workspaceId).triggers.list();
  return all.filter(({ connectionId }) => seesAccount(configuration, principal, connectionId));
}

async function subscribe(
  parts: MarketplaceParts,
  principal: Principal,
  { trigger: slug, connection: named, config = {} }: Parameters<MarketplaceActs['subscribe']>[1],
): Promise<TriggerSubscription> {
  const { storage, now } = parts;
  // Whether the caller may see the account is checked before anything else about it.
  const connection = await findConnection(parts, principal, named);
  const sender = findSender(parts, source);
  const trigger = findTrigger(await parts.reader.triggers(source, connection.toolkit), slug, connection.toolkit);
  if (connection.status !== 'active' || !(await isKeptBy(parts, connection)))
    throw new HelveError('invalid_input', `${connection.name} is not a working account stored by ${source}`, {
      hint: `Connect ${connection.toolkit} with the scheme ${source} first.`,
    });
  const issues = schemaIssues(trigger.config, config);
  if (issues.length > 0) {
    const said = issues.map(({ path, message }) => `config${path === '/' ? '' : path} ${message}`).join('; ');
    throw new HelveError('invalid_input', `${trigger.slug}: ${said}`, { details: { schema: trigger.config } });
  }
  const { id: externalId } = await sender.subscribe({
    trigger: trigger.slug,
    reference: connection.settings,
    config,
  });
  const { triggers } = storage.workspace(principal.workspaceId);
  // The sender gives the same account, trigger and settings the same subscription, whose events come once.
  const findKnown = async () =>
    (await triggers.list()).find((one) => one.source === source && one.externalId === externalId);
  const known = await findKnown();
  if (known) return known;
  const subscription = {
    // The same in every process, so that only one of those that subscribe at the same moment stores it.
    id: idAt(connection.createdAt, `${source} ${externalId}`),
    source,
    trigger: trigger.slug,
    app: connection.toolkit,
    connectionId: connection.id,
    externalId,
    config,
    createdAt: now().toISOString(),
  };
  if (!(await triggers.insert(subscription))) return (await findKnown()) ?? subscription;
  // What ends an account ends the subscriptions that it finds: one that came after that is ended here.
  if (!(await isStillThere(parts, principal, connection))) {
    await triggers.delete(subscription.id);
    await sender.unsubscribe(externalId).catch(() => undefined);
    throw new HelveError('conflict', `${connection.name} was disconnected, or signed in again, meanwhile`);
  }
  const facts = { id: subscription.id, trigger: trigger.slug, connectionId: connection.id };
  const row = draft('trigger.subscribed', principal, now(), facts);
  await parts.journal.append({ workspaceId: principal.workspaceId, events: [row] });
  return subscription;
}

async function unsubscribe(parts: MarketplaceParts, principal: Principal, id: string): Promise<void> {
  const { storage, now, journal } = parts;
  const { workspaceId } = principal;
  const subscription = (await visibleSubscriptions(parts, principal)).find((one) => one.id === id);
  if (!subscription) throw new HelveError('not_found', `There is no subscription ${JSON.stringify(id.slice(0, 100))}`);
  await findSender(parts, subscription.source).unsubscribe(subscription.externalId);
  await storage.workspace(workspaceId).triggers.delete(id);
  const row = draft('trigger.unsubscribed', principal, now(), { id, trigger: subscription.trigger });
  await journal.append({ workspaceId, events: [row] });
}

/** Whether it is still the account that it was. */
async function isStillThere(
  { configurations }: MarketplaceParts,
  { workspaceId }: Principal,
  { id, settings }: Connection,
): Promise<boolean> {
  const { connections } = await configurations.getFresh(workspaceId);
  const present = connections.find((one) => one.id === id);
  return present?.status === 'active' && canonicalJson(present.settings) === canonicalJson(settings);
}

/** Undefined for a signed message of another kind, which the sender should not repeat. */
async function readEvent(sender: EventSender, body: Uint8Array, headers: Headers): Promise<TriggerEvent | undefined> {
  try {
    return await sender.read(body, headers);
  } catch (thrown) {
    if (thrown instanceof HelveError && thrown.code === 'invalid_input') return undefined;
    throw thrown;
  }
}

function findSender({ senders }: MarketplaceParts, from: CatalogueSourceName): EventSender {
  const sender = senders.get(from);
  if (sender) return sender;
  throw new HelveError('conflict', `${from} is not configured`, { hint: 'Set COMPOSIO_API_KEY.' });
}

function findTrigger(triggers: readonly CatalogueTrigger[], slug: string, app: string): CatalogueTrigger {
  const found = triggers.find((one) => one.slug === slug.toUpperCase());
  if (found) return found;
  const names = triggers.map((one) => one.slug);
  throw new HelveError('not_found', `${app} has no trigger ${JSON.stringify(slug.slice(0, 100))}`, {
    hint: suggestName(slug.toUpperCase(), names),
  });
}

async function isKeptBy(
  { registry }: MarketplaceParts,
  { toolkit, scheme }: { readonly toolkit: string; readonly scheme: string },
): Promise<boolean> {
  const found = (await registry.findToolkit(toolkit))?.auth?.schemes.find(({ id }) => id === scheme);
  return found?.hostedBy === source;
}

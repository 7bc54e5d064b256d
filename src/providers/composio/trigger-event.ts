/**
 * An event that Composio sent to a webhook. It is signed as Standard Webhooks are, but with the secret as it is written; the
 * body has one of three shapes, depending on the version of the project.
 */
import type { TriggerEvent } from '../../domain/catalogue.js';
import { HelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { parseExactJson } from '../../util/json-text.js';
import { type VerifyOptions, verifyWebhook, type WebhookHeaders, webhookKey } from '../../util/webhook-signature.js';
import { appOfSlug } from './tool-names.js';

export interface TriggerEventOptions extends Omit<VerifyOptions, 'now'> {
  readonly now?: Date;
  /** Slugs of the known apps, to find the app of a trigger. */
  readonly knownApps?: () => ReadonlySet<string> | Promise<ReadonlySet<string>>;
}

/**
 * Returns the event. `body`: the bytes as they came. Throws `unauthenticated` if the message is unsigned, changed, too old or
 * repeated (with `seen`), `invalid_config` if the secret is too short, `invalid_input` for a signed message of another kind.
 */
export async function readTriggerEvent(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: TriggerEventOptions = {},
): Promise<TriggerEvent> {
  const { now, knownApps, ...rest } = options;
  const seconds = now && Math.floor(now.getTime() / 1_000);
  const { id, timestamp } = await verifyWebhook(headers, body, keysFor(secret), {
    ...rest,
    ...defined({ now: seconds }),
  });
  const message = parse(body);
  const { trigger, sentAt, account, ...event } =
    readV3(message) ?? readV1(message) ?? readV2(message) ?? noEvent(message);
  const slug = trigger.toUpperCase();
  return {
    id,
    ...event,
    ...defined({ account }),
    trigger: slug,
    app: appOfSlug(slug, (await knownApps?.()) ?? new Set()),
    at: readTime(sentAt) ?? new Date(timestamp * 1_000).toISOString(),
  };
}

/** Composio uses the text itself as the key, not the bytes that it encodes in base64. */
function keysFor(secret: string): string[] {
  const raw = `whsec_${Buffer.from(secret, 'utf8').toString('base64')}`;
  return webhookKey(secret) ? [raw, secret] : [raw];
}

interface Read {
  readonly trigger: string;
  readonly subscription: string;
  readonly account: string | undefined;
  readonly sentAt: unknown;
  readonly payload: JsonObject;
}

type Message = Readonly<Record<string, unknown>>;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const toObject = (value: unknown): JsonObject => objectOrEmpty(value) as JsonObject;

/** `{ type: 'composio.trigger.message', metadata: { trigger_slug, trigger_id, … }, data, timestamp }` */
function readV3({ metadata, data, timestamp }: Message): Read | undefined {
  if (!isPlainObject(metadata)) return undefined;
  const trigger = text(metadata.trigger_slug);
  const subscription = text(metadata.trigger_id);
  if (trigger === undefined || subscription === undefined) return undefined;
  return {
    trigger,
    subscription,
    account: text(metadata.connected_account_id),
    sentAt: timestamp,
    payload: toObject(data),
  };
}

/** `{ trigger_name, trigger_id, connection_id, payload }` */
function readV1({ trigger_name, trigger_id, connection_id, payload }: Message): Read | undefined {
  const trigger = text(trigger_name);
  const subscription = text(trigger_id);
  if (trigger === undefined || subscription === undefined) return undefined;
  return { trigger, subscription, account: text(connection_id), sentAt: undefined, payload: toObject(payload) };
}

/** `{ type: 'github_commit_event', timestamp, data: { trigger_nano_id, connection_nano_id, …the event }}` */
function readV2({ type, timestamp, data }: Message): Read | undefined {
  const trigger = text(type);
  if (trigger === undefined || !isPlainObject(data)) return undefined;
  const { trigger_nano_id, trigger_id, connection_nano_id, connection_id, user_id: _, ...payload } = data;
  const subscription = text(trigger_nano_id) ?? text(trigger_id);
  if (subscription === undefined) return undefined;
  const account = text(connection_nano_id) ?? text(connection_id);
  return { trigger, subscription, account, sentAt: timestamp, payload: payload as JsonObject };
}

function noEvent({ type }: Message): never {
  const kind = text(type)?.slice(0, 100);
  throw new HelveError('invalid_input', 'The message is not a trigger event', {
    hint: 'Acknowledge it and do nothing else.',
    ...defined({ details: kind === undefined ? undefined : { type: kind } }),
  });
}

function parse(body: string | Uint8Array): Message {
  try {
    const written = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body);
    const message: unknown = parseExactJson(written);
    if (isPlainObject(message)) return message;
  } catch {
    // Reported below.
  }
  throw new HelveError('invalid_input', 'The message is not a JSON object');
}

function readTime(value: unknown): string | undefined {
  const time = typeof value === 'string' ? new Date(value) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

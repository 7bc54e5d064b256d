/** Subscriptions to triggers, and the webhooks that are sent for them. */
import { createHmac } from 'node:crypto';
import { pageOf, refused } from './catalogue.js';
import type { Answer, SeenRequest, TriggerRow } from './shapes.js';
import { nanoid, newUuid, recordOf, type State } from './state.js';

export function upsertTrigger(slug: string, { body }: SeenRequest, state: State): Answer {
  const type = state.data.triggers.find((one) => one.slug === slug);
  if (!type) return refused(404, `Trigger ${slug} not found`, 2401);
  const { connected_account_id: accountId, trigger_config: given } = recordOf(body);
  const account = state.accounts.get(String(accountId));
  if (!account) return refused(404, 'Connected account not found', 1607);
  if (account.toolkit !== type.toolkit.slug) return refused(400, 'The connected account is of another toolkit', 1804);
  const { required = [] } = type.config as { required?: string[] };
  const config = recordOf(given);
  const missing = required.filter((name) => config[name] === undefined);
  if (missing.length > 0) return refused(400, `Missing required trigger config: ${missing.join(', ')}`, 2403);
  const same = [...state.triggers.values()].find(
    (row) => row.slug === slug && row.accountId === account.id && JSON.stringify(row.config) === JSON.stringify(config),
  );
  const row: TriggerRow = same ?? {
    id: nanoid('ti'),
    slug,
    accountId: account.id,
    userId: account.userId,
    config,
    disabled: false,
  };
  row.disabled = false;
  state.triggers.set(row.id, row);
  return { status: 200, body: { trigger_id: row.id, deprecated: { uuid: newUuid() } } };
}

const time = '2026-01-02T03:04:05.678Z';

export function listTriggers({ query }: SeenRequest, { triggers }: State): Answer {
  const among = (name: string, value: string) => query.getAll(name).length === 0 || query.getAll(name).includes(value);
  const rows = [...triggers.values()].filter(
    ({ id, slug, accountId, disabled }) =>
      among('trigger_ids', id) &&
      among('trigger_names', slug) &&
      among('connected_account_ids', accountId) &&
      (!disabled || query.get('show_disabled') === 'true'),
  );
  const page = pageOf(rows, query);
  if (typeof page === 'string') return refused(400, page);
  const items = page.items.map(({ id, slug, accountId, userId, config, disabled }) => ({
    id,
    connected_account_id: accountId,
    trigger_name: slug,
    connected_account_uuid: newUuid(),
    user_id: userId,
    trigger_config: config,
    state: {},
    updated_at: time,
    disabled_at: disabled ? time : null,
    disabledAt: disabled ? time : null,
    connectedAccountId: accountId,
    triggerName: slug,
    updatedAt: time,
    triggerConfig: config,
  }));
  return {
    status: 200,
    body: {
      items,
      next_cursor: page.next,
      total_pages: page.pages,
      current_page: page.page,
      total_items: page.total,
    },
  };
}

export function manageTrigger(id: string, { method, body }: SeenRequest, { triggers }: State): Answer {
  const row = triggers.get(id);
  if (!row) return refused(404, `Trigger instance ${id} not found`, 2402);
  if (method === 'DELETE') {
    triggers.delete(id);
    return { status: 200, body: { trigger_id: id } };
  }
  const { status } = recordOf(body);
  if (status !== 'enable' && status !== 'disable') return refused(400, 'status is enable or disable');
  row.disabled = status === 'disable';
  return { status: 200, body: { status: 'success' } };
}

export interface WebhookToSend {
  /** The address of the webhook. */
  readonly url: string;
  readonly secret: string;
  /** Default `V3`. */
  readonly version?: 'V1' | 'V2' | 'V3';
  readonly payload: Record<string, unknown>;
  /** Default: a new one. */
  readonly id?: string;
  /** Seconds. Default: now. */
  readonly timestamp?: number;
  /** Changes the message after it was signed. */
  readonly tamper?: (body: string) => string;
  readonly unsigned?: boolean;
}

/** The body of an event, in each version of Composio's webhooks. */
export function eventBody(row: TriggerRow, version: 'V1' | 'V2' | 'V3', payload: object, at: string): object {
  const log_id = nanoid('log');
  if (version === 'V1')
    return { trigger_name: row.slug, trigger_id: row.id, connection_id: row.accountId, payload, log_id };
  if (version === 'V2')
    return {
      type: row.slug.toLowerCase(),
      timestamp: at,
      log_id,
      data: {
        connection_id: newUuid(),
        connection_nano_id: row.accountId,
        trigger_nano_id: row.id,
        trigger_id: newUuid(),
        user_id: row.userId,
        ...payload,
      },
    };
  return {
    id: nanoid('evt'),
    timestamp: at,
    type: 'composio.trigger.message',
    metadata: {
      log_id,
      trigger_slug: row.slug,
      trigger_id: row.id,
      connected_account_id: row.accountId,
      auth_config_id: 'ac_1',
      user_id: row.userId,
    },
    data: payload,
  };
}

/** As Composio signs: HMAC-SHA256 of `id.timestamp.body`, with the secret as it is written. */
export function signedHeaders(secret: string, id: string, timestamp: number, body: string): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}

export async function sendEvent(row: TriggerRow, webhook: WebhookToSend): Promise<Response> {
  const timestamp = webhook.timestamp ?? Math.floor(Date.now() / 1_000);
  const at = new Date(timestamp * 1_000).toISOString();
  const body = JSON.stringify(eventBody(row, webhook.version ?? 'V3', webhook.payload, at));
  const signed = webhook.unsigned ? {} : signedHeaders(webhook.secret, webhook.id ?? nanoid('msg'), timestamp, body);
  return fetch(webhook.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed },
    body: webhook.tamper ? webhook.tamper(body) : body,
  });
}

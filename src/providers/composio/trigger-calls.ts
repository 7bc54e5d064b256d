/** Subscriptions to triggers at Composio. */
import type { JsonObject } from '../../domain/json.js';
import { defined } from '../../util/defined.js';
import { type Page, readPage } from './pages.js';
import type { Requests } from './requests.js';
import { subscribed, type TriggerInstance, triggerInstance } from './shapes.js';

export interface TriggerSubscription {
  /** `GITHUB_COMMIT_EVENT` */
  readonly trigger: string;
  readonly connectedAccountId: string;
  readonly config: JsonObject;
}

export interface TriggersQuery {
  readonly connectedAccountIds?: readonly string[];
  readonly ids?: readonly string[];
  /** Includes disabled ones. */
  readonly all?: boolean;
  readonly cursor?: string;
}

export interface TriggerCalls {
  /** The same account, trigger and configuration give the same subscription again. */
  subscribe(subscription: TriggerSubscription): Promise<{ readonly id: string }>;
  listSubscriptions(query: TriggersQuery): Promise<Page<TriggerInstance>>;
  enableSubscription(id: string, enabled: boolean): Promise<void>;
  /** Succeeds if the subscription no longer exists. */
  unsubscribe(id: string): Promise<void>;
}

const upsert = '/trigger_instances/{}/upsert';
const active = '/trigger_instances/active';
const manage = '/trigger_instances/manage/{}';

/** Returns the trigger methods over `requests`. */
export function createTriggerCalls(requests: Requests): TriggerCalls {
  return {
    async subscribe({ trigger, connectedAccountId, config }) {
      const json = { connected_account_id: connectedAccountId, trigger_config: config, toolkit_versions: 'latest' };
      const request = { method: 'POST', route: upsert, parts: [trigger], json, repeatable: true } as const;
      return { id: (await requests.read(request, subscribed)).trigger_id };
    },
    listSubscriptions({ connectedAccountIds, ids, all, cursor }) {
      const query = {
        connected_account_ids: connectedAccountIds,
        trigger_ids: ids,
        limit: 100,
        cursor,
        ...defined({ show_disabled: all || undefined }),
      };
      return readPage(requests, { route: active, query }, triggerInstance);
    },
    async enableSubscription(id, enabled) {
      const json = { status: enabled ? 'enable' : 'disable' };
      await requests.json({ method: 'PATCH', route: manage, parts: [id], json, repeatable: true });
    },
    async unsubscribe(id) {
      await requests.json({ method: 'DELETE', route: manage, parts: [id], accept: [404, 410], repeatable: true });
    },
  };
}

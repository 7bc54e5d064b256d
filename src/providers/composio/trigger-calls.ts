/** Subscriptions to triggers at Composio. */
import type { JsonObject } from '../../domain/json.js';
import type { Requests } from './requests.js';
import { subscribed } from './shapes.js';

export interface TriggerSubscription {
  /** `GITHUB_COMMIT_EVENT` */
  readonly trigger: string;
  readonly connectedAccountId: string;
  readonly config: JsonObject;
}

export interface TriggerCalls {
  /** The same account, trigger and configuration give the same subscription again. */
  subscribe(subscription: TriggerSubscription): Promise<{ readonly id: string }>;
  /** Succeeds if the subscription no longer exists. */
  unsubscribe(id: string): Promise<void>;
}

const upsert = '/trigger_instances/{}/upsert';
const manage = '/trigger_instances/manage/{}';

/** Returns the trigger methods over `requests`. */
export function createTriggerCalls(requests: Requests): TriggerCalls {
  return {
    async subscribe({ trigger, connectedAccountId, config }) {
      const json = { connected_account_id: connectedAccountId, trigger_config: config, toolkit_versions: 'latest' };
      const request = { method: 'POST', route: upsert, parts: [trigger], json, repeatable: true } as const;
      return { id: (await requests.read(request, subscribed)).trigger_id };
    },
    async unsubscribe(id) {
      await requests.json({ method: 'DELETE', route: manage, parts: [id], accept: [404, 410], repeatable: true });
    },
  };
}

/** For tests: deliveries of GitHub as it recorded them, changed where a test says so, and signed with GitHub's own library. */
import examples from '@octokit/webhooks-examples' with { type: 'json' };
import { sign } from '@octokit/webhooks-methods';
import type { WebhookDelivery } from '../../../../domain/task-source.js';

export const hookSecret = 'a secret that GitHub signs with';
/** The repository of the recorded deliveries. */
export const repository = 'Codertocat/Hello-World';

type Recorded = Record<string, unknown> & { readonly action?: string };
type Changes = { readonly [member: string]: unknown };

/** A recorded body with other members, merged into what is there. */
export function recorded(event: string, action: string, changes: Changes = {}): Recorded {
  const all = examples as unknown as readonly { name: string; examples: readonly Recorded[] }[];
  const found = all.find(({ name }) => name === event)?.examples.find((one) => one.action === action);
  if (!found) throw new Error(`Nobody recorded ${event}.${action}`);
  return merge(structuredClone(found), changes) as Recorded;
}

/** The first with the members of the second, at every depth. */
export function merge(into: unknown, changes: unknown): unknown {
  const isPlain = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isPlain(into) || !isPlain(changes)) return changes;
  const merged = { ...(into as Record<string, unknown>) };
  for (const [name, change] of Object.entries(changes as Changes)) merged[name] = merge(merged[name], change);
  return merged;
}

export async function signed(body: unknown, secret = hookSecret): Promise<WebhookDelivery> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = new Headers({ 'content-type': 'application/json', 'x-hub-signature-256': await sign(secret, text) });
  return { body: Buffer.from(text), headers };
}

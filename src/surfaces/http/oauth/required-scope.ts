/** What a program may send that was let in to see tools and not to use them. What is not known to be harmless is not. */
import type { Principal } from '../../../domain/principal.js';
import { isPlainObject } from '../../../util/canonical.js';

const harmless = new Set([
  ...['initialize', 'ping', 'server/discover', 'tools/list', 'logging/setLevel', 'subscriptions/listen'],
  ...['notifications/initialized', 'notifications/cancelled', 'notifications/progress'],
]);

/** Reads the body only of callers to whom it matters: none of the usual ones. */
export async function lacksScope(principal: Principal, request: Request): Promise<boolean> {
  if (principal.permissions.includes('tools:call') || request.method !== 'POST') return false;
  // What is no JSON has no harmless method either.
  const messages = parse(await request.clone().text());
  return messages.some((message) => !harmless.has(methodOf(message)));
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [undefined];
  }
}

function methodOf(message: unknown): string {
  const method = isPlainObject(message) ? message.method : undefined;
  return typeof method === 'string' ? method : '';
}

/** What a program may send that may only list tools. Anything that is not known to be harmless needs `tools:call`. */
import type { Principal } from '../../../domain/principal.js';
import { isPlainObject } from '../../../util/canonical.js';

const harmless = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'logging/setLevel',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
]);

/** Reads the body only for callers without `tools:call`. */
export async function lacksScope(principal: Principal, request: Request): Promise<boolean> {
  if (principal.permissions.includes('tools:call') || request.method !== 'POST') return false;
  // A body that is not JSON has no harmless method either.
  const messages = parse(await request.clone().text());
  return messages.some((message) => !harmless.has(getMethod(message)));
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [undefined];
  }
}

function getMethod(message: unknown): string {
  const method = isPlainObject(message) ? message.method : undefined;
  return typeof method === 'string' ? method : '';
}

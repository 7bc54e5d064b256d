/** The wishes of a session's client (such as subscriptions), which every process that serves it must know. */
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { McpWishes } from '../../domain/mcp-session.js';
import { isPlainObject } from '../../util/canonical.js';
import { maxSubscriptions } from './extras.js';

export const noWishes: McpWishes = { watched: [] };

const maxCharacters = 2_048;

/** How the wishes change with a request that was answered; undefined if they do not. */
export function changeWishes(body: unknown): ((before: McpWishes) => McpWishes) | undefined {
  if (!isPlainObject(body) || !isPlainObject(body.params)) return undefined;
  const { level, uri } = body.params;
  if (body.method === 'logging/setLevel') return isShort(level) ? (before) => ({ ...before, level }) : undefined;
  if (!isShort(uri)) return undefined;
  const others = ({ watched }: McpWishes) => watched.filter((one) => one !== uri);
  if (body.method === 'resources/subscribe')
    return (before) => ({ ...before, watched: [...others(before), uri].slice(-maxSubscriptions) });
  if (body.method === 'resources/unsubscribe') return (before) => ({ ...before, watched: others(before) });
  return undefined;
}

/** The requests that turn one set of wishes into the other. */
export function listRequests(from: McpWishes, to: McpWishes): JSONRPCRequest[] {
  const request = (method: string, params: Readonly<Record<string, string>>): JSONRPCRequest => ({
    jsonrpc: '2.0',
    id: `helve-${method}-${Object.values(params).join()}`,
    method,
    params,
  });
  return [
    ...(to.level === undefined || to.level === from.level ? [] : [request('logging/setLevel', { level: to.level })]),
    ...to.watched.filter((uri) => !from.watched.includes(uri)).map((uri) => request('resources/subscribe', { uri })),
    ...from.watched.filter((uri) => !to.watched.includes(uri)).map((uri) => request('resources/unsubscribe', { uri })),
  ];
}

function isShort(text: unknown): text is string {
  return typeof text === 'string' && text.length <= maxCharacters;
}

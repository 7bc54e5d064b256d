/**
 * The JSON of an answer's structured content, which the plane has already written. The library checks and copies an
 * answer between the call and its exchange, so the text bypasses it, in the request's field for its caller.
 */
import type { AuthInfo, JSONRPCMessage, ServerContext } from '@modelcontextprotocol/server';

const key = 'helve/written';

interface Written {
  structured?: string;
}

/** The place for the text of one request, to be carried with it. */
export const placeForText = (): Record<string, unknown> => ({ [key]: {} });

function findPlace(authInfo: AuthInfo | undefined): Written | undefined {
  return authInfo?.extra?.[key] as Written | undefined;
}

/** `json`: exactly what `JSON.stringify` makes of the structured content of the answer to this request. */
export function noteStructured(context: ServerContext, json: string): void {
  const place = findPlace(context.http?.authInfo);
  if (place !== undefined) place.structured = json;
}

/** Returns the message as JSON. `authInfo`: of the request that it answers. */
export function writeMessage(message: JSONRPCMessage, authInfo: AuthInfo | undefined): string {
  const json = findPlace(authInfo)?.structured;
  if (json === undefined || !('result' in message)) return JSON.stringify(message);
  const { structuredContent, ...rest } = message.result;
  if (structuredContent === undefined) return JSON.stringify(message);
  const head = JSON.stringify({ jsonrpc: message.jsonrpc, id: message.id, result: { structuredContent: 0, ...rest } });
  return head.replace('"structuredContent":0', () => `"structuredContent":${json}`);
}

/**
 * tools/list: the tools that this principal may see, in one order for all callers, a page at a time. A cursor
 * names the last tool of the previous page, so that it stays valid when tools are added or removed in between.
 */
import { type ListToolsResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Principal } from '../../domain/principal.js';
import type { McpParts } from './parts.js';

/** How long a client may cache a page; it is also notified of changes. */
const freshForMs = 30_000;
const cursorForm = /^after:([a-zA-Z][a-zA-Z0-9_-]{0,63})$/;

const pageSize = 100;

export async function listTools(
  { knownTools }: McpParts,
  principal: Principal,
  cursor: string | undefined,
): Promise<ListToolsResult> {
  const after = cursor === undefined ? '' : lastName(cursor);
  // One more, to know whether there is another page.
  const tools = await knownTools.list(principal, { after, limit: pageSize + 1 });
  const page = tools.slice(0, pageSize);
  const last = page.at(-1);
  return {
    // The protocol's type of a schema is narrower than its text, which allows any JSON Schema.
    tools: page as unknown as ListToolsResult['tools'],
    ttlMs: freshForMs,
    cacheScope: 'private',
    ...(tools.length > pageSize && last !== undefined ? { nextCursor: cursorAfter(last.name) } : {}),
  };
}

function cursorAfter(name: string): string {
  return Buffer.from(`after:${name}`).toString('base64url');
}

function lastName(cursor: string): string {
  const name = cursor.length > 200 ? undefined : cursorForm.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (name === undefined || cursorAfter(name) !== cursor) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'This cursor was not issued by this server; list from the start',
    );
  }
  return name;
}

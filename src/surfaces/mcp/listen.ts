/**
 * subscriptions/listen (2026-07-28): one stream of change notifications. The SDK keeps one set of listeners
 * for each handler, and what a listener may learn depends on the caller, so each stream gets its own handler.
 */
import { createMcpHandler, type ServerEvent, type ServerEventBus } from '@modelcontextprotocol/server';
import type { Principal } from '../../domain/principal.js';
import { maxSubscriptions } from './extras.js';
import type { McpParts } from './parts.js';
import { carry } from './principal.js';
import { refuse } from './replies.js';
import { createServer } from './server.js';

const maxListeners = 1_000;

export function createListeners(parts: McpParts) {
  const open = new Set<{ close(): Promise<void> }>();

  return {
    async handle(request: Request, principal: Principal, body: unknown): Promise<Response> {
      if (open.size >= maxListeners) return refuse(503, -32_603, 'Too many streams are open');
      const bus = busFor(parts, principal, watchedResources(body), () => open.delete(handler));
      const handler = createMcpHandler(() => createServer(parts), { legacy: 'reject', bus });
      open.add(handler);
      const response = await handler.fetch(request, { authInfo: carry(principal), parsedBody: body });
      if (!response.headers.get('content-type')?.includes('text/event-stream')) open.delete(handler);
      return response;
    },
    async close() {
      await Promise.all([...open].map((handler) => handler.close()));
    },
  };
}

function busFor(parts: McpParts, principal: Principal, uris: readonly string[], onEnd: () => void): ServerEventBus {
  return {
    publish: () => undefined,
    subscribe(listener: (event: ServerEvent) => void) {
      const { resources } = parts.extras;
      const stops = [
        parts.knownTools.onChange(principal, () => listener({ kind: 'tools_list_changed' })),
        ...uris.map((uri) => resources?.subscribe?.(principal, uri, () => listener({ kind: 'resource_updated', uri }))),
      ];
      return () => {
        for (const stop of stops) stop?.();
        onEnd();
      };
    },
  };
}

function watchedResources(body: unknown): readonly string[] {
  const { params } = body as { params?: { notifications?: { resourceSubscriptions?: unknown } } };
  const uris = params?.notifications?.resourceSubscriptions;
  return Array.isArray(uris)
    ? uris.filter((uri): uri is string => typeof uri === 'string').slice(0, maxSubscriptions)
    : [];
}

/** Browsing the marketplace, and how fresh it is. */
import { z } from 'zod';
import {
  cacheStatus,
  connection,
  marketplacePage,
  marketplaceQuery,
  marketplaceStats,
  toolkitParams,
  trigger,
} from '../../../api/index.js';
import { defineRoute } from '../route.js';

export const browse = defineRoute({
  method: 'GET',
  path: '/api/tools/marketplace',
  summary: 'All apps, in pages, with counts over all matches',
  acts: ['marketplace'],
  query: marketplaceQuery,
  reply: marketplacePage,
  handle: ({ plane, principal, query }) => plane.marketplace(principal, query),
});

export const stats = defineRoute({
  method: 'GET',
  path: '/api/tools/stats',
  summary: 'The size of the marketplace, and how much of it the workspace uses',
  acts: ['marketplaceStats'],
  reply: marketplaceStats,
  handle: ({ plane, principal }) => plane.marketplaceStats(principal),
});

export const listTriggers = defineRoute({
  method: 'GET',
  path: '/api/tools/:toolkit/triggers',
  summary: 'The events that an app can send',
  acts: ['triggers'],
  params: toolkitParams,
  reply: z.object({ triggers: z.array(trigger) }),
  async handle({ plane, principal, params }) {
    return { triggers: await plane.triggers(principal, params.toolkit) };
  },
});

export const debugConnections = defineRoute({
  method: 'GET',
  path: '/api/tools/debug/connections',
  summary: 'Every connection record that the caller can see, in any state',
  acts: ['connections'],
  reply: z.object({ connections: z.array(connection) }),
  async handle({ plane, principal }) {
    return { connections: await plane.connections(principal) };
  },
});

export const debugCacheStatus = defineRoute({
  method: 'GET',
  path: '/api/tools/debug/cache-status',
  summary: 'How fresh the catalogue is, source by source',
  acts: ['cacheStatus'],
  reply: cacheStatus,
  handle: ({ plane, principal }) => plane.cacheStatus(principal),
});

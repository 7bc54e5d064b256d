/** Subscriptions to events of apps. */
import { z } from 'zod';
import { eventsQuery, idParams, receivedEventPage, subscribeBody, subscription } from '../../../api/index.js';
import type { JsonObject } from '../../../domain/json.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const listSubscriptions = defineRoute({
  method: 'GET',
  path: '/api/triggers',
  summary: 'The subscriptions of the workspace',
  acts: ['subscriptions'],
  reply: z.object({ subscriptions: z.array(subscription) }),
  async handle({ plane, principal }) {
    return { subscriptions: await plane.subscriptions(principal) };
  },
});

export const subscribe = defineRoute({
  method: 'POST',
  path: '/api/triggers',
  summary: 'Subscribe to an event of an app, with one of its accounts',
  acts: ['subscribe'],
  body: subscribeBody,
  reply: subscription,
  status: 201,
  handle: ({ plane, principal, body: { config, ...rest } }) =>
    plane.subscribe(principal, { ...rest, ...(config === undefined ? {} : { config: config as JsonObject }) }),
});

export const unsubscribe = defineRoute({
  method: 'DELETE',
  path: '/api/triggers/:id',
  summary: 'Unsubscribe; received events stay',
  acts: ['unsubscribe'],
  params: idParams,
  async handle({ plane, principal, params }) {
    await plane.unsubscribe(principal, params.id);
    return undefined;
  },
});

export const listEvents = defineRoute({
  method: 'GET',
  path: '/api/triggers/events',
  summary: 'Received events, newest first',
  acts: ['triggerEvents'],
  query: eventsQuery,
  reply: receivedEventPage,
  async handle({ plane, principal, query }) {
    return plane.triggerEvents(principal, defined(query));
  },
});

export const receiveFromComposio = defineRoute({
  method: 'POST',
  path: '/api/composio/webhook',
  summary: 'Where Composio sends its events, signed',
  acts: ['receiveEvent'],
  reply: z.object({ received: z.boolean().describe('False if the event was received before') }),
  async handle({ plane, request }) {
    // The signature covers the exact bytes.
    return plane.receiveEvent('composio', new Uint8Array(await request.arrayBuffer()), request.headers);
  },
});

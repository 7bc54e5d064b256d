/** Being told of what happens in apps. */
import { z } from 'zod';
import { eventsQuery, idParams, receivedEvent, subscribeBody, subscription } from '../../../api/index.js';
import type { JsonObject } from '../../../domain/json.js';
import { defineRoute } from '../route.js';

const onlyReads = { none: 'reads what was received' };

export const listSubscriptions = defineRoute({
  method: 'GET',
  path: '/api/triggers',
  summary: 'What the workspace is told of',
  permission: 'connections:read',
  audit: onlyReads,
  reply: z.object({ subscriptions: z.array(subscription) }),
  async handle({ plane, principal }) {
    return { subscriptions: await plane.subscriptions(principal) };
  },
});

export const subscribe = defineRoute({
  method: 'POST',
  path: '/api/triggers',
  summary: 'Be told of an event of an app, with one of its accounts',
  permission: 'connections:write',
  audit: ['trigger.subscribed'],
  body: subscribeBody,
  reply: subscription,
  status: 201,
  handle: ({ plane, principal, body: { config, ...rest } }) =>
    plane.subscribe(principal, { ...rest, ...(config === undefined ? {} : { config: config as JsonObject }) }),
});

export const unsubscribe = defineRoute({
  method: 'DELETE',
  path: '/api/triggers/:id',
  summary: 'Be told no more; what was received stays',
  permission: 'connections:write',
  audit: ['trigger.unsubscribed'],
  params: idParams,
  async handle({ plane, principal, params }) {
    await plane.unsubscribe(principal, params.id);
    return undefined;
  },
});

export const listEvents = defineRoute({
  method: 'GET',
  path: '/api/triggers/events',
  summary: 'What apps sent, newest first',
  permission: 'connections:read',
  audit: onlyReads,
  query: eventsQuery,
  reply: z.object({ events: z.array(receivedEvent) }),
  async handle({ plane, principal, query: { subscription: id, limit } }) {
    const query = { ...(id === undefined ? {} : { subscription: id }), ...(limit === undefined ? {} : { limit }) };
    return { events: await plane.triggerEvents(principal, query) };
  },
});

export const receiveFromComposio = defineRoute({
  method: 'POST',
  path: '/api/composio/webhook',
  summary: 'Where Composio sends its events, signed',
  permission: { none: 'the signature says who sends it' },
  audit: { none: 'each event is a row of its own' },
  reply: z.object({ received: z.boolean().describe('False for one that was received before') }),
  async handle({ plane, request }) {
    // The signature is over the very text.
    return plane.receiveEvent('composio', await request.text(), request.headers);
  },
});

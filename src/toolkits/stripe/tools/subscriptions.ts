/** Subscriptions. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import type { ServiceClient } from '../../../domain/service.js';
import { fillRequest } from '../../../util/fill-request.js';
import { defineRecord, from, listFrom, orElse } from '../../../util/record.js';
import { definePage, idFrom, metadata, money, timeFrom } from '../answers.js';
import { defineStripeRequest, defineStripeTool } from '../define-tool.js';
import * as field from '../inputs.js';
import { send } from '../requests.js';

const itemRecord = defineRecord({
  id: z.string(),
  price: from('price.id', z.string().optional()),
  product: idFrom('price.product'),
  unit_amount: from('price.unit_amount', money.optional()),
  interval: from('price.recurring.interval', z.string().optional()),
  quantity: z.number().optional(),
});

const subscriptionRecord = defineRecord({
  id: z.string(),
  status: z.string().describe('active, trialing, past_due, unpaid, paused, incomplete, incomplete_expired or canceled'),
  customer: idFrom('customer'),
  currency: z.string().optional(),
  items: orElse(listFrom('items.data', itemRecord), []),
  current_period_start: timeFrom('current_period_start'),
  current_period_end: timeFrom('current_period_end'),
  cancel_at_period_end: z.boolean().optional(),
  cancel_at: timeFrom('cancel_at'),
  canceled_at: timeFrom('canceled_at'),
  ended_at: timeFrom('ended_at'),
  trial_end: timeFrom('trial_end'),
  collection_method: z.string().optional(),
  latest_invoice: idFrom('latest_invoice'),
  metadata,
  created: timeFrom('created'),
});

export const listSubscriptions = defineStripeRequest({
  name: 'list_subscriptions',
  title: 'List subscriptions',
  description: 'Subscriptions, newest first; without status all that are not canceled.',
  inputSchema: z.strictObject({
    customer: field.customerId.optional(),
    price: field.priceId.optional(),
    status: z
      .enum([
        ...(['active', 'all', 'canceled', 'ended', 'incomplete', 'incomplete_expired'] as const),
        ...(['past_due', 'paused', 'trialing', 'unpaid'] as const),
      ])
      .optional(),
    ...field.created,
    ...field.paging,
  }),
  annotations: effects.reads,
  capabilities: ['list subscriptions'],
  request: 'GET /v1/subscriptions',
  answer: definePage('subscriptions', subscriptionRecord),
});

export const getSubscription = defineStripeRequest({
  name: 'get_subscription',
  title: 'Get a subscription',
  description: 'One subscription by id.',
  inputSchema: z.strictObject({ subscription: field.subscriptionId }),
  annotations: effects.reads,
  capabilities: ['get subscription', 'read subscription'],
  request: 'GET /v1/subscriptions/{subscription}',
  answer: subscriptionRecord,
});

export const cancelSubscription = defineStripeTool({
  name: 'cancel_subscription',
  title: 'Cancel a subscription',
  description: 'End a subscription now, for good, or let it run out at the end of what is paid (at_period_end).',
  inputSchema: z.strictObject({
    subscription: field.subscriptionId,
    at_period_end: z.boolean().optional().describe('Default false: now'),
    invoice_now: z.boolean().optional().describe('Only now: bill what was used and not billed yet'),
    prorate: z.boolean().optional().describe('Only now: credit the unused time'),
  }),
  outputSchema: subscriptionRecord.shape,
  annotations: effects.replaces,
  risk: 'destructive',
  capabilities: ['cancel subscription', 'end subscription'],
  async execute({ at_period_end, ...input }, { service }) {
    if (at_period_end !== true) return subscriptionRecord.read(await endNow(service, input));
    if (input.invoice_now !== undefined || input.prorate !== undefined) {
      throw new HelveError('invalid_input', 'invoice_now and prorate do not go with at_period_end', {
        hint: 'Leave them out, or end it now.',
      });
    }
    const request = 'POST /v1/subscriptions/{subscription}';
    return subscriptionRecord.read(await send(service, { request, input: { ...input, cancel_at_period_end: true } }));
  },
});

/** Stripe keeps no idempotency keys for DELETE, and refuses a second one with 404: then the subscription itself is read. */
async function endNow(service: ServiceClient, input: { readonly subscription: string }): Promise<object> {
  try {
    return await send(service, { request: 'DELETE /v1/subscriptions/{subscription}', input });
  } catch (error) {
    if (!(error instanceof HelveError) || error.code !== 'not_found') throw error;
    const { path } = fillRequest('GET /v1/subscriptions/{subscription}', input);
    const found = await service.json<{ readonly status: string }>({ path }).catch(() => undefined);
    if (found?.status === 'canceled') return found;
    throw error;
  }
}

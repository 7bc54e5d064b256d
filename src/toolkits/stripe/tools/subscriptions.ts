/** Subscriptions: what is billed again and again. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import type { ServiceClient } from '../../../domain/service.js';
import { defineStripeTool } from '../define-tool.js';
import * as field from '../inputs.js';
import { at, given, idOf, instant, type Reference, read, readPage, write } from '../requests.js';

const subscriptionId = field.idField('Id of the subscription: sub_…');

const subscriptionShape = z.strictObject({
  id: z.string(),
  status: z.string().describe('active, trialing, past_due, unpaid, paused, incomplete, incomplete_expired or canceled'),
  customer: z.string().optional(),
  currency: z.string().optional(),
  items: z.array(
    z.strictObject({
      id: z.string(),
      price: z.string().optional(),
      product: z.string().optional(),
      unit_amount: field.money.optional(),
      interval: z.string().optional(),
      quantity: z.number().optional(),
    }),
  ),
  current_period_start: z.string().optional(),
  current_period_end: z.string().optional(),
  cancel_at_period_end: z.boolean().optional(),
  cancel_at: z.string().optional(),
  canceled_at: z.string().optional(),
  ended_at: z.string().optional(),
  trial_end: z.string().optional(),
  collection_method: z.string().optional(),
  latest_invoice: z.string().optional(),
  metadata: field.metadataOutput,
  created: z.string().optional(),
});

interface RawPrice {
  readonly id: string;
  readonly product?: Reference;
  readonly unit_amount?: number | null;
  readonly recurring?: { readonly interval: string } | null;
}

interface RawSubscription {
  readonly id: string;
  readonly status: string;
  readonly customer?: Reference;
  readonly currency?: string;
  readonly items?: {
    readonly data: readonly { readonly id: string; readonly price?: RawPrice | null; readonly quantity?: number }[];
  };
  readonly current_period_start?: number;
  readonly current_period_end?: number;
  readonly cancel_at_period_end?: boolean;
  readonly cancel_at?: number | null;
  readonly canceled_at?: number | null;
  readonly ended_at?: number | null;
  readonly trial_end?: number | null;
  readonly collection_method?: string;
  readonly latest_invoice?: Reference;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly created?: number;
}

const toSubscription = (raw: RawSubscription): z.input<typeof subscriptionShape> => ({
  id: raw.id,
  status: raw.status,
  customer: idOf(raw.customer),
  currency: raw.currency,
  items: (raw.items?.data ?? []).map(({ id, price, quantity }) => ({
    id,
    price: price?.id,
    product: idOf(price?.product),
    unit_amount: given(price?.unit_amount),
    interval: price?.recurring?.interval,
    quantity,
  })),
  current_period_start: instant(raw.current_period_start),
  current_period_end: instant(raw.current_period_end),
  cancel_at_period_end: raw.cancel_at_period_end,
  cancel_at: instant(raw.cancel_at),
  canceled_at: instant(raw.canceled_at),
  ended_at: instant(raw.ended_at),
  trial_end: instant(raw.trial_end),
  collection_method: raw.collection_method,
  latest_invoice: idOf(raw.latest_invoice),
  metadata: raw.metadata,
  created: instant(raw.created),
});

export const listSubscriptions = defineStripeTool({
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
  outputSchema: field.pageOf('subscriptions', subscriptionShape),
  annotations: effects.reads,
  capabilities: ['list subscriptions'],
  async execute(input, { service }) {
    const { data, next } = await readPage<RawSubscription>(service, at('subscriptions'), input);
    return { subscriptions: data.map(toSubscription), next };
  },
});

export const getSubscription = defineStripeTool({
  name: 'get_subscription',
  title: 'Get a subscription',
  description: 'One subscription by id.',
  inputSchema: z.strictObject({ subscription: subscriptionId }),
  outputSchema: subscriptionShape,
  annotations: effects.reads,
  capabilities: ['get subscription', 'read subscription'],
  async execute({ subscription }, { service }) {
    return toSubscription(await read<RawSubscription>(service, at('subscriptions', subscription)));
  },
});

export const cancelSubscription = defineStripeTool({
  name: 'cancel_subscription',
  title: 'Cancel a subscription',
  description: 'End a subscription now, for good, or let it run out at the end of what is paid (at_period_end).',
  inputSchema: z.strictObject({
    subscription: subscriptionId,
    at_period_end: z.boolean().optional().describe('Default false: now'),
    invoice_now: z.boolean().optional().describe('Only now: bill what was used and not billed yet'),
    prorate: z.boolean().optional().describe('Only now: credit the unused time'),
  }),
  outputSchema: subscriptionShape,
  annotations: effects.replaces,
  risk: 'destructive',
  capabilities: ['cancel subscription', 'end subscription'],
  async execute({ subscription, at_period_end, invoice_now, prorate }, { service }) {
    const path = at('subscriptions', subscription);
    if (at_period_end !== true) return toSubscription(await endNow(service, path, { invoice_now, prorate }));
    if (invoice_now !== undefined || prorate !== undefined) {
      throw new HelveError('invalid_input', 'invoice_now and prorate do not go with at_period_end', {
        hint: 'Leave them out, or end it now.',
      });
    }
    return toSubscription(await write<RawSubscription>(service, path, { cancel_at_period_end: true }));
  },
});

/** Stripe keeps no idempotency key for a DELETE, and a second one finds nothing: then what is there tells the outcome. */
async function endNow(
  service: ServiceClient,
  path: string,
  parameters: { readonly invoice_now: boolean | undefined; readonly prorate: boolean | undefined },
): Promise<RawSubscription> {
  try {
    return await write<RawSubscription>(service, path, parameters, 'DELETE');
  } catch (error) {
    if (!(error instanceof HelveError) || error.code !== 'not_found') throw error;
    const there = await read<RawSubscription>(service, path).catch(() => undefined);
    if (there?.status === 'canceled') return there;
    throw error;
  }
}

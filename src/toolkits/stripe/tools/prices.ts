/** Prices of products, paid once or regularly. The amount of a price never changes: a new price is created instead. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { computed, defineRecord, from } from '../../../util/record.js';
import { definePage, idFrom, metadata, money, timeFrom } from '../answers.js';
import { defineStripeRequest } from '../define-tool.js';
import * as field from '../inputs.js';

const recurringRecord = defineRecord({
  interval: z.string(),
  interval_count: from('interval_count', z.int(), Number),
});

const priceRecord = defineRecord({
  id: z.string(),
  product: idFrom('product'),
  active: z.boolean().optional(),
  currency: z.string(),
  unit_amount: money.optional(),
  unit_amount_decimal: computed(
    z.string().optional().describe('Where it is not a whole number of the smallest unit'),
    (raw: { unit_amount?: number | null; unit_amount_decimal?: string | null }) =>
      typeof raw.unit_amount === 'number' ? undefined : (raw.unit_amount_decimal ?? undefined),
  ),
  type: z.string().optional().describe('one_time or recurring'),
  recurring: from('recurring', recurringRecord.shape.optional(), recurringRecord.read),
  nickname: z.string().optional(),
  lookup_key: z.string().optional(),
  tax_behavior: z.string().optional(),
  metadata,
  created: timeFrom('created'),
});

export const listPrices = defineStripeRequest({
  name: 'list_prices',
  title: 'List prices',
  description: 'Prices, newest first; of one product if it is given.',
  inputSchema: z.strictObject({
    product: field.productId.optional(),
    active: z.boolean().optional(),
    currency: field.currency.optional(),
    type: z.enum(['one_time', 'recurring']).optional(),
    lookup_keys: z.array(z.string().max(200)).min(1).max(10).optional(),
    ...field.created,
    ...field.paging,
  }),
  annotations: effects.reads,
  capabilities: ['list prices'],
  request: 'GET /v1/prices',
  answer: definePage('prices', priceRecord),
});

export const getPrice = defineStripeRequest({
  name: 'get_price',
  title: 'Get a price',
  description: 'One price by id.',
  inputSchema: z.strictObject({ price: field.priceId }),
  annotations: effects.reads,
  capabilities: ['get price', 'read price'],
  request: 'GET /v1/prices/{price}',
  answer: priceRecord,
});

export const createPrice = defineStripeRequest({
  name: 'create_price',
  title: 'Create a price',
  description: 'Give a product a price. unit_amount is an integer in the smallest unit of currency.',
  inputSchema: z.strictObject({
    product: field.productId,
    currency: field.currency,
    unit_amount: field.unitAmount,
    recurring: z
      .strictObject({
        interval: field.interval,
        interval_count: z.int().min(1).max(1_095).optional().describe('Default 1'),
      })
      .optional()
      .describe('For a subscription; absent: paid once'),
    nickname: field.text(250).optional().describe('Not shown to customers'),
    lookup_key: field.text(200).optional(),
    tax_behavior: z.enum(['inclusive', 'exclusive', 'unspecified']).optional(),
    active: z.boolean().optional(),
    metadata: field.metadata,
  }),
  annotations: effects.creates,
  capabilities: ['create price', 'add price'],
  request: 'POST /v1/prices',
  answer: priceRecord,
});

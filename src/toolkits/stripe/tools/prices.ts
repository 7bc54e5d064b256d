/** Prices: what a product costs, once or again and again. The amount of a price never changes; a new one is made. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineStripeTool } from '../define-tool.js';
import * as field from '../inputs.js';
import { at, given, idOf, instant, type Reference, read, readPage, write } from '../requests.js';

const interval = z.enum(['day', 'week', 'month', 'year']);

const priceShape = z.strictObject({
  id: z.string(),
  product: z.string().optional(),
  active: z.boolean().optional(),
  currency: z.string(),
  unit_amount: field.money.optional(),
  unit_amount_decimal: z.string().optional().describe('Where it is no whole number of the smallest unit'),
  type: z.string().optional().describe('one_time or recurring'),
  recurring: z.strictObject({ interval: z.string(), interval_count: z.int() }).optional(),
  nickname: z.string().optional(),
  lookup_key: z.string().optional(),
  tax_behavior: z.string().optional(),
  metadata: field.metadataOutput,
  created: z.string().optional(),
});

interface RawPrice {
  readonly id: string;
  readonly product?: Reference;
  readonly active?: boolean;
  readonly currency: string;
  readonly unit_amount?: number | null;
  readonly unit_amount_decimal?: string | null;
  readonly type?: string;
  readonly recurring?: { readonly interval: string; readonly interval_count: number } | null;
  readonly nickname?: string | null;
  readonly lookup_key?: string | null;
  readonly tax_behavior?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly created?: number;
}

const toPrice = (raw: RawPrice): z.input<typeof priceShape> => ({
  id: raw.id,
  product: idOf(raw.product),
  active: raw.active,
  currency: raw.currency,
  unit_amount: given(raw.unit_amount),
  unit_amount_decimal: typeof raw.unit_amount === 'number' ? undefined : given(raw.unit_amount_decimal),
  type: raw.type,
  recurring: raw.recurring
    ? { interval: raw.recurring.interval, interval_count: Number(raw.recurring.interval_count) }
    : undefined,
  nickname: given(raw.nickname),
  lookup_key: given(raw.lookup_key),
  tax_behavior: given(raw.tax_behavior),
  metadata: raw.metadata,
  created: instant(raw.created),
});

export const listPrices = defineStripeTool({
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
  outputSchema: field.pageOf('prices', priceShape),
  annotations: effects.reads,
  capabilities: ['list prices'],
  async execute(input, { service }) {
    const { data, next } = await readPage<RawPrice>(service, at('prices'), input);
    return { prices: data.map(toPrice), next };
  },
});

export const getPrice = defineStripeTool({
  name: 'get_price',
  title: 'Get a price',
  description: 'One price by id.',
  inputSchema: z.strictObject({ price: field.priceId }),
  outputSchema: priceShape,
  annotations: effects.reads,
  capabilities: ['get price', 'read price'],
  async execute({ price }, { service }) {
    return toPrice(await read<RawPrice>(service, at('prices', price)));
  },
});

export const createPrice = defineStripeTool({
  name: 'create_price',
  title: 'Create a price',
  description: 'Give a product a price. unit_amount is an integer in the smallest unit of currency.',
  inputSchema: z.strictObject({
    product: field.productId,
    currency: field.currency,
    unit_amount: field.unitAmount,
    recurring: z
      .strictObject({ interval, interval_count: z.int().min(1).max(1_095).optional().describe('Default 1') })
      .optional()
      .describe('For a subscription; absent: paid once'),
    nickname: field.text(250).optional().describe('Not shown to customers'),
    lookup_key: field.text(200).optional(),
    tax_behavior: z.enum(['inclusive', 'exclusive', 'unspecified']).optional(),
    active: z.boolean().optional(),
    metadata: field.metadata,
  }),
  outputSchema: priceShape,
  annotations: effects.creates,
  capabilities: ['create price', 'add price'],
  async execute(input, { service }) {
    return toPrice(await write<RawPrice>(service, at('prices'), input));
  },
});

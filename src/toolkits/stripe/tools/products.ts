/** Products: what is sold. What it costs are its prices. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineStripeTool } from '../define-tool.js';
import * as field from '../inputs.js';
import { at, given, idOf, instant, type Reference, read, readPage, write } from '../requests.js';

const productShape = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  active: z.boolean().optional(),
  default_price: z.string().optional().describe('Id of its default price'),
  images: z.array(z.string()).optional(),
  url: z.string().optional(),
  metadata: field.metadataOutput,
  created: z.string().optional(),
});

interface RawProduct {
  readonly id: string;
  readonly name?: string;
  readonly description?: string | null;
  readonly active?: boolean;
  readonly default_price?: Reference;
  readonly images?: readonly string[];
  readonly url?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly created?: number;
}

const toProduct = (raw: RawProduct): z.input<typeof productShape> => ({
  id: raw.id,
  name: raw.name,
  description: given(raw.description),
  active: raw.active,
  default_price: idOf(raw.default_price),
  images: raw.images === undefined || raw.images.length === 0 ? undefined : [...raw.images],
  url: given(raw.url),
  metadata: raw.metadata,
  created: instant(raw.created),
});

const facts = {
  description: field.text(40_000).optional().describe('Shown to customers'),
  active: z.boolean().optional().describe('Whether it can be bought'),
  images: z.array(field.webAddress).max(8).optional(),
  url: field.webAddress.optional().describe('Its public page'),
  metadata: field.metadata,
};

export const listProducts = defineStripeTool({
  name: 'list_products',
  title: 'List products',
  description: 'Products, newest first.',
  inputSchema: z.strictObject({
    active: z.boolean().optional(),
    ids: z.array(field.productId).min(1).max(100).optional().describe('Only these'),
    ...field.created,
    ...field.paging,
  }),
  outputSchema: field.pageOf('products', productShape),
  annotations: effects.reads,
  capabilities: ['list products'],
  async execute(input, { service }) {
    const { data, next } = await readPage<RawProduct>(service, at('products'), input);
    return { products: data.map(toProduct), next };
  },
});

export const getProduct = defineStripeTool({
  name: 'get_product',
  title: 'Get a product',
  description: 'One product by id.',
  inputSchema: z.strictObject({ product: field.productId }),
  outputSchema: productShape,
  annotations: effects.reads,
  capabilities: ['get product', 'read product'],
  async execute({ product }, { service }) {
    return toProduct(await read<RawProduct>(service, at('products', product)));
  },
});

export const createProduct = defineStripeTool({
  name: 'create_product',
  title: 'Create a product',
  description: 'Add a product, with a default price if default_price is given; further prices with create_price.',
  inputSchema: z.strictObject({
    name: z.string().min(1).max(250),
    ...facts,
    default_price: z
      .strictObject({
        currency: field.currency,
        unit_amount: field.unitAmount,
        recurring: z
          .strictObject({
            interval: z.enum(['day', 'week', 'month', 'year']),
            interval_count: z.int().min(1).optional(),
          })
          .optional()
          .describe('For a subscription'),
      })
      .optional(),
  }),
  outputSchema: productShape,
  annotations: effects.creates,
  capabilities: ['create product', 'add product'],
  async execute({ default_price, ...input }, { service }) {
    const parameters = { ...input, default_price_data: default_price };
    return toProduct(await write<RawProduct>(service, at('products'), parameters));
  },
});

export const updateProduct = defineStripeTool({
  name: 'update_product',
  title: 'Update a product',
  description: 'Change what is given and leave the rest. active: false takes it off sale.',
  inputSchema: z.strictObject({
    product: field.productId,
    name: z.string().min(1).max(250).optional(),
    ...facts,
    default_price: field.priceId.optional(),
  }),
  outputSchema: productShape,
  annotations: effects.replaces,
  risk: 'write',
  capabilities: ['update product', 'edit product'],
  async execute({ product, ...input }, { service }) {
    return toProduct(await write<RawProduct>(service, at('products', product), input));
  },
});

/** Products. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineRecord, from } from '../../../util/record.js';
import { definePage, idFrom, metadata, timeFrom } from '../answers.js';
import { defineStripeRequest } from '../define-tool.js';
import * as field from '../inputs.js';

const productRecord = defineRecord({
  id: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  active: z.boolean().optional(),
  default_price: idFrom('default_price', 'Id of its default price'),
  images: from('images', z.array(z.string()).optional(), (images: string[]) =>
    images.length > 0 ? images : undefined,
  ),
  url: z.string().optional(),
  metadata,
  created: timeFrom('created'),
});

const facts = {
  description: field.text(40_000).optional().describe('Shown to customers'),
  active: z.boolean().optional().describe('Whether it can be bought'),
  images: z.array(field.webAddress).max(8).optional(),
  url: field.webAddress.optional().describe('Its public page'),
  metadata: field.metadata,
};

export const listProducts = defineStripeRequest({
  name: 'list_products',
  title: 'List products',
  description: 'Products, newest first.',
  inputSchema: z.strictObject({
    active: z.boolean().optional(),
    ids: z.array(field.productId).min(1).max(100).optional().describe('Only these'),
    ...field.created,
    ...field.paging,
  }),
  annotations: effects.reads,
  capabilities: ['list products'],
  request: 'GET /v1/products',
  answer: definePage('products', productRecord),
});

export const getProduct = defineStripeRequest({
  name: 'get_product',
  title: 'Get a product',
  description: 'One product by id.',
  inputSchema: z.strictObject({ product: field.productId }),
  annotations: effects.reads,
  capabilities: ['get product', 'read product'],
  request: 'GET /v1/products/{product}',
  answer: productRecord,
});

export const createProduct = defineStripeRequest({
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
            interval: field.interval,
            interval_count: z.int().min(1).optional(),
          })
          .optional()
          .describe('For a subscription'),
      })
      .optional(),
  }),
  annotations: effects.creates,
  capabilities: ['create product', 'add product'],
  request: 'POST /v1/products',
  parameters: ({ default_price, ...rest }) => ({ ...rest, default_price_data: default_price }),
  answer: productRecord,
});

export const updateProduct = defineStripeRequest({
  name: 'update_product',
  title: 'Update a product',
  description: 'Change what is given and leave the rest. active: false takes it off sale.',
  inputSchema: z.strictObject({
    product: field.productId,
    name: z.string().min(1).max(250).optional(),
    ...facts,
    default_price: field.priceId.optional(),
  }),
  annotations: effects.replaces,
  risk: 'write',
  capabilities: ['update product', 'edit product'],
  request: 'POST /v1/products/{product}',
  answer: productRecord,
});

/** Payment links: addresses at which anybody can buy the listed items. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineRecord, from } from '../../../util/record.js';
import { definePage, idFrom, metadata } from '../answers.js';
import { defineStripeRequest } from '../define-tool.js';
import * as field from '../inputs.js';

const linkId = field.idField('Id of the payment link: plink_…');

const itemRecord = defineRecord({ id: z.string(), price: idFrom('price'), quantity: z.number().optional() });

const linkRecord = defineRecord({
  id: z.string(),
  url: z.string().describe('To give to buyers'),
  active: z.boolean(),
  currency: z.string().optional(),
  allow_promotion_codes: z.boolean().optional(),
  after_completion_url: from(
    'after_completion.redirect.url',
    z.string().optional().describe('Where buyers go afterwards'),
  ),
  line_items: from(
    'line_items.data',
    z.array(itemRecord.shape).optional().describe('What is sold; not in lists'),
    (items: readonly object[]) => items.map((item) => itemRecord.read(item)),
  ),
  metadata,
});

/** Stripe leaves these out unless they are asked for. */
const expand = ['line_items'];

const facts = {
  allow_promotion_codes: z.boolean().optional(),
  after_completion_url: field.webAddress.optional().describe('Where buyers go afterwards, in place of Stripe’s page'),
  metadata: field.metadata,
};

function toParameters({ after_completion_url: url, ...rest }: { readonly after_completion_url?: string | undefined }) {
  return { ...rest, after_completion: url === undefined ? undefined : { type: 'redirect', redirect: { url } }, expand };
}

export const listPaymentLinks = defineStripeRequest({
  name: 'list_payment_links',
  title: 'List payment links',
  description: 'Payment links, newest first.',
  inputSchema: z.strictObject({ active: z.boolean().optional(), ...field.paging }),
  annotations: effects.reads,
  capabilities: ['list payment links'],
  request: 'GET /v1/payment_links',
  answer: definePage('payment_links', linkRecord),
});

export const getPaymentLink = defineStripeRequest({
  name: 'get_payment_link',
  title: 'Get a payment link',
  description: 'One payment link by id, with what it sells.',
  inputSchema: z.strictObject({ payment_link: linkId }),
  annotations: effects.reads,
  capabilities: ['get payment link', 'read payment link'],
  request: 'GET /v1/payment_links/{payment_link}',
  parameters: () => ({ expand }),
  answer: linkRecord,
});

export const createPaymentLink = defineStripeRequest({
  name: 'create_payment_link',
  title: 'Create a payment link',
  description: 'Make an address at which anybody can buy the given prices.',
  inputSchema: z.strictObject({
    line_items: z
      .array(z.strictObject({ price: field.priceId, quantity: z.int().min(1).max(999_999) }))
      .min(1)
      .max(20),
    ...facts,
  }),
  annotations: effects.creates,
  capabilities: ['create payment link'],
  request: 'POST /v1/payment_links',
  parameters: toParameters,
  answer: linkRecord,
});

export const updatePaymentLink = defineStripeRequest({
  name: 'update_payment_link',
  title: 'Update a payment link',
  description: 'Change what is given and leave the rest. active: false closes it.',
  inputSchema: z.strictObject({ payment_link: linkId, active: z.boolean().optional(), ...facts }),
  annotations: effects.replaces,
  risk: 'write',
  capabilities: ['update payment link', 'deactivate payment link'],
  request: 'POST /v1/payment_links/{payment_link}',
  parameters: toParameters,
  answer: linkRecord,
});

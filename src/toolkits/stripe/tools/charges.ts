/** Charges: attempts to take money, including failed ones. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineRecord } from '../../../util/record.js';
import { definePage, idFrom, money, timeFrom } from '../answers.js';
import { defineStripeRequest } from '../define-tool.js';
import * as field from '../inputs.js';

const chargeRecord = defineRecord({
  id: z.string(),
  status: z.string().describe('succeeded, pending or failed'),
  amount: money,
  amount_refunded: money.optional(),
  currency: z.string(),
  paid: z.boolean().optional(),
  captured: z.boolean().optional(),
  refunded: z.boolean().optional().describe('Wholly'),
  disputed: z.boolean().optional(),
  customer: idFrom('customer'),
  payment_intent: idFrom('payment_intent'),
  invoice: idFrom('invoice'),
  description: z.string().optional(),
  failure_code: z.string().optional(),
  failure_message: z.string().optional(),
  receipt_url: z.string().optional(),
  created: timeFrom('created'),
});

export const listCharges = defineStripeRequest({
  name: 'list_charges',
  title: 'List charges',
  description: 'Charges, newest first; of one customer or PaymentIntent if it is given.',
  inputSchema: z.strictObject({
    customer: field.customerId.optional(),
    payment_intent: field.paymentIntentId.optional(),
    ...field.created,
    ...field.paging,
  }),
  annotations: effects.reads,
  capabilities: ['list charges'],
  request: 'GET /v1/charges',
  answer: definePage('charges', chargeRecord),
});

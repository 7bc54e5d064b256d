/** Refunds. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineRecord } from '../../../util/record.js';
import { definePage, idFrom, metadata, money, timeFrom } from '../answers.js';
import { defineStripeRequest } from '../define-tool.js';
import * as field from '../inputs.js';

const refundRecord = defineRecord({
  id: z.string(),
  status: z.string().optional().describe('pending, requires_action, succeeded, failed or canceled'),
  amount: money,
  currency: z.string(),
  charge: idFrom('charge'),
  payment_intent: idFrom('payment_intent'),
  reason: z.string().optional(),
  failure_reason: z.string().optional(),
  metadata,
  created: timeFrom('created'),
});

export const listRefunds = defineStripeRequest({
  name: 'list_refunds',
  title: 'List refunds',
  description: 'Refunds, newest first; of one charge or PaymentIntent if it is given.',
  inputSchema: z.strictObject({
    charge: field.chargeId.optional(),
    payment_intent: field.paymentIntentId.optional(),
    ...field.created,
    ...field.paging,
  }),
  annotations: effects.reads,
  capabilities: ['list refunds'],
  request: 'GET /v1/refunds',
  answer: definePage('refunds', refundRecord),
});

export const getRefund = defineStripeRequest({
  name: 'get_refund',
  title: 'Get a refund',
  description: 'One refund by id.',
  inputSchema: z.strictObject({ refund: field.idField('Id of the refund: re_…') }),
  annotations: effects.reads,
  capabilities: ['get refund', 'read refund'],
  request: 'GET /v1/refunds/{refund}',
  answer: refundRecord,
});

export const createRefund = defineStripeRequest({
  name: 'create_refund',
  title: 'Create a refund',
  description:
    'Give money back for a charge or PaymentIntent, all of it or an amount in the smallest unit of currency.',
  inputSchema: z.strictObject({
    payment_intent: field.paymentIntentId.optional(),
    charge: field.chargeId.optional(),
    amount: field.amountField('In the currency of the payment; default: all that has not been refunded').optional(),
    reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    metadata: field.metadata,
  }),
  annotations: effects.creates,
  highRisk: true,
  capabilities: ['create refund', 'refund payment', 'refund charge'],
  request: 'POST /v1/refunds',
  parameters(input) {
    if ((input.charge === undefined) === (input.payment_intent === undefined)) {
      throw new HelveError('invalid_input', 'A refund needs either payment_intent or charge', {
        hint: 'Send the payment to refund: payment_intent (pi_…) or charge (ch_…).',
      });
    }
    return input;
  },
  answer: refundRecord,
});

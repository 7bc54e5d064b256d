/**
 * PaymentIntents: one payment each, from its start to its end. Whoever knows a `client_secret` can pay or change the
 * PaymentIntent from a browser, so no tool returns it.
 */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { computed, defineRecord, from } from '../../../util/record.js';
import { definePage, idFrom, metadata, money, timeFrom } from '../answers.js';
import { defineStripeRequest } from '../define-tool.js';
import * as field from '../inputs.js';

interface RawIntent {
  readonly last_payment_error?: { readonly message?: string; readonly code?: string } | null;
}

const intentRecord = defineRecord({
  id: z.string(),
  status: z
    .string()
    .describe(
      'requires_payment_method, requires_confirmation, requires_action, processing, requires_capture, canceled or succeeded',
    ),
  amount: money,
  amount_received: money.optional(),
  amount_capturable: money.optional(),
  currency: z.string(),
  customer: idFrom('customer'),
  payment_method: idFrom('payment_method'),
  capture_method: z.string().optional(),
  description: z.string().optional(),
  receipt_email: z.string().optional(),
  latest_charge: idFrom('latest_charge'),
  last_error: computed(
    z.string().optional().describe('Why the last attempt failed'),
    ({ last_payment_error: error }: RawIntent) => error?.message ?? error?.code,
  ),
  next_action: from('next_action.type', z.string().optional().describe('What the customer must do: redirect_to_url …')),
  cancellation_reason: z.string().optional(),
  metadata,
  created: timeFrom('created'),
});

export const listPaymentIntents = defineStripeRequest({
  name: 'list_payment_intents',
  title: 'List payments',
  description: 'PaymentIntents, newest first.',
  inputSchema: z.strictObject({ customer: field.customerId.optional(), ...field.created, ...field.paging }),
  annotations: effects.reads,
  capabilities: ['list payment intents', 'list payments'],
  request: 'GET /v1/payment_intents',
  answer: definePage('payment_intents', intentRecord),
});

export const getPaymentIntent = defineStripeRequest({
  name: 'get_payment_intent',
  title: 'Get a payment',
  description: 'One PaymentIntent by id.',
  inputSchema: z.strictObject({ payment_intent: field.paymentIntentId }),
  annotations: effects.reads,
  capabilities: ['get payment intent', 'get payment'],
  request: 'GET /v1/payment_intents/{payment_intent}',
  answer: intentRecord,
});

export const createPaymentIntent = defineStripeRequest({
  name: 'create_payment_intent',
  title: 'Create a payment',
  description:
    'Start a payment of an amount in the smallest unit of currency. With confirm and payment_method the money is taken now.',
  inputSchema: z.strictObject({
    amount: field.amountField('What is to be paid'),
    currency: field.currency,
    customer: field.customerId.optional(),
    payment_method: field.idField('Id of the payment method: pm_…').optional(),
    confirm: z.boolean().optional().describe('Take the money now. Default: no'),
    off_session: z.boolean().optional().describe('With confirm: the customer is not there to authenticate'),
    return_url: field.webAddress.optional().describe('With confirm: where the customer comes back to'),
    capture_method: z
      .enum(['automatic', 'manual'])
      .optional()
      .describe('manual: hold the money until capture_payment_intent. Default automatic'),
    description: field.text(1_000).optional(),
    receipt_email: field.email.optional(),
    metadata: field.metadata,
  }),
  annotations: effects.creates,
  highRisk: true,
  capabilities: ['create payment intent', 'charge customer', 'take payment'],
  request: 'POST /v1/payment_intents',
  parameters(input) {
    // Methods that redirect the customer need a return_url when the payment is confirmed.
    const offered = input.confirm !== true || input.return_url !== undefined;
    return { ...input, automatic_payment_methods: offered ? { enabled: true } : undefined };
  },
  answer: intentRecord,
});

export const cancelPaymentIntent = defineStripeRequest({
  name: 'cancel_payment_intent',
  title: 'Cancel a payment',
  description: 'Cancel a PaymentIntent that has not succeeded; money that is held is released. It cannot be revived.',
  inputSchema: z.strictObject({
    payment_intent: field.paymentIntentId,
    cancellation_reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']).optional(),
  }),
  annotations: effects.replaces,
  risk: 'write',
  highRisk: true,
  capabilities: ['cancel payment intent', 'cancel payment'],
  request: 'POST /v1/payment_intents/{payment_intent}/cancel',
  answer: intentRecord,
});

export const capturePaymentIntent = defineStripeRequest({
  name: 'capture_payment_intent',
  title: 'Capture a payment',
  description: 'Take money that a PaymentIntent holds (requires_capture). What is not captured is released.',
  inputSchema: z.strictObject({
    payment_intent: field.paymentIntentId,
    amount_to_capture: field.amountField('At most what is held, which is the default').optional(),
  }),
  annotations: effects.createsOnce,
  highRisk: true,
  capabilities: ['capture payment intent', 'capture payment'],
  request: 'POST /v1/payment_intents/{payment_intent}/capture',
  answer: intentRecord,
});

/**
 * PaymentIntents: one payment each, from its first idea to the money. Their `client_secret` lets whoever knows it pay
 * or change them from a browser; it is shown to nobody here.
 */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineStripeTool } from '../define-tool.js';
import * as field from '../inputs.js';
import { at, given, idOf, instant, type Reference, read, readPage, write } from '../requests.js';

const intentShape = z.strictObject({
  id: z.string(),
  status: z
    .string()
    .describe(
      'requires_payment_method, requires_confirmation, requires_action, processing, requires_capture, canceled or succeeded',
    ),
  amount: field.money,
  amount_received: field.money.optional(),
  amount_capturable: field.money.optional(),
  currency: z.string(),
  customer: z.string().optional(),
  payment_method: z.string().optional(),
  capture_method: z.string().optional(),
  description: z.string().optional(),
  receipt_email: z.string().optional(),
  latest_charge: z.string().optional(),
  last_error: z.string().optional().describe('Why the last attempt failed'),
  next_action: z.string().optional().describe('What the customer must do: redirect_to_url …'),
  cancellation_reason: z.string().optional(),
  metadata: field.metadataOutput,
  created: z.string().optional(),
});

interface RawIntent {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly amount_received?: number;
  readonly amount_capturable?: number;
  readonly currency: string;
  readonly customer?: Reference;
  readonly payment_method?: Reference;
  readonly capture_method?: string;
  readonly description?: string | null;
  readonly receipt_email?: string | null;
  readonly latest_charge?: Reference;
  readonly last_payment_error?: { readonly message?: string; readonly code?: string } | null;
  readonly next_action?: { readonly type: string } | null;
  readonly cancellation_reason?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly created?: number;
}

const toIntent = (raw: RawIntent): z.input<typeof intentShape> => ({
  id: raw.id,
  status: raw.status,
  amount: raw.amount,
  amount_received: raw.amount_received,
  amount_capturable: raw.amount_capturable,
  currency: raw.currency,
  customer: idOf(raw.customer),
  payment_method: idOf(raw.payment_method),
  capture_method: raw.capture_method,
  description: given(raw.description),
  receipt_email: given(raw.receipt_email),
  latest_charge: idOf(raw.latest_charge),
  last_error: raw.last_payment_error?.message ?? raw.last_payment_error?.code,
  next_action: raw.next_action?.type,
  cancellation_reason: given(raw.cancellation_reason),
  metadata: raw.metadata,
  created: instant(raw.created),
});

export const listPaymentIntents = defineStripeTool({
  name: 'list_payment_intents',
  title: 'List payments',
  description: 'PaymentIntents, newest first.',
  inputSchema: z.strictObject({ customer: field.customerId.optional(), ...field.created, ...field.paging }),
  outputSchema: field.pageOf('payment_intents', intentShape),
  annotations: effects.reads,
  capabilities: ['list payment intents', 'list payments'],
  async execute(input, { service }) {
    const { data, next } = await readPage<RawIntent>(service, at('payment_intents'), input);
    return { payment_intents: data.map(toIntent), next };
  },
});

export const getPaymentIntent = defineStripeTool({
  name: 'get_payment_intent',
  title: 'Get a payment',
  description: 'One PaymentIntent by id.',
  inputSchema: z.strictObject({ payment_intent: field.paymentIntentId }),
  outputSchema: intentShape,
  annotations: effects.reads,
  capabilities: ['get payment intent', 'get payment'],
  async execute({ payment_intent }, { service }) {
    return toIntent(await read<RawIntent>(service, at('payment_intents', payment_intent)));
  },
});

export const createPaymentIntent = defineStripeTool({
  name: 'create_payment_intent',
  title: 'Create a payment',
  description:
    'Start a payment of an amount in the smallest unit of currency. With confirm and payment_method the money is taken now.',
  inputSchema: z.strictObject({
    amount: field.amountOf('What is to be paid'),
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
  outputSchema: intentShape,
  annotations: effects.creates,
  highRisk: true,
  capabilities: ['create payment intent', 'charge customer', 'take payment'],
  async execute(input, { service }) {
    // Methods that lead elsewhere can be offered only when there is a way back, or when nothing is confirmed yet.
    const offered = input.confirm !== true || input.return_url !== undefined;
    const parameters = { ...input, automatic_payment_methods: offered ? { enabled: true } : undefined };
    return toIntent(await write<RawIntent>(service, at('payment_intents'), parameters));
  },
});

export const cancelPaymentIntent = defineStripeTool({
  name: 'cancel_payment_intent',
  title: 'Cancel a payment',
  description: 'Cancel a PaymentIntent that has not succeeded; money that is held is released. It cannot be revived.',
  inputSchema: z.strictObject({
    payment_intent: field.paymentIntentId,
    cancellation_reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']).optional(),
  }),
  outputSchema: intentShape,
  annotations: effects.replaces,
  risk: 'write',
  highRisk: true,
  capabilities: ['cancel payment intent', 'cancel payment'],
  async execute({ payment_intent, cancellation_reason }, { service }) {
    const path = at('payment_intents', payment_intent, 'cancel');
    return toIntent(await write<RawIntent>(service, path, { cancellation_reason }));
  },
});

export const capturePaymentIntent = defineStripeTool({
  name: 'capture_payment_intent',
  title: 'Capture a payment',
  description: 'Take money that a PaymentIntent holds (requires_capture). What is not captured is released.',
  inputSchema: z.strictObject({
    payment_intent: field.paymentIntentId,
    amount_to_capture: field.amountOf('At most what is held, which is the default').optional(),
  }),
  outputSchema: intentShape,
  annotations: effects.createsOnce,
  highRisk: true,
  capabilities: ['capture payment intent', 'capture payment'],
  async execute({ payment_intent, amount_to_capture }, { service }) {
    const path = at('payment_intents', payment_intent, 'capture');
    return toIntent(await write<RawIntent>(service, path, { amount_to_capture }));
  },
});

/** Charges: the attempts to take money, also those that failed. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineStripeTool } from '../define-tool.js';
import * as field from '../inputs.js';
import { at, given, idOf, instant, type Reference, readPage } from '../requests.js';

const chargeShape = z.strictObject({
  id: z.string(),
  status: z.string().describe('succeeded, pending or failed'),
  amount: field.money,
  amount_refunded: field.money.optional(),
  currency: z.string(),
  paid: z.boolean().optional(),
  captured: z.boolean().optional(),
  refunded: z.boolean().optional().describe('Wholly'),
  disputed: z.boolean().optional(),
  customer: z.string().optional(),
  payment_intent: z.string().optional(),
  invoice: z.string().optional(),
  description: z.string().optional(),
  failure_code: z.string().optional(),
  failure_message: z.string().optional(),
  receipt_url: z.string().optional(),
  created: z.string().optional(),
});

interface RawCharge {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly amount_refunded?: number;
  readonly currency: string;
  readonly paid?: boolean;
  readonly captured?: boolean;
  readonly refunded?: boolean;
  readonly disputed?: boolean;
  readonly customer?: Reference;
  readonly payment_intent?: Reference;
  readonly invoice?: Reference;
  readonly description?: string | null;
  readonly failure_code?: string | null;
  readonly failure_message?: string | null;
  readonly receipt_url?: string | null;
  readonly created?: number;
}

const toCharge = (raw: RawCharge): z.input<typeof chargeShape> => ({
  id: raw.id,
  status: raw.status,
  amount: raw.amount,
  amount_refunded: raw.amount_refunded,
  currency: raw.currency,
  paid: raw.paid,
  captured: raw.captured,
  refunded: raw.refunded,
  disputed: raw.disputed,
  customer: idOf(raw.customer),
  payment_intent: idOf(raw.payment_intent),
  invoice: idOf(raw.invoice),
  description: given(raw.description),
  failure_code: given(raw.failure_code),
  failure_message: given(raw.failure_message),
  receipt_url: given(raw.receipt_url),
  created: instant(raw.created),
});

export const listCharges = defineStripeTool({
  name: 'list_charges',
  title: 'List charges',
  description: 'Charges, newest first; of one customer or PaymentIntent if it is given.',
  inputSchema: z.strictObject({
    customer: field.customerId.optional(),
    payment_intent: field.paymentIntentId.optional(),
    ...field.created,
    ...field.paging,
  }),
  outputSchema: field.pageOf('charges', chargeShape),
  annotations: effects.reads,
  capabilities: ['list charges'],
  async execute(input, { service }) {
    const { data, next } = await readPage<RawCharge>(service, at('charges'), input);
    return { charges: data.map(toCharge), next };
  },
});

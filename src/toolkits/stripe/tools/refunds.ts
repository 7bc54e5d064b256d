/** Refunds: money that goes back. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineStripeTool } from '../define-tool.js';
import * as field from '../inputs.js';
import { at, given, idOf, instant, type Reference, read, readPage, write } from '../requests.js';

const refundShape = z.strictObject({
  id: z.string(),
  status: z.string().optional().describe('pending, requires_action, succeeded, failed or canceled'),
  amount: field.money,
  currency: z.string(),
  charge: z.string().optional(),
  payment_intent: z.string().optional(),
  reason: z.string().optional(),
  failure_reason: z.string().optional(),
  metadata: field.metadataOutput,
  created: z.string().optional(),
});

interface RawRefund {
  readonly id: string;
  readonly status?: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly charge?: Reference;
  readonly payment_intent?: Reference;
  readonly reason?: string | null;
  readonly failure_reason?: string | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly created?: number;
}

const toRefund = (raw: RawRefund): z.input<typeof refundShape> => ({
  id: raw.id,
  status: given(raw.status),
  amount: raw.amount,
  currency: raw.currency,
  charge: idOf(raw.charge),
  payment_intent: idOf(raw.payment_intent),
  reason: given(raw.reason),
  failure_reason: given(raw.failure_reason),
  metadata: given(raw.metadata),
  created: instant(raw.created),
});

export const listRefunds = defineStripeTool({
  name: 'list_refunds',
  title: 'List refunds',
  description: 'Refunds, newest first; of one charge or PaymentIntent if it is given.',
  inputSchema: z.strictObject({
    charge: field.chargeId.optional(),
    payment_intent: field.paymentIntentId.optional(),
    ...field.created,
    ...field.paging,
  }),
  outputSchema: field.pageOf('refunds', refundShape),
  annotations: effects.reads,
  capabilities: ['list refunds'],
  async execute(input, { service }) {
    const { data, next } = await readPage<RawRefund>(service, at('refunds'), input);
    return { refunds: data.map(toRefund), next };
  },
});

export const getRefund = defineStripeTool({
  name: 'get_refund',
  title: 'Get a refund',
  description: 'One refund by id.',
  inputSchema: z.strictObject({ refund: field.idField('Id of the refund: re_…') }),
  outputSchema: refundShape,
  annotations: effects.reads,
  capabilities: ['get refund', 'read refund'],
  async execute({ refund }, { service }) {
    return toRefund(await read<RawRefund>(service, at('refunds', refund)));
  },
});

export const createRefund = defineStripeTool({
  name: 'create_refund',
  title: 'Create a refund',
  description:
    'Give money back for a charge or PaymentIntent, all of it or an amount in the smallest unit of currency.',
  inputSchema: z.strictObject({
    payment_intent: field.paymentIntentId.optional(),
    charge: field.chargeId.optional(),
    amount: field.amountOf('In the currency of the payment; default: all that has not been refunded').optional(),
    reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    metadata: field.metadata,
  }),
  outputSchema: refundShape,
  annotations: effects.creates,
  highRisk: true,
  capabilities: ['create refund', 'refund payment', 'refund charge'],
  async execute(input, { service }) {
    if ((input.charge === undefined) === (input.payment_intent === undefined)) {
      throw new HelveError('invalid_input', 'A refund needs either payment_intent or charge', {
        hint: 'Send the one whose money goes back: payment_intent (pi_…) or charge (ch_…).',
      });
    }
    return toRefund(await write<RawRefund>(service, at('refunds'), input));
  },
});

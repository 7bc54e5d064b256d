/** The account's money: what there is, and each movement of it. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineStripeTool } from '../define-tool.js';
import * as field from '../inputs.js';
import { at, given, idOf, instant, type Reference, read, readPage } from '../requests.js';

const fundsShape = z.array(z.strictObject({ amount: field.money, currency: z.string() }));

interface RawFunds {
  readonly amount: number;
  readonly currency: string;
}

const toFunds = (funds: readonly RawFunds[]) => funds.map(({ amount, currency }) => ({ amount, currency }));

export const getBalance = defineStripeTool({
  name: 'get_balance',
  title: 'Get the balance',
  description: 'What the account holds, by currency: available now, and pending.',
  inputSchema: z.strictObject({}),
  outputSchema: z.strictObject({ available: fundsShape, pending: fundsShape, livemode: z.boolean() }),
  annotations: effects.reads,
  capabilities: ['get balance', 'read balance'],
  async execute(_input, { service }) {
    const raw = await read<{ available: RawFunds[]; pending: RawFunds[]; livemode: boolean }>(service, at('balance'));
    return { available: toFunds(raw.available), pending: toFunds(raw.pending), livemode: raw.livemode };
  },
});

const movementShape = z.strictObject({
  id: z.string(),
  type: z.string().describe('charge, refund, payout, stripe_fee, adjustment …'),
  amount: field.money.describe('Before fees. Smallest unit of currency'),
  fee: field.money,
  net: field.money,
  currency: z.string(),
  status: z.string().optional().describe('available or pending'),
  source: z.string().optional().describe('Id of what it comes from: ch_…, re_…, po_…'),
  description: z.string().optional(),
  available_on: z.string().optional(),
  created: z.string().optional(),
});

interface RawMovement {
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  readonly fee: number;
  readonly net: number;
  readonly currency: string;
  readonly status?: string;
  readonly source?: Reference;
  readonly description?: string | null;
  readonly available_on?: number;
  readonly created?: number;
}

export const listBalanceTransactions = defineStripeTool({
  name: 'list_balance_transactions',
  title: 'List balance transactions',
  description: 'Movements of the balance, newest first: payments, fees, refunds, payouts.',
  inputSchema: z.strictObject({
    type: z
      .string()
      .regex(/^[a-z_]{1,64}$/)
      .optional()
      .describe('charge, refund, payout, stripe_fee …'),
    source: field.idField('Id of what it comes from: ch_…, re_…').optional(),
    payout: field.idField('Only what this payout paid out: po_…').optional(),
    currency: field.currency.optional(),
    ...field.created,
    ...field.paging,
  }),
  outputSchema: field.pageOf('balance_transactions', movementShape),
  annotations: effects.reads,
  capabilities: ['list balance transactions'],
  async execute(input, { service }) {
    const { data, next } = await readPage<RawMovement>(service, at('balance_transactions'), input);
    const balance_transactions = data.map((raw) => ({
      id: raw.id,
      type: raw.type,
      amount: raw.amount,
      fee: raw.fee,
      net: raw.net,
      currency: raw.currency,
      status: raw.status,
      source: idOf(raw.source),
      description: given(raw.description),
      available_on: instant(raw.available_on),
      created: instant(raw.created),
    }));
    return { balance_transactions, next };
  },
});

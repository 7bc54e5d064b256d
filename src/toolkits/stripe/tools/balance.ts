/** The account's balance and its transactions. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineRecord, listFrom } from '../../../util/record.js';
import { definePage, idFrom, money, timeFrom } from '../answers.js';
import { defineStripeRequest } from '../define-tool.js';
import * as field from '../inputs.js';

const fundsRecord = defineRecord({ amount: money, currency: z.string() });

const balanceRecord = defineRecord({
  available: listFrom('available', fundsRecord),
  pending: listFrom('pending', fundsRecord),
  livemode: z.boolean(),
});

export const getBalance = defineStripeRequest({
  name: 'get_balance',
  title: 'Get the balance',
  description: 'What the account holds, by currency: available now, and pending.',
  inputSchema: z.strictObject({}),
  annotations: effects.reads,
  capabilities: ['get balance', 'read balance'],
  request: 'GET /v1/balance',
  answer: balanceRecord,
});

const movementRecord = defineRecord({
  id: z.string(),
  type: z.string().describe('charge, refund, payout, stripe_fee, adjustment …'),
  amount: money.describe('Before fees. Smallest unit of currency'),
  fee: money,
  net: money,
  currency: z.string(),
  status: z.string().optional().describe('available or pending'),
  source: idFrom('source', 'Id of what it comes from: ch_…, re_…, po_…'),
  description: z.string().optional(),
  available_on: timeFrom('available_on'),
  created: timeFrom('created'),
});

export const listBalanceTransactions = defineStripeRequest({
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
  annotations: effects.reads,
  capabilities: ['list balance transactions'],
  request: 'GET /v1/balance_transactions',
  answer: definePage('balance_transactions', movementRecord),
});

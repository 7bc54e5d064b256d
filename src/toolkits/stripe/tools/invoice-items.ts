/** Invoice items: the lines that an invoice bills. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineRecord } from '../../../util/record.js';
import { idFrom, metadata, money, timeFrom } from '../answers.js';
import { defineStripeRequest } from '../define-tool.js';
import * as field from '../inputs.js';

const itemRecord = defineRecord({
  id: z.string(),
  customer: idFrom('customer'),
  invoice: idFrom('invoice', 'Absent: it waits for the customer’s next invoice'),
  amount: money,
  currency: z.string(),
  description: z.string().optional(),
  price: idFrom('price'),
  quantity: z.number().optional(),
  metadata,
  date: timeFrom('date'),
});

export const addInvoiceItem = defineStripeRequest({
  name: 'add_invoice_item',
  title: 'Add an invoice item',
  description: 'Bill a customer for a price (and quantity) or for an amount, on a draft or on the next invoice.',
  inputSchema: z.strictObject({
    customer: field.customerId,
    invoice: field.invoiceId.optional().describe('A draft; absent: the item waits for the next invoice'),
    price: field.priceId.optional(),
    quantity: z.int().min(0).max(1_000_000_000).optional().describe('Only with price. Default 1'),
    amount: field.signedAmount.optional(),
    currency: field.currency.optional().describe('Needed with amount'),
    description: field.text(5_000).optional(),
    metadata: field.metadata,
  }),
  annotations: effects.creates,
  capabilities: ['add invoice item', 'bill customer'],
  request: 'POST /v1/invoiceitems',
  parameters(input) {
    const { price, amount, currency, quantity } = input;
    if ((price === undefined) === (amount === undefined)) {
      throw new HelveError('invalid_input', 'An item needs either price or amount', {
        hint: 'Send price (and quantity), or amount and currency.',
      });
    }
    if (amount !== undefined && (currency === undefined || quantity !== undefined)) {
      throw new HelveError('invalid_input', 'amount goes with currency and without quantity', {
        hint: 'Send the whole amount of the line, or make a price for one and send price and quantity.',
      });
    }
    return input;
  },
  answer: itemRecord,
});

/** What an invoice bills. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineStripeTool } from '../define-tool.js';
import * as field from '../inputs.js';
import { at, given, idOf, instant, type Reference, write } from '../requests.js';

const itemShape = z.strictObject({
  id: z.string(),
  customer: z.string().optional(),
  invoice: z.string().optional().describe('Absent: it waits for the customer’s next invoice'),
  amount: field.money,
  currency: z.string(),
  description: z.string().optional(),
  price: z.string().optional(),
  quantity: z.number().optional(),
  metadata: field.metadataOutput,
  date: z.string().optional(),
});

interface RawItem {
  readonly id: string;
  readonly customer?: Reference;
  readonly invoice?: Reference;
  readonly amount: number;
  readonly currency: string;
  readonly description?: string | null;
  readonly price?: Reference;
  readonly quantity?: number | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly date?: number;
}

export const addInvoiceItem = defineStripeTool({
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
  outputSchema: itemShape,
  annotations: effects.creates,
  capabilities: ['add invoice item', 'bill customer'],
  async execute(input, { service }) {
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
    const raw = await write<RawItem>(service, at('invoiceitems'), input);
    return {
      id: raw.id,
      customer: idOf(raw.customer),
      invoice: idOf(raw.invoice),
      amount: raw.amount,
      currency: raw.currency,
      description: given(raw.description),
      price: idOf(raw.price),
      quantity: given(raw.quantity),
      metadata: given(raw.metadata),
      date: instant(raw.date),
    };
  },
});

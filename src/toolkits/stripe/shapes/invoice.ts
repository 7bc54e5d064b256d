/** Invoices. */
import { z } from 'zod';
import { defineRecord, from, listFrom, orElse } from '../../../util/record.js';
import { idFrom, metadata, money, timeFrom } from '../answers.js';

export const invoiceRecord = defineRecord({
  id: z.string(),
  number: z.string().optional().describe('Absent while it is a draft'),
  status: z.string().optional().describe('draft, open, paid, uncollectible or void'),
  customer: idFrom('customer'),
  customer_email: z.string().optional(),
  currency: z.string(),
  total: money,
  amount_due: money,
  amount_paid: money,
  amount_remaining: money,
  collection_method: z.string().optional(),
  auto_advance: z.boolean().optional(),
  description: z.string().optional(),
  subscription: idFrom('subscription'),
  payment_intent: idFrom('payment_intent'),
  due_date: timeFrom('due_date'),
  hosted_invoice_url: z.string().optional().describe('Where the customer pays'),
  invoice_pdf: z.string().optional(),
  metadata,
  created: timeFrom('created'),
});

const lineRecord = defineRecord({
  id: z.string(),
  description: z.string().optional(),
  amount: money,
  currency: z.string(),
  quantity: z.number().optional(),
  price: idFrom('price'),
});

export const invoiceWithLinesRecord = defineRecord({
  ...invoiceRecord.fields,
  lines: orElse(listFrom('lines.data', lineRecord), []),
  more_lines: orElse(from('lines.has_more', z.boolean().describe('There are more than these')), false),
});

/** Invoices. A draft gets items and is finalized, sent and paid; a finalized invoice can only be voided. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineRecord, from, listFrom, orElse } from '../../../util/record.js';
import { definePage, defineSearchPage, idFrom, metadata, money, timeFrom } from '../answers.js';
import { defineStripeRequest } from '../define-tool.js';
import * as field from '../inputs.js';
import { toSeconds } from '../requests.js';

const invoiceRecord = defineRecord({
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

const invoiceWithLinesRecord = defineRecord({
  ...invoiceRecord.fields,
  lines: orElse(listFrom('lines.data', lineRecord), []),
  more_lines: orElse(from('lines.has_more', z.boolean().describe('There are more than these')), false),
});

const collectionMethod = z.enum(['charge_automatically', 'send_invoice']).optional();
const facts = {
  description: field.text(1_500).optional().describe('Shown on the invoice'),
  footer: field.text(5_000).optional(),
  collection_method: collectionMethod.describe(
    'Charge the default payment method (default), or send the invoice to be paid',
  ),
  days_until_due: z.int().min(0).max(3_650).optional().describe('Only with send_invoice, which needs it or due_date'),
  due_date: field.time.optional().describe('Only with send_invoice, in place of days_until_due. ISO 8601'),
  auto_advance: z.boolean().optional().describe('Whether Stripe finalizes and collects it by itself'),
  metadata: field.metadata,
};

function toParameters({ due_date, ...rest }: { readonly due_date?: string | undefined }) {
  return { ...rest, due_date: toSeconds(due_date) };
}

export const listInvoices = defineStripeRequest({
  name: 'list_invoices',
  title: 'List invoices',
  description: 'Invoices, newest first.',
  inputSchema: z.strictObject({
    customer: field.customerId.optional(),
    subscription: field.subscriptionId.optional(),
    status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
    collection_method: collectionMethod,
    ...field.created,
    ...field.paging,
  }),
  annotations: effects.reads,
  capabilities: ['list invoices'],
  request: 'GET /v1/invoices',
  answer: definePage('invoices', invoiceRecord),
});

export const searchInvoices = defineStripeRequest({
  name: 'search_invoices',
  title: 'Search invoices',
  description: 'Find invoices by customer, number, status, total, currency, subscription, metadata or created.',
  inputSchema: z.strictObject(field.searching),
  annotations: effects.reads,
  capabilities: ['search invoices', 'find invoice'],
  request: 'GET /v1/invoices/search',
  answer: defineSearchPage('invoices', invoiceRecord),
});

export const getInvoice = defineStripeRequest({
  name: 'get_invoice',
  title: 'Get an invoice',
  description: 'One invoice by id, with its lines.',
  inputSchema: z.strictObject({ invoice: field.invoiceId }),
  annotations: effects.reads,
  capabilities: ['get invoice', 'read invoice'],
  request: 'GET /v1/invoices/{invoice}',
  answer: invoiceWithLinesRecord,
});

export const createInvoice = defineStripeRequest({
  name: 'create_invoice',
  title: 'Create an invoice',
  description: 'Start a draft for a customer. Then add_invoice_item, finalize_invoice, send_invoice.',
  inputSchema: z.strictObject({
    customer: field.customerId,
    currency: field.currency.optional().describe("Default: the customer's"),
    ...facts,
    pending_invoice_items_behavior: z
      .enum(['include', 'exclude'])
      .optional()
      .describe('Whether items that wait for the customer’s next invoice come in. Default exclude'),
  }),
  annotations: effects.creates,
  capabilities: ['create invoice', 'draft invoice'],
  request: 'POST /v1/invoices',
  parameters: toParameters,
  answer: invoiceRecord,
});

export const updateInvoice = defineStripeRequest({
  name: 'update_invoice',
  title: 'Update an invoice',
  description: 'Change what is given and leave the rest. Of a finalized invoice only metadata and little else changes.',
  inputSchema: z.strictObject({ invoice: field.invoiceId, ...facts }),
  annotations: effects.replaces,
  risk: 'write',
  capabilities: ['update invoice', 'edit invoice'],
  request: 'POST /v1/invoices/{invoice}',
  parameters: toParameters,
  answer: invoiceRecord,
});

export const finalizeInvoice = defineStripeRequest({
  name: 'finalize_invoice',
  title: 'Finalize an invoice',
  description:
    'Make a draft final: it gets its number and can be paid. With auto_advance and charge_automatically the customer is charged.',
  inputSchema: z.strictObject({
    invoice: field.invoiceId,
    auto_advance: z.boolean().optional().describe('Whether Stripe goes on to collect it by itself'),
  }),
  annotations: effects.createsOnce,
  highRisk: true,
  capabilities: ['finalize invoice'],
  request: 'POST /v1/invoices/{invoice}/finalize',
  answer: invoiceRecord,
});

export const sendInvoice = defineStripeRequest({
  name: 'send_invoice',
  title: 'Send an invoice',
  description: 'Send a finalized invoice by e-mail to its customer. In test mode Stripe sends nothing.',
  inputSchema: z.strictObject({ invoice: field.invoiceId }),
  annotations: effects.creates,
  capabilities: ['send invoice', 'email invoice'],
  request: 'POST /v1/invoices/{invoice}/send',
  answer: invoiceRecord,
});

export const voidInvoice = defineStripeRequest({
  name: 'void_invoice',
  title: 'Void an invoice',
  description: 'Declare a finalized invoice void for good: it can no longer be paid. Not for paid ones: create_refund.',
  inputSchema: z.strictObject({ invoice: field.invoiceId }),
  annotations: effects.replaces,
  risk: 'destructive',
  capabilities: ['void invoice', 'cancel invoice'],
  request: 'POST /v1/invoices/{invoice}/void',
  answer: invoiceRecord,
});

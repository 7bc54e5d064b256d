/** Invoices: drafts are filled with items, finalized, sent and paid; what was finalized can only be voided. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineStripeTool } from '../define-tool.js';
import * as field from '../inputs.js';
import { at, epoch, read, readPage, search, write } from '../requests.js';
import { invoiceShape, lineShape, type RawInvoice, toInvoice, toLines } from '../shapes/invoice.js';

const facts = {
  description: field.text(1_500).optional().describe('Shown on the invoice'),
  footer: field.text(5_000).optional(),
  collection_method: z
    .enum(['charge_automatically', 'send_invoice'])
    .optional()
    .describe('Charge the default payment method (default), or send the invoice to be paid'),
  days_until_due: z.int().min(0).max(3_650).optional().describe('Only with send_invoice, which needs it or due_date'),
  due_date: field.time.optional().describe('Only with send_invoice, in place of days_until_due. ISO 8601'),
  auto_advance: z.boolean().optional().describe('Whether Stripe finalizes and collects it by itself'),
  metadata: field.metadata,
};

export const listInvoices = defineStripeTool({
  name: 'list_invoices',
  title: 'List invoices',
  description: 'Invoices, newest first.',
  inputSchema: z.strictObject({
    customer: field.customerId.optional(),
    subscription: field.idField('Id of the subscription: sub_…').optional(),
    status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
    collection_method: z.enum(['charge_automatically', 'send_invoice']).optional(),
    ...field.created,
    ...field.paging,
  }),
  outputSchema: field.pageOf('invoices', invoiceShape),
  annotations: effects.reads,
  capabilities: ['list invoices'],
  async execute(input, { service }) {
    const { data, next } = await readPage<RawInvoice>(service, at('invoices'), input);
    return { invoices: data.map(toInvoice), next };
  },
});

export const searchInvoices = defineStripeTool({
  name: 'search_invoices',
  title: 'Search invoices',
  description: 'Find invoices by customer, number, status, total, currency, subscription, metadata or created.',
  inputSchema: z.strictObject(field.searching),
  outputSchema: field.pageOf('invoices', invoiceShape),
  annotations: effects.reads,
  capabilities: ['search invoices', 'find invoice'],
  async execute(input, { service }) {
    const { data, next } = await search<RawInvoice>(service, at('invoices', 'search'), input);
    return { invoices: data.map(toInvoice), next };
  },
});

export const getInvoice = defineStripeTool({
  name: 'get_invoice',
  title: 'Get an invoice',
  description: 'One invoice by id, with its lines.',
  inputSchema: z.strictObject({ invoice: field.invoiceId }),
  outputSchema: invoiceShape.extend({
    lines: z.array(lineShape),
    more_lines: z.boolean().describe('There are more than these'),
  }),
  annotations: effects.reads,
  capabilities: ['get invoice', 'read invoice'],
  async execute({ invoice }, { service }) {
    const raw = await read<RawInvoice>(service, at('invoices', invoice));
    return { ...toInvoice(raw), lines: toLines(raw), more_lines: raw.lines?.has_more === true };
  },
});

export const createInvoice = defineStripeTool({
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
  outputSchema: invoiceShape,
  annotations: effects.creates,
  capabilities: ['create invoice', 'draft invoice'],
  async execute({ due_date, ...input }, { service }) {
    const parameters = { ...input, due_date: epoch(due_date) };
    return toInvoice(await write<RawInvoice>(service, at('invoices'), parameters));
  },
});

export const updateInvoice = defineStripeTool({
  name: 'update_invoice',
  title: 'Update an invoice',
  description: 'Change what is given and leave the rest. Of a finalized invoice only metadata and little else changes.',
  inputSchema: z.strictObject({ invoice: field.invoiceId, ...facts }),
  outputSchema: invoiceShape,
  annotations: effects.replaces,
  risk: 'write',
  capabilities: ['update invoice', 'edit invoice'],
  async execute({ invoice, due_date, ...input }, { service }) {
    const parameters = { ...input, due_date: epoch(due_date) };
    return toInvoice(await write<RawInvoice>(service, at('invoices', invoice), parameters));
  },
});

export const finalizeInvoice = defineStripeTool({
  name: 'finalize_invoice',
  title: 'Finalize an invoice',
  description:
    'Make a draft final: it gets its number and can be paid. With auto_advance and charge_automatically the customer is charged.',
  inputSchema: z.strictObject({
    invoice: field.invoiceId,
    auto_advance: z.boolean().optional().describe('Whether Stripe goes on to collect it by itself'),
  }),
  outputSchema: invoiceShape,
  annotations: effects.createsOnce,
  highRisk: true,
  capabilities: ['finalize invoice'],
  async execute({ invoice, auto_advance }, { service }) {
    return toInvoice(await write<RawInvoice>(service, at('invoices', invoice, 'finalize'), { auto_advance }));
  },
});

export const sendInvoice = defineStripeTool({
  name: 'send_invoice',
  title: 'Send an invoice',
  description: 'Send a finalized invoice by e-mail to its customer. In test mode Stripe sends nothing.',
  inputSchema: z.strictObject({ invoice: field.invoiceId }),
  outputSchema: invoiceShape,
  annotations: effects.creates,
  capabilities: ['send invoice', 'email invoice'],
  async execute({ invoice }, { service }) {
    return toInvoice(await write<RawInvoice>(service, at('invoices', invoice, 'send')));
  },
});

export const voidInvoice = defineStripeTool({
  name: 'void_invoice',
  title: 'Void an invoice',
  description: 'Declare a finalized invoice void for good: it can no longer be paid. Not for paid ones: create_refund.',
  inputSchema: z.strictObject({ invoice: field.invoiceId }),
  outputSchema: invoiceShape,
  annotations: effects.replaces,
  risk: 'destructive',
  capabilities: ['void invoice', 'cancel invoice'],
  async execute({ invoice }, { service }) {
    return toInvoice(await write<RawInvoice>(service, at('invoices', invoice, 'void')));
  },
});

/** Customers. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineRecord, from } from '../../../util/record.js';
import { definePage, defineSearchPage, idFrom, metadata, money, timeFrom } from '../answers.js';
import { defineStripeRequest } from '../define-tool.js';
import * as field from '../inputs.js';

/** The parts that have a value; undefined if none has. */
function readAddress(address: Readonly<Record<string, string | null>>): Record<string, string> | undefined {
  const parts = Object.entries(address).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}

const customerRecord = defineRecord({
  id: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
  description: z.string().optional(),
  address: from('address', z.record(z.string(), z.string()).optional(), readAddress),
  balance: money.optional().describe('Negative: credit that the next invoice uses up. Smallest unit of currency'),
  currency: z.string().optional(),
  delinquent: z.boolean().optional().describe('The last invoice is overdue or its payment failed'),
  default_payment_method: idFrom('invoice_settings.default_payment_method'),
  metadata,
  created: timeFrom('created'),
  deleted: from(
    'deleted',
    z.literal(true).optional().describe('Nothing but the id is left of it'),
    (deleted) => deleted === true || undefined,
  ),
});

const facts = {
  name: field.text(256).optional(),
  email: field.email.optional().describe('Where invoices and receipts go'),
  phone: field.text(20).optional(),
  description: field.text(5_000).optional().describe('For the merchant, not shown to the customer'),
  address: field.address.optional(),
  metadata: field.metadata,
};

export const listCustomers = defineStripeRequest({
  name: 'list_customers',
  title: 'List customers',
  description: 'Customers, newest first; by exact e-mail address if one is given.',
  inputSchema: z.strictObject({ email: field.email.optional(), ...field.created, ...field.paging }),
  annotations: effects.reads,
  capabilities: ['list customers'],
  request: 'GET /v1/customers',
  answer: definePage('customers', customerRecord),
});

export const searchCustomers = defineStripeRequest({
  name: 'search_customers',
  title: 'Search customers',
  description: 'Find customers by name, email, phone, metadata or created: name~"Love", email:"ada@example.com".',
  inputSchema: z.strictObject(field.searching),
  annotations: effects.reads,
  capabilities: ['search customers', 'find customer'],
  request: 'GET /v1/customers/search',
  answer: defineSearchPage('customers', customerRecord),
});

export const getCustomer = defineStripeRequest({
  name: 'get_customer',
  title: 'Get a customer',
  description: 'One customer by id.',
  inputSchema: z.strictObject({ customer: field.customerId }),
  annotations: effects.reads,
  capabilities: ['get customer', 'read customer'],
  request: 'GET /v1/customers/{customer}',
  answer: customerRecord,
});

export const createCustomer = defineStripeRequest({
  name: 'create_customer',
  title: 'Create a customer',
  description: 'Add a customer. Stripe allows several with one e-mail address: look with list_customers first.',
  inputSchema: z.strictObject(facts),
  annotations: effects.creates,
  capabilities: ['create customer', 'add customer'],
  request: 'POST /v1/customers',
  answer: customerRecord,
});

export const updateCustomer = defineStripeRequest({
  name: 'update_customer',
  title: 'Update a customer',
  description: 'Change what is given and leave the rest; an empty text removes a value.',
  inputSchema: z.strictObject({
    customer: field.customerId,
    ...facts,
    email: z.union([field.email, z.literal('')]).optional(),
    default_payment_method: field.idField('Id of an attached payment method: pm_…').optional(),
  }),
  annotations: effects.replaces,
  risk: 'write',
  capabilities: ['update customer', 'edit customer'],
  request: 'POST /v1/customers/{customer}',
  parameters: ({ default_payment_method, ...rest }) => ({ ...rest, invoice_settings: { default_payment_method } }),
  answer: customerRecord,
});

/** Customers: who pays. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineStripeTool } from '../define-tool.js';
import * as field from '../inputs.js';
import { at, given, idOf, instant, type Reference, read, readPage, search, write } from '../requests.js';

const customerShape = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
  description: z.string().optional(),
  address: z.record(z.string(), z.string()).optional(),
  balance: field.money.optional().describe('Negative: credit that the next invoice uses up. Smallest unit of currency'),
  currency: z.string().optional(),
  delinquent: z.boolean().optional().describe('The last invoice is overdue or its payment failed'),
  default_payment_method: z.string().optional(),
  metadata: field.metadataOutput,
  created: z.string().optional(),
  deleted: z.literal(true).optional().describe('Nothing but the id is left of it'),
});

interface RawCustomer {
  readonly id: string;
  readonly name?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly description?: string | null;
  readonly address?: Readonly<Record<string, string | null>> | null;
  readonly balance?: number;
  readonly currency?: string | null;
  readonly delinquent?: boolean | null;
  readonly invoice_settings?: { readonly default_payment_method?: Reference } | null;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly created?: number;
  readonly deleted?: boolean;
}

function toCustomer(raw: RawCustomer): z.input<typeof customerShape> {
  const address = Object.entries(raw.address ?? {}).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return {
    id: raw.id,
    name: given(raw.name),
    email: given(raw.email),
    phone: given(raw.phone),
    description: given(raw.description),
    address: address.length > 0 ? Object.fromEntries(address) : undefined,
    balance: given(raw.balance),
    currency: given(raw.currency),
    delinquent: given(raw.delinquent),
    default_payment_method: idOf(raw.invoice_settings?.default_payment_method),
    metadata: raw.metadata,
    created: instant(raw.created),
    deleted: raw.deleted === true ? true : undefined,
  };
}

const facts = {
  name: field.text(256).optional(),
  email: field.email.optional().describe('Where invoices and receipts go'),
  phone: field.text(20).optional(),
  description: field.text(5_000).optional().describe('For the merchant, not shown to the customer'),
  address: field.address.optional(),
  metadata: field.metadata,
};

export const listCustomers = defineStripeTool({
  name: 'list_customers',
  title: 'List customers',
  description: 'Customers, newest first; by exact e-mail address if one is given.',
  inputSchema: z.strictObject({ email: field.email.optional(), ...field.created, ...field.paging }),
  outputSchema: field.pageOf('customers', customerShape),
  annotations: effects.reads,
  capabilities: ['list customers'],
  async execute(input, { service }) {
    const { data, next } = await readPage<RawCustomer>(service, at('customers'), input);
    return { customers: data.map(toCustomer), next };
  },
});

export const searchCustomers = defineStripeTool({
  name: 'search_customers',
  title: 'Search customers',
  description: 'Find customers by name, email, phone, metadata or created: name~"Love", email:"ada@example.com".',
  inputSchema: z.strictObject(field.searching),
  outputSchema: field.pageOf('customers', customerShape),
  annotations: effects.reads,
  capabilities: ['search customers', 'find customer'],
  async execute(input, { service }) {
    const { data, next } = await search<RawCustomer>(service, at('customers', 'search'), input);
    return { customers: data.map(toCustomer), next };
  },
});

export const getCustomer = defineStripeTool({
  name: 'get_customer',
  title: 'Get a customer',
  description: 'One customer by id.',
  inputSchema: z.strictObject({ customer: field.customerId }),
  outputSchema: customerShape,
  annotations: effects.reads,
  capabilities: ['get customer', 'read customer'],
  async execute({ customer }, { service }) {
    return toCustomer(await read<RawCustomer>(service, at('customers', customer)));
  },
});

export const createCustomer = defineStripeTool({
  name: 'create_customer',
  title: 'Create a customer',
  description: 'Add a customer. Stripe allows several with one e-mail address: look with list_customers first.',
  inputSchema: z.strictObject(facts),
  outputSchema: customerShape,
  annotations: effects.creates,
  capabilities: ['create customer', 'add customer'],
  async execute(input, { service }) {
    return toCustomer(await write<RawCustomer>(service, at('customers'), input));
  },
});

export const updateCustomer = defineStripeTool({
  name: 'update_customer',
  title: 'Update a customer',
  description: 'Change what is given and leave the rest; an empty text removes a value.',
  inputSchema: z.strictObject({
    customer: field.customerId,
    ...facts,
    email: z.union([field.email, z.literal('')]).optional(),
    default_payment_method: field.idField('Id of an attached payment method: pm_…').optional(),
  }),
  outputSchema: customerShape,
  annotations: effects.replaces,
  risk: 'write',
  capabilities: ['update customer', 'edit customer'],
  async execute({ customer, default_payment_method, ...input }, { service }) {
    const invoice_settings = default_payment_method === undefined ? undefined : { default_payment_method };
    return toCustomer(await write<RawCustomer>(service, at('customers', customer), { ...input, invoice_settings }));
  },
});

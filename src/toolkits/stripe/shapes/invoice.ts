/** An invoice as tools show it. */
import { z } from 'zod';
import { metadataOutput, money } from '../inputs.js';
import { given, idOf, instant, type Reference } from '../requests.js';

export const invoiceShape = z.strictObject({
  id: z.string(),
  number: z.string().optional().describe('Absent while it is a draft'),
  status: z.string().optional().describe('draft, open, paid, uncollectible or void'),
  customer: z.string().optional(),
  customer_email: z.string().optional(),
  currency: z.string(),
  total: money,
  amount_due: money,
  amount_paid: money,
  amount_remaining: money,
  collection_method: z.string().optional(),
  auto_advance: z.boolean().optional(),
  description: z.string().optional(),
  subscription: z.string().optional(),
  payment_intent: z.string().optional(),
  due_date: z.string().optional(),
  hosted_invoice_url: z.string().optional().describe('Where the customer pays'),
  invoice_pdf: z.string().optional(),
  metadata: metadataOutput,
  created: z.string().optional(),
});

export const lineShape = z.strictObject({
  id: z.string(),
  description: z.string().optional(),
  amount: money,
  currency: z.string(),
  quantity: z.number().optional(),
  price: z.string().optional(),
});

interface RawLine {
  readonly id: string;
  readonly description?: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly quantity?: number | null;
  readonly price?: Reference;
}

export interface RawInvoice {
  readonly id: string;
  readonly number?: string | null;
  readonly status?: string | null;
  readonly customer?: Reference;
  readonly customer_email?: string | null;
  readonly currency: string;
  readonly total: number;
  readonly amount_due: number;
  readonly amount_paid: number;
  readonly amount_remaining: number;
  readonly collection_method?: string | null;
  readonly auto_advance?: boolean | null;
  readonly description?: string | null;
  readonly subscription?: Reference;
  readonly payment_intent?: Reference;
  readonly due_date?: number | null;
  readonly hosted_invoice_url?: string | null;
  readonly invoice_pdf?: string | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly created?: number;
  readonly lines?: { readonly data: readonly RawLine[]; readonly has_more?: boolean };
}

export const toInvoice = (raw: RawInvoice): z.input<typeof invoiceShape> => ({
  id: raw.id,
  number: given(raw.number),
  status: given(raw.status),
  customer: idOf(raw.customer),
  customer_email: given(raw.customer_email),
  currency: raw.currency,
  total: raw.total,
  amount_due: raw.amount_due,
  amount_paid: raw.amount_paid,
  amount_remaining: raw.amount_remaining,
  collection_method: given(raw.collection_method),
  auto_advance: given(raw.auto_advance),
  description: given(raw.description),
  subscription: idOf(raw.subscription),
  payment_intent: idOf(raw.payment_intent),
  due_date: instant(raw.due_date),
  hosted_invoice_url: given(raw.hosted_invoice_url),
  invoice_pdf: given(raw.invoice_pdf),
  metadata: given(raw.metadata),
  created: instant(raw.created),
});

export const toLines = ({ lines }: RawInvoice): z.input<typeof lineShape>[] =>
  (lines?.data ?? []).map((line) => ({
    id: line.id,
    description: given(line.description),
    amount: line.amount,
    currency: line.currency,
    quantity: given(line.quantity),
    price: idOf(line.price),
  }));

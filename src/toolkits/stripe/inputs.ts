/** Input fields that many tools share. */
import { z } from 'zod';

/** One segment of an address. Merchants can choose some ids themselves. */
export const idField = (what: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$/)
    .describe(what);

export const customerId = idField('Id of the customer: cus_…');
export const priceId = idField('Id of the price: price_…');
export const productId = idField('Id of the product: prod_…');
export const invoiceId = idField('Id of the invoice: in_…');
export const paymentIntentId = idField('Id of the PaymentIntent: pi_…');
export const subscriptionId = idField('Id of the subscription: sub_…');
export const chargeId = idField('Id of the charge: ch_…');

const unit =
  'Integer in the smallest unit of the currency: 1050 is 10.50 USD. Zero-decimal currencies (JPY, KRW, VND, CLP …) have none: 1050 is 1050 JPY. ISK and UGX count as if they had two decimals: 1050 is 10.50 ISK';
export const amountField = (what: string) => z.int().min(1).max(99_999_999_999).describe(`${what}. ${unit}`);
export const unitAmount = z.int().min(0).max(99_999_999_999).describe(`Price of one. ${unit}`);
export const signedAmount = z
  .int()
  .min(-99_999_999_999)
  .max(99_999_999_999)
  .describe(`Negative for a discount. ${unit}`);
export const currency = z
  .string()
  .regex(/^[a-z]{3}$/)
  .describe('ISO 4217, lower case: usd, eur, jpy');

export const interval = z.enum(['day', 'week', 'month', 'year']);

export const metadata = z
  .record(z.string().regex(/^[^[\]]{1,40}$/), z.string().max(500))
  .optional()
  .describe('Up to 50 of your own keys. In an update the others stay, and an empty value removes the key');
export const text = (most: number) => z.string().max(most);
export const email = z
  .string()
  .max(512)
  .regex(/^[^\s@]+@[^\s@]+$/);
export const webAddress = z
  .string()
  .max(2_048)
  .regex(/^https?:\/\/\S+$/);
export const time = z.iso.datetime({ offset: true }).describe('ISO 8601: 2026-01-31T00:00:00Z');
export const address = z.strictObject({
  line1: z.string().max(500).optional(),
  line2: z.string().max(500).optional(),
  city: z.string().max(500).optional(),
  state: z.string().max(500).optional(),
  postal_code: z.string().max(100).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional()
    .describe('ISO 3166: DE'),
});

export const paging = {
  limit: z.int().min(1).max(100).optional().describe('Default 10'),
  starting_after: idField('next of the previous answer').optional(),
};
export const created = { created_after: time.optional(), created_before: time.optional() };
export const searching = {
  query: z
    .string()
    .min(1)
    .max(1_000)
    .describe(
      "Stripe's search language: email:'ada@example.com' AND metadata['plan']:'pro'; created>1700000000; -status:'open'. New objects are found after about a minute",
    ),
  limit: z.int().min(1).max(100).optional().describe('Default 10'),
  page: z.string().max(1_000).optional().describe('next of the previous answer'),
};

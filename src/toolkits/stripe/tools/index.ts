/** The tools of Stripe. */
import type { ToolDefinition } from '../../../domain/tool.js';
import { getBalance, listBalanceTransactions } from './balance.js';
import { listCharges } from './charges.js';
import { createCustomer, getCustomer, listCustomers, searchCustomers, updateCustomer } from './customers.js';
import { addInvoiceItem } from './invoice-items.js';
import {
  createInvoice,
  finalizeInvoice,
  getInvoice,
  listInvoices,
  searchInvoices,
  sendInvoice,
  updateInvoice,
  voidInvoice,
} from './invoices.js';
import {
  cancelPaymentIntent,
  capturePaymentIntent,
  createPaymentIntent,
  getPaymentIntent,
  listPaymentIntents,
} from './payment-intents.js';
import { createPaymentLink, getPaymentLink, listPaymentLinks, updatePaymentLink } from './payment-links.js';
import { createPrice, getPrice, listPrices } from './prices.js';
import { createProduct, getProduct, listProducts, updateProduct } from './products.js';
import { createRefund, getRefund, listRefunds } from './refunds.js';
import { cancelSubscription, getSubscription, listSubscriptions } from './subscriptions.js';

// biome-ignore format: a line for each kind of thing
export const stripeTools: readonly ToolDefinition[] = [
  listCustomers, searchCustomers, getCustomer, createCustomer, updateCustomer,
  listProducts, getProduct, createProduct, updateProduct,
  listPrices, getPrice, createPrice,
  listInvoices, searchInvoices, getInvoice, createInvoice, updateInvoice,
  addInvoiceItem, finalizeInvoice, sendInvoice, voidInvoice,
  listPaymentLinks, getPaymentLink, createPaymentLink, updatePaymentLink,
  listPaymentIntents, getPaymentIntent, createPaymentIntent, cancelPaymentIntent, capturePaymentIntent,
  listRefunds, getRefund, createRefund,
  getBalance, listBalanceTransactions, listCharges,
  listSubscriptions, getSubscription, cancelSubscription,
];

import { defineToolkit } from '../../domain/tool.js';
import { stripeAuth } from './auth.js';
import { stripeService } from './service.js';

export const stripe = defineToolkit({
  slug: 'stripe',
  title: 'Stripe',
  description: 'Customers, products, prices, invoices, payments, refunds and subscriptions of a Stripe account.',
  category: 'finance',
  auth: stripeAuth,
  service: stripeService,
  load: async () => (await import('./tools/index.js')).stripeTools,
});

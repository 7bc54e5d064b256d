/** Where Stripe is and how it speaks. */
import type { ServiceDefinition } from '../../domain/service.js';
import { explain } from './explain.js';

export const stripeService: ServiceDefinition = {
  servers: ({ base_url }) => ({
    default: typeof base_url === 'string' ? { url: base_url, named: true } : { url: 'https://api.stripe.com' },
  }),
  headers: {
    accept: 'application/json',
    // The shapes read here are those of this version, whatever the account's own is.
    'stripe-version': '2022-11-15',
  },
  idempotencyHeader: 'Idempotency-Key',
  explain,
  // Stripe gives a confirmed payment up to 80 s with slow banks.
  timeoutMs: 80_000,
};

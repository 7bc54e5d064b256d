/** Stripe's server and the headers that it expects. */
import type { ServiceDefinition } from '../../domain/service.js';
import { chooseServer } from '../../util/service-address.js';
import { explain } from './explain.js';

export const stripeService: ServiceDefinition = {
  servers: ({ base_url }) => ({ default: chooseServer(base_url, 'https://api.stripe.com') }),
  headers: {
    accept: 'application/json',
    // The tools read answers of this version, whatever the account's default is.
    'stripe-version': '2022-11-15',
  },
  idempotencyHeader: 'Idempotency-Key',
  explain,
  // With slow banks Stripe takes up to 80 s for a confirmed payment.
  timeoutMs: 80_000,
};

/** What the operator sets for Stripe: `toolkits.stripe` in `helve.yaml`. */
import { z } from 'zod';
import { serviceAddress } from '../../util/service-address.js';

export const stripeSettings = z.strictObject({
  base_url: serviceAddress.describe('Of a server with the API of Stripe. Default: https://api.stripe.com'),
});

/** What the operator sets for Stripe: `toolkits.stripe` in `helve.yaml`. */
import { z } from 'zod';

export const stripeSettings = z.strictObject({
  base_url: z
    .string()
    .max(2_048)
    .regex(/^https?:\/\/[^\s?#]+$/)
    .optional()
    .describe('Of a server that speaks as Stripe does. Default: https://api.stripe.com'),
});

/** The operator's settings for Linear: `toolkits.linear` in `helve.yaml`. */
import { z } from 'zod';

export const linearSettings = z.strictObject({
  base_url: z
    .string()
    .max(2_048)
    .regex(/^https?:\/\/[^\s?#]+$/)
    .optional()
    .describe('Without /graphql. Default: https://api.linear.app'),
});

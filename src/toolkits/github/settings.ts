/** What the operator sets for GitHub: `toolkits.github` in `helve.yaml`. */
import { z } from 'zod';

export const githubSettings = z.strictObject({
  base_url: z
    .string()
    .max(2_048)
    .regex(/^https?:\/\/[^\s?#]+$/)
    .optional()
    .describe('Of the REST API. GitHub Enterprise Server: https://HOST/api/v3. Default: https://api.github.com'),
});

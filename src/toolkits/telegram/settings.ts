/** What the operator sets for Telegram: `toolkits.telegram` in `helve.yaml`. */
import { z } from 'zod';

export const telegramSettings = z.strictObject({
  base_url: z
    .string()
    .max(2_048)
    .regex(/^https?:\/\/[^\s?#]+$/)
    .optional()
    .describe('Of a Bot API server of one’s own. Default: https://api.telegram.org'),
});

/** What the operator sets for Google: `toolkits.google_gmail` and `toolkits.google_workspace` in `helve.yaml`. */
import { z } from 'zod';

const address = z
  .string()
  .max(2_048)
  .regex(/^https?:\/\/[^\s?#]+$/)
  .optional();

export const googleSettings = z.strictObject({
  base_url: address.describe('Of all Google services at once, in place of their own addresses'),
  gmail_base_url: address,
  sheets_base_url: address,
  calendar_base_url: address,
  drive_base_url: address,
  userinfo_base_url: address,
});

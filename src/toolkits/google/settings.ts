/** The operator's settings for Google: `toolkits.google_gmail` and `toolkits.google_workspace` in `helve.yaml`. */
import { z } from 'zod';
import { serviceAddress } from '../../util/service-address.js';

export const googleSettings = z.strictObject({
  base_url: serviceAddress.describe('Of all Google services at once, in place of their own addresses'),
  gmail_base_url: serviceAddress,
  sheets_base_url: serviceAddress,
  calendar_base_url: serviceAddress,
  drive_base_url: serviceAddress,
  userinfo_base_url: serviceAddress,
});

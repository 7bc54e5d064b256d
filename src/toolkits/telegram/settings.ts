/** What the operator sets for Telegram: `toolkits.telegram` in `helve.yaml`. */
import { z } from 'zod';
import { serviceAddress } from '../../util/service-address.js';

export const telegramSettings = z.strictObject({
  base_url: serviceAddress.describe('Of your own Bot API server. Default: https://api.telegram.org'),
});

/** The operator's settings for Linear: `toolkits.linear` in `helve.yaml`. */
import { z } from 'zod';
import { serviceAddress } from '../../util/service-address.js';

export const linearSettings = z.strictObject({
  base_url: serviceAddress.describe('Without /graphql. Default: https://api.linear.app'),
});

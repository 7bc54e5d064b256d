/** What the operator sets for GitHub: `toolkits.github` in `helve.yaml`. */
import { z } from 'zod';
import { serviceAddress } from '../../util/service-address.js';

export const githubSettings = z.strictObject({
  base_url: serviceAddress.describe(
    'Of the REST API. GitHub Enterprise Server: https://HOST/api/v3. Default: https://api.github.com',
  ),
});

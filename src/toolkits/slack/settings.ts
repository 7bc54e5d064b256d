/** The operator's settings for Slack: `toolkits.slack` in `helve.yaml`. */
import { z } from 'zod';
import { serviceAddress } from '../../util/service-address.js';

export const slackSettings = z.strictObject({
  base_url: serviceAddress.describe(
    'Of the Web API. GovSlack: https://slack-gov.com/api. Default: https://slack.com/api',
  ),
  files_base_url: serviceAddress.describe('Where the bytes of files go. Default: https://files.slack.com'),
  hooks_base_url: serviceAddress.describe(
    'Where messages with buttons are changed. GovSlack: https://hooks.slack-gov.com. Default: https://hooks.slack.com',
  ),
});

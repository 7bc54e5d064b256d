/** The operator's settings for Slack: `toolkits.slack` in `helve.yaml`. */
import { z } from 'zod';

const address = z
  .string()
  .max(2_048)
  .regex(/^https?:\/\/[^\s?#]+$/)
  .optional();

export const slackSettings = z.strictObject({
  base_url: address.describe('Of the Web API. GovSlack: https://slack-gov.com/api. Default: https://slack.com/api'),
  files_base_url: address.describe('Where the bytes of files go. Default: https://files.slack.com'),
});

/** The secret that signs the messages of a webhook, as Standard Webhooks writes it. */
import { randomBytes } from 'node:crypto';

export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

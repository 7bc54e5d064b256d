/** The operator's settings for SMTP: `toolkits.smtp` in `helve.yaml`. */
import { z } from 'zod';
import type { Endpoint } from '../../domain/reach.js';

export const smtpSettings = z.strictObject({
  allowed_hosts: z
    .array(z.string().regex(/^(?:[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):[1-9]\d{0,4}$/))
    .max(100)
    .default([])
    .describe('Mail servers that accounts may name, also in a private network: mail.internal:587, [::1]:25'),
  allow_unencrypted: z
    .boolean()
    .default(false)
    .describe('Whether security: none is accepted for servers other than the machine itself'),
  ca: z.string().optional().describe('PEM of the authority that signed a private server'),
  timeout_seconds: z.int().min(1).max(100).default(60).describe('For one mail, from the connection to the answer'),
  max_bytes: z.int().positive().max(52_428_800).default(26_214_400).describe('Of a mail as it is sent'),
});

export type SmtpSettings = z.infer<typeof smtpSettings>;

export function allowedEndpoints({ allowed_hosts }: SmtpSettings): Endpoint[] {
  return allowed_hosts.map((text) => {
    const colon = text.lastIndexOf(':');
    return { host: plainHost(text.slice(0, colon)), port: Number(text.slice(colon + 1)) };
  });
}

/** In one spelling, so that hosts can be compared. */
export const plainHost = (host: string): string => host.replace(/^\[|\]$/g, '').toLowerCase();

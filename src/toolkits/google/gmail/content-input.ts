/** The fields that sending, answering and drafting share. */
import { z } from 'zod';

const address = z.string().min(3).max(400);

export const addresses = z.union([address, z.array(address).max(100)]);

export const contentFields = {
  body: z.string().max(2_000_000).optional().describe('Plain text'),
  html: z.string().max(2_000_000).optional().describe('HTML; without body its text goes along'),
  attachments: z
    .array(
      z.strictObject({
        filename: z.string().min(1).max(200),
        content_base64: z.string().max(30_000_000),
        content_type: z.string().max(100).optional().describe('Default application/octet-stream'),
      }),
    )
    .max(20)
    .optional(),
};

const contentInput = z.strictObject(contentFields);

export type ContentInput = z.infer<typeof contentInput>;

/** The fields that sending, answering and drafting share. */
import { z } from 'zod';
import { htmlInput, peopleInput } from '../../../util/mail-input.js';

export const addresses = peopleInput;

export const contentFields = {
  body: z.string().max(2_000_000).optional().describe('Text, or HTML if html is true'),
  html: htmlInput,
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

/** The mail fields that are the same in every toolkit that sends mail. */
import { z } from 'zod';

const address = z.string().min(1).max(400);
const person = z.union([address, z.strictObject({ email: address, name: z.string().max(200).optional() })]);

/** One person or several, each as an address or as `{ email, name }`. */
export const peopleInput = z.union([person, z.array(person).min(1).max(200)]);

export type Person = z.infer<typeof person>;
export type People = z.infer<typeof peopleInput>;

/** `true`: `body` is HTML. A string: the mail as HTML, in addition to `body` or instead of it. */
export const htmlInput = z
  .union([z.boolean(), z.string().min(1).max(2_000_000)])
  .optional()
  .describe('true: body is HTML; or the HTML itself, with body as its plain text if both are given');

export const attachmentsInput = z
  .array(
    z.strictObject({
      filename: z.string().min(1).max(150).describe('Name only, no folder'),
      content_base64: z.string(),
      content_type: z.string().max(100).optional().describe('Default: application/octet-stream'),
    }),
  )
  .max(20)
  .optional();

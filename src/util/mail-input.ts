/** The mail fields, the same in every toolkit that sends mail: recipients and content. */
import { z } from 'zod';

const address = z.string().min(1).max(400);
const person = z.union([address, z.strictObject({ email: address, name: z.string().max(200).optional() })]);

/** One person or several, each as an address or as `{ email, name }`; also used for attendees of an event. */
export const peopleInput = z.union([person, z.array(person).min(1).max(200)]);

export type People = z.infer<typeof peopleInput>;

/** `true`: `body` is HTML. A string: the mail as HTML, in addition to `body` or instead of it. */
export const htmlInput = z
  .union([z.boolean(), z.string().min(1).max(2_000_000)])
  .optional()
  .describe('true: body is HTML; or the HTML itself, with body as its plain text if both are given');

/**
 * Returns the recipients in the form that address parsers read: `name@example.com`, with or without the display name.
 */
export function readPeople(people: People | undefined, withNames: boolean): string | string[] | undefined {
  if (people === undefined) return undefined;
  return Array.isArray(people) ? people.map((one) => readPerson(one, withNames)) : readPerson(people, withNames);
}

function readPerson(given: z.infer<typeof person>, withNames: boolean): string {
  if (typeof given === 'string') return given;
  if (!withNames || given.name === undefined) return given.email;
  return `"${given.name.replaceAll(/["\\]/g, '\\$&')}" <${given.email}>`;
}

/** Returns the content of a mail as text and as HTML; each is undefined if it was not given. */
export function readBodies({ body, html }: { body?: string | undefined; html?: boolean | string | undefined }): {
  readonly text: string | undefined;
  readonly html: string | undefined;
} {
  if (typeof html === 'string') return { text: body, html };
  return html === true ? { text: undefined, html: body } : { text: body, html: undefined };
}

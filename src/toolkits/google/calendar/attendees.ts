/** Guests as callers give them, and changes to a guest list. */
import { z } from 'zod';
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import type { CalendarAttendee } from './events.js';

const email = z.string().min(3).max(320);

const attendee = z.union([
  email,
  z.strictObject({ email, name: z.string().max(200).optional(), optional: z.boolean().optional() }),
]);

/** Given like recipients of a mail: one or several, each an address or `{ email, name }`. */
export const attendeesInput = z.union([attendee, z.array(attendee).max(200)]);

export const attendeeEmails = z.array(email).min(1).max(200);

type Given = z.infer<typeof attendeesInput>;
type Person = Exclude<z.infer<typeof attendee>, string>;

export function readAttendees(field: string, given: Given): CalendarAttendee[] {
  const list = Array.isArray(given) ? given : [given];
  return list.map((person, index) => {
    const one: Person = typeof person === 'string' ? { email: person } : person;
    checkEmail(`${field}[${index}].email`, one.email);
    return defined({ email: one.email, displayName: one.name, optional: one.optional });
  });
}

function checkEmail(place: string, address: string): void {
  if (/^[^\s@<>,;]+@[^\s@<>,;]+$/.test(address)) return;
  throw new HelveError('invalid_input', `${place}: ${JSON.stringify(address.slice(0, 100))} is not an e-mail address`, {
    hint: 'Write the address alone: name@example.com.',
  });
}

export const isEmail = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one.toLowerCase() === other.toLowerCase();

/** Attendees who stay are sent back unchanged, including their answers. */
export function changeAttendees(
  invited: readonly CalendarAttendee[],
  add: Given = [],
  remove: readonly string[] = [],
): CalendarAttendee[] {
  remove.forEach((address, index) => {
    if (invited.some((one) => isEmail(one.email, address))) return;
    throw new HelveError('invalid_input', `remove_attendees[${index}]: ${address} is not invited`, {
      hint: `The invited people are ${invited.map((one) => one.email).join(', ') || 'none'}.`,
    });
  });
  const staying = invited.filter((one) => !remove.some((address) => isEmail(one.email, address)));
  const added = readAttendees('add_attendees', add);
  return [...staying, ...added.filter((one) => !staying.some((other) => isEmail(one.email, other.email)))];
}

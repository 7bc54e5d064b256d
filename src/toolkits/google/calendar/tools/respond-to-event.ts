import { z } from 'zod';
import type { Account } from '../../../../domain/connection.js';
import { effects } from '../../../../domain/effects.js';
import { HelveError } from '../../../../domain/errors.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { scopes } from '../../scopes.js';
import { isEmail } from '../attendees.js';
import {
  type CalendarAttendee,
  type CalendarEvent,
  calendarInput,
  common,
  eventInput,
  eventRecord,
  fetchEvent,
  patchEvent,
  sendUpdates,
} from '../events.js';

/** Only the connected account answers; no input can name another person. */
export const respondToEvent = defineTool({
  ...common,
  name: 'respond_to_event',
  title: 'Respond to an invitation',
  description:
    'Accept, decline or tentatively accept an invitation as the account that is connected. Others cannot be answered for.',
  inputSchema: z.strictObject({
    calendar_id: calendarInput,
    event_id: eventInput,
    response: z.enum(['accepted', 'declined', 'tentative']),
    comment: z.string().max(1_000).optional(),
    send_updates: sendUpdates,
  }),
  outputSchema: eventRecord.shape,
  annotations: effects.createsOnce,
  idempotency: { by: 'probe', how: 'The event contains the answer of the account' },
  scopes: [scopes.events],
  capabilities: ['respond to event', 'accept invitation', 'decline invitation'],
  examples: [{ input: { event_id: 'q7h3k5d0v2m1', response: 'accepted' } }],
  async execute(input, { service, connection }) {
    const event = await fetchEvent(service, input.calendar_id, input.event_id);
    const attendees = event.attendees ?? [];
    const own = ownIndex(attendees, input.calendar_id, connection.account);
    if (own < 0) throw notInvited(event, connection.account);
    const answered = {
      ...attendees[own],
      responseStatus: input.response,
      ...defined({ comment: input.comment }),
    };
    const changes = event.attendeesOmitted
      ? { attendeesOmitted: true, attendees: [answered] }
      : { attendees: attendees.map((one, index) => (index === own ? answered : one)) };
    // The other attendees are sent back unchanged. The etag ensures that none of them has answered in the meantime.
    const updated = await patchEvent(service, { ...input, etag: event.etag, changes });
    return eventRecord.read(updated);
  },
  async probe(input, { service, connection }) {
    const event = await fetchEvent(service, input.calendar_id, input.event_id);
    const attendees = event.attendees ?? [];
    const own = attendees[ownIndex(attendees, input.calendar_id, connection.account)];
    const answered =
      own?.responseStatus === input.response && (own?.comment ?? '') === (input.comment ?? own?.comment ?? '');
    return answered ? eventRecord.read(event) : undefined;
  },
});

/**
 * `self` marks the owner of the calendar that the event was read from, which for a colleague's shared calendar is the
 * colleague. So it counts only in the account's own calendar.
 */
function ownIndex(attendees: readonly CalendarAttendee[], calendar: string, account: Account | undefined): number {
  const byEmail = attendees.findIndex(({ email }) => isEmail(email, account?.email));
  if (byEmail >= 0) return byEmail;
  const isOwnCalendar = calendar === 'primary' || isEmail(calendar, account?.email);
  return isOwnCalendar ? attendees.findIndex(({ self }) => self === true) : -1;
}

function notInvited(event: CalendarEvent, account: Account | undefined): HelveError {
  const who = account?.email ?? 'The connected account';
  return new HelveError('forbidden', `${who} is not among the guests of ${JSON.stringify(event.summary ?? event.id)}`, {
    hint: 'Only invitations of the connected account can be answered. Nothing was changed.',
  });
}

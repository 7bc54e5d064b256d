/** The tools of Google Calendar. */
import type { ToolDefinition } from '../../../../domain/tool.js';
import { createCalendarEvent } from './create-calendar-event.js';
import { deleteCalendarEvent } from './delete-calendar-event.js';
import { findFreeTime } from './find-free-time.js';
import { getCalendarEvent } from './get-calendar-event.js';
import { listCalendarEvents } from './list-calendar-events.js';
import { listCalendars } from './list-calendars.js';
import { respondToEvent } from './respond-to-event.js';
import { updateCalendarEvent } from './update-calendar-event.js';

export const calendarTools: readonly ToolDefinition[] = [
  listCalendarEvents,
  createCalendarEvent,
  updateCalendarEvent,
  deleteCalendarEvent,
  getCalendarEvent,
  listCalendars,
  findFreeTime,
  respondToEvent,
];

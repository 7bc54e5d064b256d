/**
 * R-google-gmail, R-google-sheets, R-google-calendar: each of the 27 operations against Google's own description of its
 * APIs. What a tool sends must be accepted; and since prism lets everything pass where a schema does not compile, the
 * same operation is also sent once broken and must be refused.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Counterpart } from '../../../tests/counterparts/child.js';
import type { JsonObject } from '../../domain/json.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { googleWorkspace } from './index.js';
import { prismMissing, startPrism } from './testing/prism.js';
import { type Recorder, startRecorder } from './testing/recorder.js';
import { workspaceAt } from './testing/workspace.js';

interface Case {
  readonly tool: string;
  readonly input: JsonObject;
  /** Method and path (without query) of what must have been sent, last. */
  readonly sends: string;
  /** The same operation, wrong in one place. */
  readonly broken: readonly [pathAndQuery: string, body?: unknown];
}

const mail = '/gmail/v1/users/me';
const events = '/calendar/v3/calendars/primary/events';
const sheet = '/v4/spreadsheets/abcdefgh';
const time = { start: '2026-01-31T14:30:00+01:00', end: '2026-01-31T15:30:00+01:00' };
const span = { time_min: '2026-01-05', time_max: '2026-01-10', time_zone: 'Europe/Berlin' };
const cells = { spreadsheet_id: 'abcdefgh', range: 'Sheet1!A1:B2', values: [['a', 1.5, true, null]] };

const cases: readonly Case[] = [
  { tool: 'send_gmail_message', input: { to: 'bob@example.com', subject: 'Hi', body: 'Hi' }, sends: `POST ${mail}/messages/send`, broken: [`${mail}/messages/send`, { raw: 5 }] },
  { tool: 'list_gmail_messages', input: { query: 'is:unread', labels: ['INBOX', 'string'] }, sends: `GET ${mail}/messages/string`, broken: [`${mail}/messages?maxResults=many`] },
  { tool: 'get_gmail_message', input: { id: 'm1' }, sends: `GET ${mail}/messages/m1`, broken: [`${mail}/messages/m1?format=everything`] },
  { tool: 'get_gmail_attachment', input: { message_id: 'm1', attachment_id: 'a1', as: 'base64' }, sends: `GET ${mail}/messages/m1/attachments/a1`, broken: [`${mail}/messages/m1/attachments/a1?alt=everything`] },
  { tool: 'reply_gmail_message', input: { message_id: 'm1', body: 'Yes' }, sends: `POST ${mail}/messages/send`, broken: [`${mail}/messages/send`, { threadId: ['t'] }] },
  { tool: 'create_gmail_draft', input: { to: 'bob@example.com', body: 'Hi' }, sends: `POST ${mail}/drafts`, broken: [`${mail}/drafts`, { message: 'Hi' }] },
  { tool: 'get_thread', input: { thread_id: 't1' }, sends: `GET ${mail}/threads/t1`, broken: [`${mail}/threads/t1?format=everything`] },
  { tool: 'search_threads', input: { query: 'invoice' }, sends: `GET ${mail}/threads/string`, broken: [`${mail}/threads?maxResults=many`] },
  { tool: 'list_drafts', input: {}, sends: `GET ${mail}/messages/string`, broken: [`${mail}/drafts?maxResults=many`] },
  { tool: 'list_labels', input: {}, sends: `GET ${mail}/labels`, broken: [`${mail}/labels?alt=everything`] },
  { tool: 'label_message', input: { message_id: 'm1', labels: ['STARRED'] }, sends: `POST ${mail}/messages/m1/modify`, broken: [`${mail}/messages/m1/modify`, { addLabelIds: 'STARRED' }] },
  { tool: 'unlabel_message', input: { message_id: 'm1', labels: ['UNREAD'] }, sends: `POST ${mail}/messages/m1/modify`, broken: [`${mail}/messages/m1/modify`, { removeLabelIds: 'UNREAD' }] },
  { tool: 'label_thread', input: { thread_id: 't1', labels: ['STARRED'] }, sends: `POST ${mail}/threads/t1/modify`, broken: [`${mail}/threads/t1/modify`, { addLabelIds: 'STARRED' }] },
  { tool: 'unlabel_thread', input: { thread_id: 't1', labels: ['UNREAD'] }, sends: `POST ${mail}/threads/t1/modify`, broken: [`${mail}/threads/t1/modify`, { removeLabelIds: 'UNREAD' }] },
  { tool: 'list_spreadsheets', input: { name_contains: "Ada's" }, sends: 'GET /drive/v3/files', broken: ['/drive/v3/files?pageSize=many'] },
  { tool: 'get_spreadsheet', input: { spreadsheet_id: 'abcdefgh' }, sends: `GET ${sheet}`, broken: [`${sheet}?includeGridData=perhaps`] },
  { tool: 'read_spreadsheet_values', input: { spreadsheet_id: 'abcdefgh', range: 'Sheet1!A1:B2' }, sends: `GET ${sheet}/values/Sheet1!A1%3AB2`, broken: [`${sheet}/values/A1?valueRenderOption=PRETTY`] },
  { tool: 'write_spreadsheet_values', input: cells, sends: `PUT ${sheet}/values/Sheet1!A1%3AB2`, broken: [`${sheet}/values/A1?valueInputOption=RAW`, { values: 'a' }] },
  { tool: 'append_spreadsheet_values', input: cells, sends: `POST ${sheet}/values/Sheet1!A1%3AB2:append`, broken: [`${sheet}/values/A1:append?valueInputOption=RAW`, { values: 'a' }] },
  { tool: 'list_calendar_events', input: { ...span, query: 'review' }, sends: `GET ${events}`, broken: [`${events}?maxResults=many`] },
  { tool: 'create_calendar_event', input: { summary: 'Review', ...time, attendees: [{ email: 'bob@example.com' }] }, sends: `POST ${events}`, broken: [events, { attendees: 'bob@example.com' }] },
  { tool: 'update_calendar_event', input: { event_id: 'e1', ...time, add_attendees: [{ email: 'bob@example.com', optional: true }], send_updates: 'external_only' }, sends: `PATCH ${events}/e1`, broken: [`${events}/e1`, { start: '2026-01-31' }] },
  { tool: 'delete_calendar_event', input: { event_id: 'e1', send_updates: 'all' }, sends: `DELETE ${events}/e1`, broken: [`${events}/e1?sendUpdates=everybody`] },
  { tool: 'get_calendar_event', input: { event_id: 'e1' }, sends: `GET ${events}/e1`, broken: [`${events}/e1?maxAttendees=many`] },
  { tool: 'list_calendars', input: {}, sends: 'GET /calendar/v3/users/me/calendarList', broken: ['/calendar/v3/users/me/calendarList?maxResults=many'] },
  { tool: 'find_free_time', input: { ...span, calendars: ['property1', 'primary'] }, sends: 'POST /calendar/v3/freeBusy', broken: ['/calendar/v3/freeBusy', { items: 'primary' }] },
  { tool: 'respond_to_event', input: { event_id: 'e1', response: 'accepted' }, sends: `PATCH ${events}/e1`, broken: [`${events}/e1`, { attendees: 'me' }] },
]; // biome-ignore format: a table

describe.skipIf(prismMissing !== undefined)(
  `each operation, as Google describes it${prismMissing ? ` (skipped: ${prismMissing})` : ''}`,
  () => {
    let prism: Counterpart;
    let recorder: Recorder;
    let helve: TestHelve;

    beforeAll(async () => {
      prism = await startPrism();
      recorder = await startRecorder(prism.url);
      helve = await createTestHelve(workspaceAt(recorder.baseUrl));
    });
    afterAll(async () => {
      await recorder?.close();
      await prism?.close();
    });

    test('R-google-gmail, R-google-sheets, R-google-calendar: the table has all 27 tools', async () => {
      const names = (await googleWorkspace.load()).map(({ name }) => name).sort();
      expect(cases.map(({ tool }) => tool).sort()).toEqual(names);
      expect(names).toHaveLength(27);
    });

    test.each(
      cases,
    )('R-google-gmail, R-google-sheets, R-google-calendar: $tool is accepted, broken it is refused', async (one) => {
      const { tool, input, sends, broken } = one;
      recorder.sent.length = 0;
      const result = await helve.call(`work__${tool}`, input);
      expect(
        recorder.sent.map(({ method, path, status }) => `${method} ${path.split('?')[0]} ${Math.floor(status / 100)}`),
      ).toContain(`${sends} 2`);
      expect(recorder.sent.filter(({ status }) => status >= 300)).toEqual([]);
      // Of the mock's busy times every one comes with an error beside it.
      if (tool === 'find_free_time') expect(result).toMatchObject({ ok: false, error: { code: 'not_found' } });
      else expect(result).toMatchObject({ ok: true });

      const [path, body] = broken;
      const [method = 'GET'] = sends.split(' ');
      const answer = await fetch(`${prism.url}${path}`, {
        method,
        headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(answer.status).toBe(422);
    });
  },
);

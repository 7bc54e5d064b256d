/**
 * R-google-calendar through the whole plane: against `@emulators/google` with Google's own client beside it, and, for
 * what the emulator lacks (get, patch, lost inserts), against a fake that keeps what it is sent.
 */
import { auth, calendar } from '@googleapis/calendar';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ToolResult } from '../../../domain/execution.js';
import { createTestHelve, type TestHelve } from '../../../testing/index.js';
import { type GoogleEmulator, startGoogleEmulator } from '../testing/emulator.js';
import { type Recorder, type Sent, startRecorder } from '../testing/recorder.js';
import { workspaceAt } from '../testing/workspace.js';

async function done(helve: TestHelve, tool: string, input: object): Promise<any> {
  const result = await helve.call(`work__${tool}`, input);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.output;
}

async function refused(
  helve: TestHelve,
  tool: string,
  input: object,
): Promise<Extract<ToolResult, { ok: false }>['error']> {
  const result = await helve.call(`work__${tool}`, input);
  if (result.ok) throw new Error(`not refused: ${JSON.stringify(result.output)}`);
  return result.error;
}

describe('with the emulator', () => {
  let google: GoogleEmulator;
  let recorder: Recorder;
  let helve: TestHelve;
  let official: ReturnType<typeof calendar>;

  beforeAll(async () => {
    google = await startGoogleEmulator({
      calendars: [
        { id: 'primary', user_email: 'ada@example.com', summary: 'Ada', primary: true, time_zone: 'Europe/Berlin' },
        { id: 'team', user_email: 'ada@example.com', summary: 'Team', access_role: 'reader' },
      ],
    });
    recorder = await startRecorder(google.baseUrl);
    helve = await createTestHelve(workspaceAt(recorder.baseUrl));
    const client = new auth.OAuth2();
    client.setCredentials({ access_token: google.token });
    official = calendar({ version: 'v3', auth: client, rootUrl: `${google.baseUrl}/` });
  });
  afterAll(async () => {
    await recorder?.close();
    await google?.close();
  });
  beforeEach(() => {
    recorder.sent.length = 0;
    recorder.react = () => undefined;
  });

  test('R-google-calendar: what is created the official client lists, and what it inserts is listed', async () => {
    const made = await done(helve, 'create_calendar_event', {
      summary: 'Review ✓',
      start: '2026-03-02T10:00:00',
      end: '2026-03-02T11:00:00',
      time_zone: 'Europe/Berlin',
      location: 'Room 4',
      description: 'x'.repeat(400),
      attendees: [{ email: 'bob@example.com', name: 'Bob', optional: true }],
      recurrence: ['rrule:freq=weekly;byday=mo;count=3'],
      show_as: 'free',
      send_updates: 'all',
    });
    const { data } = await official.events.list({ calendarId: 'primary', q: 'review' });
    expect(data.items).toMatchObject([
      {
        id: made.id,
        summary: 'Review ✓',
        location: 'Room 4',
        attendees: [{ email: 'bob@example.com', displayName: 'Bob' }],
      },
    ]);
    expect(recorder.sent.at(-1)).toMatchObject({
      path: expect.stringContaining('sendUpdates=all'),
      json: {
        id: expect.stringMatching(/^[a-v0-9]{32}$/),
        start: { dateTime: '2026-03-02T10:00:00', timeZone: 'Europe/Berlin' },
        end: { dateTime: '2026-03-02T11:00:00', timeZone: 'Europe/Berlin' },
        recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3'],
        transparency: 'transparent',
      },
    });
    await official.events.insert({
      calendarId: 'primary',
      requestBody: { summary: 'Holiday', start: { date: '2026-03-03' }, end: { date: '2026-03-04' } },
    });
    const span = { time_min: '2026-03-01', time_max: '2026-03-08', time_zone: 'Europe/Berlin', max_results: 1 };
    const first = await done(helve, 'list_calendar_events', span);
    expect(first).toMatchObject({
      time_min: '2026-03-01T00:00:00+01:00',
      events: [{ summary: 'Review ✓', attendee_count: 1, attendees: [] }],
    });
    expect(first.events[0].description).toHaveLength(301);
    const second = await done(helve, 'list_calendar_events', { ...span, page_token: first.next_page_token });
    expect(second.events).toMatchObject([
      { summary: 'Holiday', all_day: true, start: '2026-03-03', end: '2026-03-04' },
    ]);
    expect(second).not.toHaveProperty('next_page_token');
    const query = new URL(recorder.sent.at(-1)?.path ?? '', 'http://x').searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      timeMin: '2026-03-01T00:00:00+01:00',
      singleEvents: 'true',
      orderBy: 'startTime',
      timeZone: 'Europe/Berlin',
    });
  });

  test('R-google-calendar: series are listed unexpanded on demand', async () => {
    await done(helve, 'list_calendar_events', { time_min: '2026-03-01T00:00:00Z', single_events: false });
    const query = new URL(recorder.sent.at(-1)?.path ?? '', 'http://x').searchParams;
    expect([query.get('singleEvents'), query.get('orderBy'), query.get('timeMax')]).toEqual(['false', null, null]);
  });

  test('R-google-calendar: an event is deleted for the official client too; what is not there is refused', async () => {
    const { data } = await official.events.insert({
      calendarId: 'primary',
      requestBody: { summary: 'Gone', start: { date: '2026-05-01' }, end: { date: '2026-05-02' } },
    });
    expect(await done(helve, 'delete_calendar_event', { event_id: data.id })).toEqual({
      event_id: data.id,
      was_there: true,
    });
    expect((await official.events.list({ calendarId: 'primary', q: 'gone' })).data.items).toEqual([]);
    expect(await refused(helve, 'delete_calendar_event', { event_id: 'none' })).toMatchObject({ code: 'not_found' });
  });

  test('R-google-calendar: a deletion whose answer was lost is sent again; what is gone is gone', async () => {
    const { data } = await official.events.insert({
      calendarId: 'primary',
      requestBody: { summary: 'Lost', start: { date: '2026-05-01' }, end: { date: '2026-05-02' } },
    });
    const gone = {
      status: 410,
      json: { error: { code: 410, message: 'Resource has been deleted', errors: [{ reason: 'deleted' }] } },
    };
    recorder.react = () => (recorder.sent.length === 1 ? 'lost' : gone);
    expect(await done(helve, 'delete_calendar_event', { event_id: data.id })).toEqual({
      event_id: data.id,
      was_there: false,
    });
    expect(recorder.sent.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
    expect((await official.events.list({ calendarId: 'primary', q: 'lost' })).data.items).toEqual([]);
  });

  test('R-google-calendar: calendars are listed with zones and access', async () => {
    expect((await done(helve, 'list_calendars', {})).calendars).toEqual([
      { id: 'primary', name: 'Ada', time_zone: 'Europe/Berlin', access: 'owner', primary: true },
      { id: 'team', name: 'Team', time_zone: 'UTC', access: 'reader', primary: false },
    ]);
    recorder.react = () => ({
      status: 403,
      json: {
        error: { code: 403, message: 'Insufficient Permission', errors: [{ reason: 'insufficientPermissions' }] },
      },
    });
    expect(await refused(helve, 'list_calendars', {})).toMatchObject({
      code: 'forbidden',
      hint: expect.stringContaining('connect it again'),
    });
  });

  test('R-google-calendar: free time of several calendars, and those that do not answer are named', async () => {
    const busy = (calendarId: string, from: string, to: string) =>
      official.events.insert({
        calendarId,
        requestBody: { summary: 'busy', start: { dateTime: from }, end: { dateTime: to } },
      });
    // Monday 30 March 2026, the day after the clocks in Berlin went forward.
    await busy('primary', '2026-03-30T08:00:00Z', '2026-03-30T09:00:00Z');
    await busy('team', '2026-03-30T09:20:00Z', '2026-03-30T14:30:00Z');
    const question = {
      time_min: '2026-03-27',
      time_max: '2026-03-31',
      time_zone: 'Europe/Berlin',
      duration_minutes: 30,
    };
    const found = await done(helve, 'find_free_time', {
      ...question,
      calendars: ['primary', 'team', 'nobody@example.com'],
    });
    expect(found).toEqual({
      windows: [
        { start: '2026-03-27T09:00:00+01:00', end: '2026-03-27T17:00:00+01:00', minutes: 480 },
        { start: '2026-03-30T09:00:00+02:00', end: '2026-03-30T10:00:00+02:00', minutes: 60 },
        { start: '2026-03-30T16:30:00+02:00', end: '2026-03-30T17:00:00+02:00', minutes: 30 },
      ],
      truncated: false,
      time_zone: 'Europe/Berlin',
      unread: [{ calendar: 'nobody@example.com', error: 'notFound' }],
    });
    expect(await done(helve, 'find_free_time', { ...question, max_windows: 1 })).toMatchObject({ truncated: true });
    expect(await refused(helve, 'find_free_time', { ...question, calendars: ['nobody@example.com'] })).toMatchObject({
      code: 'not_found',
    });
  });

  test.each([
    [
      'create_calendar_event',
      { summary: 's', start: '2026-03-02T10:00:00', end: '2026-03-02T11:00:00' },
      /^start: the time zone of "2026-03-02T10:00:00" is missing/,
    ],
    ['create_calendar_event', { summary: 's', start: '2026-03-02', end: '2026-03-02' }, /^end: it is not after start/],
    [
      'create_calendar_event',
      { summary: 's', start: '2026-03-02', end: '2026-03-02T10:00:00Z' },
      /^end: start and end must both/,
    ],
    [
      'create_calendar_event',
      { summary: 's', start: '2026-02-30', end: '2026-03-02' },
      /^start: "2026-02-30" is not a date/,
    ],
    [
      'create_calendar_event',
      { summary: 's', start: '2026-03-02T10:00:00', end: '2026-03-02T11:00:00', time_zone: 'Berlin' },
      /^time_zone: "Berlin" is not a time zone/,
    ],
    [
      'create_calendar_event',
      { summary: 's', start: '2026-03-02T10:00:00Z', end: '2026-03-02T11:00:00Z', recurrence: ['RRULE:FREQ=WEEKLY'] },
      /^time_zone: an event that recurs/,
    ],
    [
      'create_calendar_event',
      { summary: 's', start: '2026-03-02', end: '2026-03-03', recurrence: ['FREQ=WEEKLY'] },
      /^recurrence\[0\]/,
    ],
    [
      'create_calendar_event',
      { summary: 's', start: '2026-03-02', end: '2026-03-03', attendees: [{ email: 'bob' }] },
      /^attendees\[0\]\.email/,
    ],
    ['list_calendar_events', { time_min: 'tomorrow at ten' }, /^time_min: "tomorrow at ten" is not/],
    [
      'find_free_time',
      { time_min: '2026-01-05', time_max: '2026-06-05', time_zone: 'UTC' },
      /^time_max: .* at most 60 days/,
    ],
    [
      'find_free_time',
      { time_min: '2026-01-05', time_max: '2026-01-06', time_zone: 'UTC', day_start: '17:00', day_end: '09:00' },
      /^day_end/,
    ],
  ])('R-google-calendar: %s refuses %j before anything is sent', async (tool, input, message) => {
    const error = await refused(helve, tool, input);
    expect(error).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
    expect(recorder.sent).toEqual([]);
  });
});

describe('with a fake that keeps what it is sent', () => {
  let recorder: Recorder;
  let helve: TestHelve;
  let event: Record<string, unknown>;

  beforeAll(async () => {
    recorder = await startRecorder();
    helve = await createTestHelve(workspaceAt(recorder.baseUrl));
  });
  afterAll(() => recorder?.close());
  beforeEach(() => {
    recorder.sent.length = 0;
    event = {
      id: 'e1',
      etag: '"7"',
      summary: 'Review',
      start: { dateTime: '2026-03-02T10:00:00+01:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-03-02T11:00:00+01:00', timeZone: 'Europe/Berlin' },
      attendees: [
        {
          email: 'bob@example.com',
          responseStatus: 'accepted',
          comment: 'fine',
          additionalGuests: 2,
          id: 'x',
          unknown: { kept: true },
        },
        { email: 'Ada@Example.com', responseStatus: 'needsAction', self: true, optional: true },
        { email: 'room@resource.example.com', resource: true, responseStatus: 'declined' },
      ],
    };
    recorder.react = react;
  });

  function react({ method, path, headers, json }: Sent) {
    if (path === '/oauth2/v2/userinfo') return undefined;
    if (method === 'PATCH' && headers['if-match'] !== undefined && headers['if-match'] !== event.etag) {
      return {
        status: 412,
        json: { error: { code: 412, message: 'Precondition Failed', errors: [{ reason: 'conditionNotMet' }] } },
      };
    }
    if (method === 'PATCH') event = { ...event, ...(json as object) };
    return { json: event };
  }

  const patch = () => recorder.sent.find(({ method }) => method === 'PATCH');

  test('R-google-calendar: an event is read with guests and answers', async () => {
    expect(await done(helve, 'get_calendar_event', { event_id: 'e1' })).toMatchObject({
      id: 'e1',
      etag: '"7"',
      all_day: false,
      time_zone: 'Europe/Berlin',
      attendees: [
        { email: 'bob@example.com', response: 'accepted' },
        { email: 'Ada@Example.com', response: 'needs_action', is_self: true, optional: true },
        {},
      ],
    });
    recorder.react = () => ({
      status: 404,
      json: { error: { code: 404, message: 'Not Found', errors: [{ reason: 'notFound' }] } },
    });
    expect(await refused(helve, 'get_calendar_event', { event_id: 'e2' })).toMatchObject({ code: 'not_found' });
  });

  test('R-google-calendar: answering changes only the account that signed in', async () => {
    const before = structuredClone(event.attendees) as object[];
    await done(helve, 'respond_to_event', { event_id: 'e1', response: 'tentative', comment: 'later' });
    expect(patch()?.headers['if-match']).toBe('"7"');
    const { attendees } = patch()?.json as { attendees: object[] };
    expect(JSON.stringify(attendees[0])).toBe(JSON.stringify(before[0]));
    expect(JSON.stringify(attendees[2])).toBe(JSON.stringify(before[2]));
    expect(attendees[1]).toEqual({ ...before[1], responseStatus: 'tentative', comment: 'later' });
    expect(Object.keys(patch()?.json as object)).toEqual(['attendees']);
  });

  test('R-google-calendar: no input of respond_to_event names an attendee', async () => {
    const error = await refused(helve, 'respond_to_event', {
      event_id: 'e1',
      response: 'accepted',
      attendee: 'bob@example.com',
    });
    expect(error.code).toBe('invalid_input');
    expect(recorder.sent).toEqual([]);
  });

  test('R-google-calendar: who is not invited cannot answer, not even in a calendar whose owner is', async () => {
    event.attendees = [{ email: 'bob@example.com', self: true }];
    expect(
      await refused(helve, 'respond_to_event', {
        calendar_id: 'bob@example.com',
        event_id: 'e1',
        response: 'accepted',
      }),
    ).toMatchObject({ code: 'forbidden' });
    delete event.attendees;
    expect(await refused(helve, 'respond_to_event', { event_id: 'e1', response: 'accepted' })).toMatchObject({
      code: 'forbidden',
    });
    expect(patch()).toBeUndefined();
  });

  test('R-google-calendar: in the own calendar an alias of the account may answer', async () => {
    event.attendees = [{ email: 'ada.l@example.com', self: true }, { email: 'bob@example.com' }];
    await done(helve, 'respond_to_event', { event_id: 'e1', response: 'declined' });
    expect(patch()?.json).toEqual({
      attendees: [{ email: 'ada.l@example.com', self: true, responseStatus: 'declined' }, { email: 'bob@example.com' }],
    });
  });

  test('R-google-calendar: where Calendar hides guests only the own answer is sent', async () => {
    event = { ...event, attendeesOmitted: true, attendees: [{ email: 'ada@example.com' }] };
    await done(helve, 'respond_to_event', { event_id: 'e1', response: 'accepted' });
    expect(patch()?.json).toEqual({
      attendeesOmitted: true,
      attendees: [{ email: 'ada@example.com', responseStatus: 'accepted' }],
    });
  });

  test('R-google-calendar: an update sends the given fields and no others', async () => {
    await done(helve, 'update_calendar_event', { event_id: 'e1', location: 'Room 5', etag: '"7"' });
    expect(patch()).toMatchObject({
      headers: { 'if-match': '"7"' },
      path: expect.stringContaining('sendUpdates=none'),
    });
    expect(patch()?.json).toEqual({ location: 'Room 5' });
    expect(recorder.sent.map(({ method }) => method)).toEqual(['PATCH']);
  });

  test('R-google-calendar: an update of what was changed meanwhile is refused', async () => {
    const error = await refused(helve, 'update_calendar_event', { event_id: 'e1', location: 'Room 5', etag: '"6"' });
    expect(error).toMatchObject({ code: 'conflict', hint: expect.stringContaining('Read it again') });
    expect(await refused(helve, 'update_calendar_event', { event_id: 'e1' })).toMatchObject({ code: 'invalid_input' });
  });

  test('R-google-calendar: guests come and go, those who stay keep their answers', async () => {
    const [bob, , room] = structuredClone(event.attendees) as object[];
    await done(helve, 'update_calendar_event', {
      event_id: 'e1',
      add_attendees: [{ email: 'carol@example.com' }, { email: 'BOB@example.com' }],
      remove_attendees: ['ada@example.com'],
    });
    expect(patch()?.json).toEqual({ attendees: [bob, room, { email: 'carol@example.com' }] });
    expect(patch()?.headers['if-match']).toBe('"7"');
    expect(
      await refused(helve, 'update_calendar_event', { event_id: 'e1', remove_attendees: ['dan@example.com'] }),
    ).toMatchObject({ code: 'invalid_input' });
  });

  test('R-google-calendar: times are moved in the zone of the event, and into whole days', async () => {
    await done(helve, 'update_calendar_event', { event_id: 'e1', end: '2026-03-02T12:30:00' });
    expect(patch()?.json).toEqual({ end: { dateTime: '2026-03-02T12:30:00', timeZone: 'Europe/Berlin' } });
    recorder.sent.length = 0;
    await done(helve, 'update_calendar_event', { event_id: 'e1', start: '2026-03-02', end: '2026-03-04' });
    expect(patch()?.json).toEqual({
      start: { date: '2026-03-02', dateTime: null, timeZone: null },
      end: { date: '2026-03-04', dateTime: null, timeZone: null },
    });
    expect(await refused(helve, 'update_calendar_event', { event_id: 'e1', end: '2026-03-01' })).toMatchObject({
      code: 'invalid_input',
    });
  });

  test('R-google-calendar: a start that would pass the end, or be of another kind, is refused', async () => {
    for (const start of ['2026-03-02T11:00:00+01:00', '2026-03-02']) {
      expect(await refused(helve, 'update_calendar_event', { event_id: 'e1', start })).toMatchObject({
        code: 'invalid_input',
      });
    }
    expect(patch()).toBeUndefined();
  });

  test('R-google-calendar: an insert whose answer was lost is sent again under the same id and made once', async () => {
    const made = new Map<string, object>();
    let losses = 1;
    recorder.react = ({ method, path, json }) => {
      if (path === '/oauth2/v2/userinfo') return undefined;
      if (method === 'GET') return { json: made.get(path.split('/').at(-1) ?? '') };
      const { id } = json as { id: string };
      if (made.has(id))
        return {
          status: 409,
          json: {
            error: {
              code: 409,
              message: 'The requested identifier already exists.',
              errors: [{ reason: 'duplicate' }],
            },
          },
        };
      made.set(id, json as object);
      return losses-- > 0 ? 'lost' : { json };
    };
    const input = { summary: 'Once', start: '2026-03-02', end: '2026-03-03' };
    const event = await done(helve, 'create_calendar_event', input);
    expect([...made.keys()]).toEqual([event.id]);
    expect(event).toMatchObject({ summary: 'Once', all_day: true });
    expect(recorder.sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET']);
    const other = await done(helve, 'create_calendar_event', input);
    expect(other.id).not.toBe(event.id);
  });

  test.each([
    ['all answers are lost', 'lost' as const],
    ['the event is there and cannot be read', { status: 409, json: { error: { code: 409, message: 'exists' } } }],
  ])('R-google-calendar: an insert of which %s has an unknown outcome', async (_, reaction) => {
    recorder.react = ({ method, path }) => {
      if (path === '/oauth2/v2/userinfo') return undefined;
      return method === 'GET' ? { status: 403, json: {} } : reaction;
    };
    const input = { summary: 'Once', start: '2026-03-02', end: '2026-03-03' };
    const result = await helve.call('work__create_calendar_event', input);
    expect(result).toMatchObject({ ok: false, error: { code: 'outcome_unknown', retryable: false } });
  });
});

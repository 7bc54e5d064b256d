/** R-google-calendar: zones, whole days, rules and free time, where calendars are easily got wrong. */
import { describe, expect, test, vi } from 'vitest';
import { deriveEventId } from './event-id.js';
import { freeSpans, workingSpans } from './free-time.js';
import { checkRecurrence } from './recurrence.js';
import { checkOrder, readEventTime, readInstant } from './times.js';
import { checkZone, toInstant, toIso, toWallTime } from './zones.js';

const utc = (text: string): number => Date.parse(text);
const wall = (text: string) => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number);
  return { year, month, day, hour, minute, second: 0 };
};

describe('zones', () => {
  test.each([
    ['Europe/Berlin', '2026-01-31 14:30', '2026-01-31T13:30:00Z'],
    ['Europe/Berlin', '2026-07-01 14:30', '2026-07-01T12:30:00Z'],
    // Skipped: moved forward. Twice: the first.
    ['Europe/Berlin', '2026-03-29 02:30', '2026-03-29T01:30:00Z'],
    ['Europe/Berlin', '2026-10-25 02:30', '2026-10-25T00:30:00Z'],
    ['America/New_York', '2026-03-08 02:30', '2026-03-08T07:30:00Z'],
    ['America/New_York', '2026-11-01 01:30', '2026-11-01T05:30:00Z'],
    ['Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-03T15:45:00Z'],
    ['Asia/Kathmandu', '2026-05-05 00:00', '2026-05-04T18:15:00Z'],
    ['Pacific/Kiritimati', '2026-01-01 00:00', '2025-12-31T10:00:00Z'],
    ['UTC', '2026-12-31 23:59', '2026-12-31T23:59:00Z'],
  ])('R-google-calendar: in %s %s is %s', (zone, text, instant) => {
    expect(new Date(toInstant(wall(text), zone)).toISOString()).toBe(new Date(instant).toISOString());
  });

  test('R-google-calendar: instants are told with the offset of their day', () => {
    expect(toIso(utc('2026-03-29T00:59:00Z'), 'Europe/Berlin')).toBe('2026-03-29T01:59:00+01:00');
    expect(toIso(utc('2026-03-29T01:00:00Z'), 'Europe/Berlin')).toBe('2026-03-29T03:00:00+02:00');
    expect(toIso(utc('2026-01-01T00:00:00Z'), 'America/St_Johns')).toBe('2025-12-31T20:30:00-03:30');
    expect(toWallTime(utc('2026-03-29T01:00:00Z'), 'Europe/Berlin')).toMatchObject({ day: 29, hour: 3 });
  });

  // With its own minus sign an offset is a time zone to newer runtimes.
  test.each(['Berlin', '+02:00', '\u221202:00', '', 'Europe/Atlantis'])('R-google-calendar: %j is no zone', (zone) => {
    expect(() => checkZone(zone)).toThrow(/is not a time zone/);
  });
});

describe('times', () => {
  test('R-google-calendar: whole days, offsets and zones become what Calendar takes', () => {
    expect(readEventTime('start', '2026-01-31').event).toEqual({ date: '2026-01-31' });
    expect(readEventTime('start', '2026-01-31 14:30', { zone: 'Europe/Berlin' }).event).toEqual({
      dateTime: '2026-01-31T14:30:00',
      timeZone: 'Europe/Berlin',
    });
    expect(readEventTime('start', '2026-01-31T14:30:00+0100').event).toEqual({ dateTime: '2026-01-31T14:30:00+01:00' });
    expect(readEventTime('start', '2026-01-31t14:30:00.5z', { zone: 'Asia/Tokyo' }).event).toEqual({
      dateTime: '2026-01-31T14:30:00Z',
      timeZone: 'Asia/Tokyo',
    });
    expect(readInstant('time_min', '2026-07-01', 'Europe/Berlin')).toBe(utc('2026-06-30T22:00:00Z'));
  });

  test.each([
    '2026-02-29',
    '2026-13-01',
    '2026-01-31T24:00:00Z',
    '2026-01-31T10:60:00Z',
    '31.01.2026 10:00',
    '2026-01-31T10:00:00+25:00',
  ])('R-google-calendar: %s is refused', (text) => {
    expect(() => readEventTime('start', text, { zone: 'UTC' })).toThrow(/^start: /);
  });

  test('R-google-calendar: the end is exclusive and of the same kind', () => {
    const order = (start: string, end: string) => () =>
      checkOrder(
        readEventTime('start', start, { zone: 'Europe/Berlin' }),
        readEventTime('end', end, { zone: 'Europe/Berlin' }),
      );
    expect(order('2026-01-31', '2026-02-01')).not.toThrow();
    expect(order('2026-01-31', '2026-01-31')).toThrow(
      expect.objectContaining({ hint: 'The end of whole days is exclusive: for one day send end = 2026-02-01.' }),
    );
    expect(order('2026-01-31T10:00', '2026-01-31T09:30:00+00:00')).not.toThrow();
    expect(order('2026-01-31T10:00', '2026-01-31T09:00:00+00:00')).toThrow(/not after start/);
    expect(order('2026-01-31', '2026-01-31T09:00')).toThrow(/both be dates or both be times/);
  });
});

describe('recurrence', () => {
  test.each([
    'RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231T225959Z',
    'RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=12',
    'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1;INTERVAL=2;WKST=SU',
    'EXDATE;VALUE=DATE:20260501,20260502',
    'RDATE;TZID=Europe/Berlin:20260501T100000',
  ])('R-google-calendar: %s is taken', (line) => {
    expect(checkRecurrence([line])).toEqual([line]);
  });

  test.each([
    'FREQ=WEEKLY', 'RRULE:BYDAY=MO', 'RRULE:FREQ=FORTNIGHTLY', 'RRULE:FREQ=DAILY;COUNT=0', 'RRULE:FREQ=DAILY;COUNT=2;UNTIL=20260101',
    'RRULE:FREQ=DAILY;FREQ=WEEKLY', 'RRULE:FREQ=WEEKLY;BYDAY=MONDAY', 'RRULE:FREQ=DAILY\nATTENDEE:x', 'DTSTART:20260101', 'EXDATE:tomorrow', 'RRULE:FREQ=DAILY;constructor=1',
  ])('R-google-calendar: %j is refused', (line) => {
    expect(() => checkRecurrence([line])).toThrow(/^recurrence\[0\]: /);
  }); // biome-ignore format: a list
});

describe('free time', () => {
  const hours = {
    zone: 'Europe/Berlin',
    from: 9 * 60,
    until: 17 * 60,
    days: ['saturday', 'sunday', 'monday'],
  } as const;
  const iso = (spans: readonly { start: number; end: number }[]) =>
    spans.map(({ start, end }) => `${toIso(start, 'Europe/Berlin')} ${toIso(end, 'Europe/Berlin')}`);

  test('R-google-calendar: working hours keep their wall-clock times when the clocks change', () => {
    const spans = workingSpans({ start: utc('2026-03-28T00:00:00Z'), end: utc('2026-03-31T22:00:00Z') }, hours);
    expect(iso(spans)).toEqual([
      '2026-03-28T09:00:00+01:00 2026-03-28T17:00:00+01:00',
      '2026-03-29T09:00:00+02:00 2026-03-29T17:00:00+02:00',
      '2026-03-30T09:00:00+02:00 2026-03-30T17:00:00+02:00',
    ]);
  });

  test('R-google-calendar: a whole day on which the clocks change has 23 or 25 hours', () => {
    const all = { ...hours, from: 0, until: 1_440, days: ['sunday'] } as const;
    const lengths = [
      ['2026-03-27', '2026-04-01'],
      ['2026-10-23', '2026-10-28'],
    ].map(([from = '', to = '']) =>
      workingSpans({ start: utc(from), end: utc(to) }, all).map(({ start, end }) => (end - start) / 3_600_000),
    );
    expect(lengths).toEqual([[23], [25]]);
  });

  test('R-google-calendar: what is asked for cuts the first and last day', () => {
    const spans = workingSpans({ start: utc('2026-01-05T10:00:00Z'), end: utc('2026-01-05T11:00:00Z') }, hours);
    expect(iso(spans)).toEqual(['2026-01-05T11:00:00+01:00 2026-01-05T12:00:00+01:00']);
  });

  test('R-google-calendar: overlapping, nested and touching busy times leave the right gaps', () => {
    const span = [{ start: 0, end: 100 }];
    const busy = [
      { start: 70, end: 80 },
      { start: 10, end: 40 },
      { start: 20, end: 30 },
      { start: 40, end: 50 },
      { start: 75, end: 200 },
      { start: -5, end: 2 },
      { start: 60, end: 60 },
    ];
    expect(freeSpans(span, busy, 1)).toEqual([
      { start: 2, end: 10 },
      { start: 50, end: 70 },
    ]);
    expect(freeSpans(span, busy, 9)).toEqual([{ start: 50, end: 70 }]);
    expect(freeSpans(span, [{ start: -10, end: 110 }], 1)).toEqual([]);
    expect(
      freeSpans(
        [
          { start: 0, end: 50 },
          { start: 50, end: 100 },
        ],
        [],
        60,
      ),
    ).toEqual([{ start: 0, end: 100 }]);
  });
});

test('R-google-calendar: ids of events are what Calendar allows, the same for one execution only', () => {
  expect(deriveEventId('a')).toMatch(/^[a-v0-9]{32}$/);
  expect(deriveEventId('a')).toBe(deriveEventId('a'));
  expect(deriveEventId('a')).not.toBe(deriveEventId('b'));
});

test('R-google-calendar: a zone that is spelled in many ways is kept once', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat');
  try {
    const spellings = ['Pacific/Fiji', 'PACIFIC/FIJI', 'pacific/fiji', 'pAcIfIc/FiJi', 'Pacific/fiji'];
    for (const zone of spellings) expect(checkZone(zone)).toBe(zone);
    expect(made).toHaveBeenCalledTimes(1);
    // A letter that only looks like it when it is lower-cased is another name.
    expect(() => checkZone('Pacific/Fi\u0130i')).toThrow('is not a time zone');
  } finally {
    made.mockRestore();
  }
});

/** Finds free time: the working hours of each day in a zone, minus the busy spans. Instants are milliseconds. */
import { toInstant, toWallTime } from './zones.js';

export interface Span {
  readonly start: number;
  readonly end: number;
}

export const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
export type Weekday = (typeof weekdays)[number];

export interface WorkingHours {
  readonly zone: string;
  /** Minutes after midnight, wall clock. 1440: midnight at the end of the day. */
  readonly from: number;
  readonly until: number;
  readonly days: readonly Weekday[];
}

/** Returns each day's working hours within the span. They may be longer or shorter when the clocks change. */
export function workingSpans(within: Span, hours: WorkingHours): Span[] {
  const spans: Span[] = [];
  const first = toWallTime(within.start, hours.zone);
  for (let index = 0; ; index++) {
    // Dates are counted in UTC, which has no clock changes.
    const date = new Date(Date.UTC(first.year, first.month - 1, first.day + index));
    const at = (minutes: number): number => {
      const day = new Date(date.getTime() + Math.floor(minutes / 1_440) * 86_400_000);
      const wall = { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() };
      return toInstant(
        { ...wall, hour: Math.floor((minutes % 1_440) / 60), minute: minutes % 60, second: 0 },
        hours.zone,
      );
    };
    if (at(0) >= within.end) return spans;
    const weekday = weekdays[date.getUTCDay()];
    if (weekday === undefined || !hours.days.includes(weekday)) continue;
    const start = Math.max(within.start, at(hours.from));
    const end = Math.min(within.end, at(hours.until));
    if (end > start) spans.push({ start, end });
  }
}

/** Returns what is left of the spans, in pieces of at least `atLeast` milliseconds. */
export function freeSpans(spans: readonly Span[], busy: readonly Span[], atLeast: number): Span[] {
  const taken = [...busy].filter(({ start, end }) => end > start).sort((one, other) => one.start - other.start);
  const free: Span[] = [];
  for (const span of joined(spans)) {
    let from = span.start;
    for (const { start, end } of taken) {
      if (end <= from) continue;
      if (start >= span.end) break;
      if (start > from) free.push({ start: from, end: start });
      from = Math.max(from, end);
    }
    if (from < span.end) free.push({ start: from, end: span.end });
  }
  return free.filter(({ start, end }) => end - start >= atLeast);
}

/** Joins spans that touch, such as two days with working hours through midnight. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last && last.end >= span.start)
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else result.push(span);
  }
  return result;
}

/** Checks the form of lines of RFC 5545 that make an event recur: Calendar itself only answers "invalid". */
import { HelveError } from '../../../domain/errors.js';

const days = '(?:[+-]?(?:[1-9]|[1-4]\\d|5[0-3]))?(?:MO|TU|WE|TH|FR|SA|SU)';
const list = (item: string): RegExp => new RegExp(`^(?:${item})(?:,(?:${item}))*$`);
const dateOrTime = '\\d{8}(?:T\\d{6}Z?)?';

const parts: Readonly<Record<string, RegExp>> = {
  FREQ: /^(?:DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  UNTIL: new RegExp(`^${dateOrTime}$`),
  COUNT: /^[1-9]\d{0,4}$/,
  INTERVAL: /^[1-9]\d{0,3}$/,
  BYDAY: list(days),
  BYMONTHDAY: list('[+-]?(?:[1-9]|[12]\\d|3[01])'),
  BYMONTH: list('[1-9]|1[0-2]'),
  BYYEARDAY: list('[+-]?[1-9]\\d{0,2}'),
  BYWEEKNO: list('[+-]?(?:[1-9]|[1-4]\\d|5[0-3])'),
  BYSETPOS: list('[+-]?[1-9]\\d{0,2}'),
  BYHOUR: list('\\d|1\\d|2[0-3]'),
  BYMINUTE: list('[0-5]?\\d'),
  BYSECOND: list('[0-5]?\\d'),
  WKST: /^(?:MO|TU|WE|TH|FR|SA|SU)$/,
};

const dates = /^(?:EXDATE|RDATE)(?:;(?:VALUE=(?:DATE|DATE-TIME)|TZID=[A-Za-z0-9_+/-]+))*:(.+)$/i;

/** Returns the lines, in upper case where that means the same. */
export function checkRecurrence(lines: readonly string[]): string[] {
  return lines.map((given, index) => {
    const line = given.trim();
    const wrong = (why: string): HelveError =>
      new HelveError('invalid_input', `recurrence[${index}]: ${why}`, {
        hint: 'Write lines such as RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231T225959Z or EXDATE;VALUE=DATE:20260501. Start and end belong to the event.',
      });
    if (/[\u0000-\u001f\u007f]/.test(line)) throw wrong('it holds a line break or another control character');
    const [, exact] = dates.exec(line) ?? [];
    if (exact !== undefined) {
      if (!list(dateOrTime).test(exact)) throw wrong(`${JSON.stringify(exact)} is not a list of dates`);
      return line;
    }
    const [, name, rule] = /^(RRULE|EXRULE):(.+)$/i.exec(line) ?? [];
    if (name === undefined || rule === undefined) throw wrong('it does not begin with RRULE:, EXDATE or RDATE');
    const problem = ruleProblem(rule.toUpperCase());
    if (problem !== undefined) throw wrong(problem);
    return `${name.toUpperCase()}:${rule.toUpperCase()}`;
  });
}

function ruleProblem(rule: string): string | undefined {
  const seen = new Set<string>();
  for (const part of rule.split(';')) {
    const [name = '', value = '', ...more] = part.split('=');
    const form = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (!form || more.length > 0) return `${JSON.stringify(part)} is not a part of a rule`;
    if (!form.test(value)) return `${name} cannot be ${JSON.stringify(value)}`;
    if (seen.has(name)) return `${name} occurs twice`;
    seen.add(name);
  }
  if (!seen.has('FREQ')) return 'FREQ is missing';
  return seen.has('UNTIL') && seen.has('COUNT') ? 'UNTIL and COUNT exclude each other' : undefined;
}

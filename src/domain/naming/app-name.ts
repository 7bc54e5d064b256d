/**
 * Names of apps as people write them: `GitHub`, `github`, `GITHUB`, `Google Calendar`, `googleCalendar`, `google_calendar`.
 * Two forms name the same app if their letters and digits are the same. Rules about apps are compared this way only, so
 * that nobody gets around a rule by writing a name differently.
 */
import { HelveError } from '../errors.js';

/** What is equal for all written forms of one app: its letters and digits, in lower case. Throws `invalid_input` if there are none. */
export function toAppKey(form: string): string {
  return wordsOf(form).join('');
}

/** The form in which an app is shown: lower-case words joined by `_`. Throws `invalid_input` without letters or digits. */
export function toAppName(form: string): string {
  return wordsOf(form).join('_');
}

function wordsOf(form: string): readonly string[] {
  const words = form
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu);
  if (words === null) throw new HelveError('invalid_input', `${JSON.stringify(form)} is not the name of an app`);
  return words;
}

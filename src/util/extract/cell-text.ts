/** Writes the value of a cell as a reader of the sheet sees it: with its unit, as a percentage, as a day or a time. */

/** `value` is what ExcelJS found, `format` the number format of the cell, from which ExcelJS has removed backslashes. */
export function cellText(value: unknown, format = 'General'): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return dateText(value, format);
  if (typeof value === 'number') return numberText(value, format);
  if (typeof value !== 'object') return String(value);
  const { richText, text, error } = value as Record<string, unknown>;
  if (Array.isArray(richText)) return richText.map((run: { text?: unknown }) => cellText(run.text)).join('');
  return cellText(error ?? text);
}

const withoutTexts = (format: string): string => format.replaceAll(/"[^"]*"/g, '');

/** A cell holds no time zone. ExcelJS counts times of the day and durations from the first day of the calendar. */
function dateText(date: Date, format: string): string {
  if (Number.isNaN(date.getTime())) return '';
  const iso = date.toISOString().slice(0, 19);
  const marks = withoutTexts(format).toLowerCase();
  const start = iso < '1900' ? Date.UTC(1899, 11, 30) : Date.UTC(1904, 0, 1);
  if (/\[[hms]+\]/.test(marks)) {
    const seconds = Math.round((date.getTime() - start) / 1_000);
    const pair = (part: number) => String(Math.floor(part)).padStart(2, '0');
    return `${pair(seconds / 3_600)}:${pair((seconds / 60) % 60)}:${pair(seconds % 60)}`;
  }
  if (/[hs]/.test(marks) && !/[yd]/.test(marks.replaceAll(/\[[^\]]*\]/g, ''))) return iso.slice(11);
  return iso.replace(/T00:00:00$/, '');
}

/** The number stays exact; only its percent sign, its unit and its leading zeros are written as the format says. */
function numberText(value: number, format: string): string {
  const [section = ''] = format.replaceAll(/\[(?!\$)[^\]]*\]|[_*]./g, '').split(';');
  const [, before = '', digits = '', after = ''] =
    /^((?:"[^"]*"|\[[^\]]*\]|[^0#?"[])*?)(General|[0#?](?:[0#?,. ]*[0#?,.])?)(.*)$/.exec(section) ?? [];
  // A comma at the end divides by a thousand; fractions and exponents write the number in another way.
  if (digits === '' || digits.endsWith(',') || /[/E]/.test(withoutTexts(after))) return String(value);
  const isPercent = withoutTexts(section).includes('%');
  const shown = String(Math.abs(isPercent ? Number((value * 100).toPrecision(15)) : value));
  const padded = /^0+$/.test(digits) ? shown.padStart(digits.length, '0') : shown;
  return `${value < 0 ? '-' : ''}${unitText(before)}${padded}${unitText(after)}`.trim();
}

const unitText = (part: string): string =>
  part.replaceAll(/"([^"]*)"|\[\$([^\]-]*)[^\]]*\]|[()]/g, (_, quoted, currency) => quoted ?? currency ?? '');

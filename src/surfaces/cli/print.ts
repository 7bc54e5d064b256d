/** Prints output: tables by default, JSON with `--json`. */
import type { HelveError } from '../../domain/errors.js';

export interface Output {
  readonly json: boolean;
  line(text?: string): void;
  /** Prints one value: JSON for programs, `text` for people. */
  value(value: unknown, text: string): void;
  /** Cells are cut to a readable width, except in `whole` tables. */
  table(
    rows: readonly Readonly<Record<string, unknown>>[],
    columns: readonly string[],
    whenEmpty: string,
    whole?: 'whole',
  ): void;
}

export function createOutput(json: boolean): Output {
  const line = (text = ''): void => {
    process.stdout.write(`${text}\n`);
  };
  return {
    json,
    line,
    value(value, text) {
      line(json ? JSON.stringify(value, null, 2) : text);
    },
    table(rows, columns, whenEmpty, whole) {
      if (json) return line(JSON.stringify(rows, null, 2));
      if (rows.length === 0) return line(whenEmpty);
      const cells = [
        columns.map((name) => name.replaceAll(/[A-Z]/g, ' $&').toUpperCase()),
        ...rows.map((row) => columns.map((name) => cell(row[name], whole ? Number.POSITIVE_INFINITY : widest))),
      ];
      const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
      for (const row of cells)
        line(
          row
            .map((text, column) => text.padEnd(widths[column] ?? 0))
            .join('  ')
            .trimEnd(),
        );
    },
  };
}

const widest = 60;

function cell(value: unknown, max: number): string {
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const flat = printable(text).replace(/\s+/g, ' ');
  return flat.length > max ? `${flat.slice(0, max - 1)}…` : flat;
}

/** Removes control characters: stored text may come from anywhere and must not control the terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** `1 secret`, `2 secrets`. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** The message on one line, and the hint on a second one. */
export function errorText({ message, code, hint }: HelveError): string {
  const flat = (text: string): string => printable(text).replaceAll(/\s*\n\s*/g, ' ');
  return [`error: ${flat(message)} (${code})`, ...(hint ? [`hint:  ${flat(hint)}`] : [])].join('\n');
}

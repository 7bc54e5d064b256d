/**
 * Chooses the widths of a table's columns where exact widths of letters are unknown: wide enough for each whole word,
 * then by the length of the text.
 */
import { plainText } from './inline.js';
import type { Table } from './model.js';

/** Number of rows that are looked at; more would hardly change the widths. */
const sample = 300;

/**
 * Returns widths that add up to `width`. `letter` is the width of one letter, `padding` the space that a cell needs
 * beside its text.
 */
export function columnWidths(table: Table, width: number, letter: number, padding: number): number[] {
  const { columns, widths, header, rows } = table;
  const least = Math.min(padding * 2, width / columns / 2);
  const spread = (parts: readonly number[]): number[] => {
    const sum = parts.reduce((all, part) => all + part, 0);
    return parts.map((part) => least + ((width - least * columns) * part) / sum);
  };
  if (widths) return spread(widths);
  const wanted = Array.from({ length: columns }, (_, column) => {
    let [whole, word] = [3, 3];
    for (const cell of [header?.[column], ...rows.slice(0, sample).map((row) => row[column])]) {
      const text = plainText(cell?.runs ?? []);
      whole = Math.max(whole, Math.min(200, text.length));
      for (const part of text.slice(0, 2_000).split(/\s+/)) word = Math.max(word, part.length);
    }
    return { whole: whole * letter + padding, word: Math.min(word * letter + padding, width * 0.35) };
  });
  const whole = wanted.reduce((sum, column) => sum + column.whole, 0);
  const words = wanted.reduce((sum, column) => sum + column.word, 0);
  if (whole <= width) return wanted.map((column) => (column.whole * width) / whole);
  if (words >= width) return spread(wanted.map(({ word }) => word));
  const part = (width - words) / (whole - words);
  return wanted.map((column) => column.word + Math.max(0, column.whole - column.word) * part);
}

/** Returns which columns hold only numbers: these and their headers are aligned to the right. */
export function numericColumns({ rows, columns }: Table): boolean[] {
  return Array.from(
    { length: columns },
    (_, column) =>
      rows.some((row) => row[column]?.numeric) &&
      rows.every((row) => row[column]?.numeric || row[column]?.runs.length === 0),
  );
}

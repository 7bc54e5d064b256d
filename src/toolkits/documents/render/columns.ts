/** How wide the columns of a table are where no exact widths of letters are known: each word whole, then by length. */
import { plainText } from './inline.js';
import type { Table } from './model.js';

/** More rows tell no more. */
const sample = 300;

/** Widths that add up to `width`; `letter` is the width of one, `padding` what a cell needs beside its text. */
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

/** Numbers stand to the right, and their header with them. */
export function numericColumns({ rows, columns }: Table): boolean[] {
  return Array.from(
    { length: columns },
    (_, column) =>
      rows.some((row) => row[column]?.numeric) &&
      rows.every((row) => row[column]?.numeric || row[column]?.runs.length === 0),
  );
}

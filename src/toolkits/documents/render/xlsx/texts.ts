/** Texts in cells: with their formats, and with the space that they need. */
import type ExcelJS from 'exceljs';
import { defined } from '../../../../util/defined.js';
import { plainText } from '../inline.js';
import { colours } from '../look.js';
import type { Run } from '../model.js';
import { refuse } from '../refuse.js';

export const bodyFont = { name: 'Arial', size: 10, color: { argb: `FF${colours.text}` } };

export interface Look {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly size?: number;
}

export const textWidth = 72;

export const richLength = ({ richText: parts }: ExcelJS.CellRichTextValue): string =>
  parts.map(({ text }) => text).join('');

/** In points. Not all programs work out by themselves how high a row of wrapped text must be. */
export function measureHeight(texts: readonly string[], widths: readonly number[], size: number): number {
  const lines = texts.map((text, column) =>
    text
      .split('\n')
      .reduce((sum, line) => sum + Math.max(1, Math.ceil((line.length * size) / 10 / ((widths[column] ?? 9) - 1))), 0),
  );
  return Math.min(400, Math.max(1, ...lines) * size * 1.32 + 3);
}

/** A cell can have only one link, so the address of each link follows its text. */
export function richText(runs: readonly Run[], look: Look, place: string): ExcelJS.CellRichTextValue {
  if (plainText(runs).length > 32_767)
    refuse(`${place} is longer than a cell can be (32,767 characters)`, 'Split it.', 'too_large');
  const texts = runs.map(({ text, bold, italic, code, strike, link }) => ({
    text: link === undefined || link === text ? text : `${text} (${link})`,
    font: {
      ...bodyFont,
      ...defined({ size: look.size }),
      ...(bold || look.bold ? { bold: true } : {}),
      ...(italic || look.italic ? { italic: true } : {}),
      ...(strike ? { strike: true } : {}),
      ...(code ? { name: 'Courier New' } : {}),
    },
  }));
  return { richText: texts };
}

/** In characters: as wide as the longest line needs, up to a limit. */
export function fitting(texts: readonly string[]): number {
  const longest = texts.reduce(
    (most, text) =>
      Math.max(
        most,
        ...text
          .slice(0, 500)
          .split('\n')
          .map((line) => line.length),
      ),
    0,
  );
  return Math.min(60, Math.max(9, longest * 1.1 + 3));
}

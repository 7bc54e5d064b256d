/** What Sheets' tools have in common: how a spreadsheet, a range and cells are given. */
import { z } from 'zod';
import { HelveError } from '../../../domain/errors.js';
import { googleSettings } from '../settings.js';

export const common = { group: 'Sheets', settingsSchema: googleSettings } as const;

export const spreadsheetInput = z.string().min(5).max(500).describe('Id or URL of the spreadsheet');
export const rangeInput = z
  .string()
  .min(1)
  .max(300)
  .describe("A1 notation: Sheet1!A1:C10, 'My sheet'!A:C, A1:B2 (first sheet), or the name of a sheet or range");

/** Numbers stay numbers. Values that Sheets cannot hold (lists, objects) are refused before anything is written. */
const rowsInput = z
  .array(z.array(z.union([z.string().max(50_000), z.number(), z.boolean(), z.null()])).max(18_278))
  .min(1)
  .max(10_000)
  .describe('Rows of cells; null leaves a cell as it is, "" empties it');

const valueInput = z
  .enum(['raw', 'user_entered'])
  .default('raw')
  .describe('raw: stored as given, formulas stay text. user_entered: as if typed, "=…" runs and "1/2" becomes a date');

/** The input of the tools that write cells. */
export const cellsInput = z.strictObject({
  spreadsheet_id: spreadsheetInput,
  range: rangeInput,
  values: rowsInput,
  value_input: valueInput,
});

/** The part of a request that all of them have. */
export function toRequest({ spreadsheet_id, range, values, value_input }: z.infer<typeof cellsInput>, action = '') {
  return {
    server: 'sheets',
    path: valuesPath(spreadsheet_id, range, action),
    query: { valueInputOption: value_input === 'raw' ? 'RAW' : 'USER_ENTERED' },
    json: { range, majorDimension: 'ROWS', values },
  };
}

export function spreadsheetId(given: string): string {
  const [, fromUrl] = /^https:\/\/docs\.google\.com\/spreadsheets\/(?:u\/\d+\/)?d\/([A-Za-z0-9_-]+)/.exec(given) ?? [];
  const id = fromUrl ?? given;
  if (/^[A-Za-z0-9_-]+$/.test(id)) return id;
  throw new HelveError('invalid_input', `spreadsheet_id: ${JSON.stringify(given.slice(0, 100))} is not a spreadsheet`, {
    hint: 'Send the id between /d/ and /edit of its address, or the whole address; list_spreadsheets finds it by name.',
  });
}

export function valuesPath(spreadsheet: string, range: string, action = ''): string {
  if (/[\u0000-\u001f\u007f]/.test(range) || range.trim() === '') {
    throw new HelveError('invalid_input', 'range: it is empty or holds a control character', {
      hint: 'Write A1 notation such as Sheet1!A1:C10.',
    });
  }
  return `/v4/spreadsheets/${spreadsheetId(spreadsheet)}/values/${encodeURIComponent(range)}${action}`;
}

import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { scopes } from '../../scopes.js';
import {
  common,
  rangeInput,
  rowsInput,
  spreadsheetInput,
  valueInput,
  valueInputOption,
  valuesPath,
} from '../shared.js';

interface Answer {
  readonly tableRange?: string;
  readonly updates?: { readonly updatedRange?: string; readonly updatedRows?: number; readonly updatedCells?: number };
}

/** Raw by default: `=IMPORTDATA(…)` in a value would carry cells out of the house. */
export const appendSpreadsheetValues = defineTool({
  ...common,
  name: 'append_spreadsheet_values',
  title: 'Append spreadsheet rows',
  description:
    'Add rows below the table that is found in a range; nothing is overwritten. Values are stored as given (raw), so that no formula runs unless value_input is user_entered.',
  inputSchema: z.strictObject({
    spreadsheet_id: spreadsheetInput,
    range: rangeInput,
    values: rowsInput,
    value_input: valueInput,
  }),
  outputSchema: z.strictObject({
    range: z.string().optional().describe('Where they are now'),
    table_range: z.string().optional().describe('The table before'),
    rows: z.number(),
    cells: z.number(),
  }),
  annotations: effects.creates,
  scopes: [scopes.spreadsheets],
  capabilities: ['append rows', 'add row'],
  examples: [
    {
      input: {
        spreadsheet_id: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
        range: 'Sheet1!A1',
        values: [['2026-01-05', 12.5]],
      },
    },
  ],
  async execute(input, { service }) {
    // Not repeatable: rows would stand there twice.
    const { tableRange, updates = {} } = await service.json<Answer>({
      method: 'POST',
      server: 'sheets',
      path: valuesPath(input.spreadsheet_id, input.range, ':append'),
      query: { valueInputOption: valueInputOption[input.value_input], insertDataOption: 'INSERT_ROWS' },
      json: { range: input.range, majorDimension: 'ROWS', values: input.values },
    });
    return {
      ...defined({ range: updates.updatedRange, table_range: tableRange }),
      rows: updates.updatedRows ?? 0,
      cells: updates.updatedCells ?? 0,
    };
  },
});

import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
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
  readonly updatedRange?: string;
  readonly updatedRows?: number;
  readonly updatedColumns?: number;
  readonly updatedCells?: number;
}

/** Raw by default: `=IMPORTDATA(…)` in a value would carry cells out of the house. */
export const writeSpreadsheetValues = defineTool({
  ...common,
  name: 'write_spreadsheet_values',
  title: 'Write spreadsheet values',
  description:
    'Write rows of cells over a range, from its first cell on; what was there is replaced. Values are stored as given (raw), so that no formula runs unless value_input is user_entered.',
  inputSchema: z.strictObject({
    spreadsheet_id: spreadsheetInput,
    range: rangeInput,
    values: rowsInput,
    value_input: valueInput,
  }),
  outputSchema: z.strictObject({
    range: z.string(),
    rows: z.number(),
    columns: z.number(),
    cells: z.number(),
  }),
  annotations: effects.replaces,
  risk: 'write',
  scopes: [scopes.spreadsheets],
  capabilities: ['write spreadsheet', 'update cells'],
  examples: [
    {
      input: {
        spreadsheet_id: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
        range: 'Sheet1!A1:B2',
        values: [
          ['Name', 'Count'],
          ['Apples', 3],
        ],
      },
    },
  ],
  async execute(input, { service }) {
    const written = await service.json<Answer>({
      // The same cells get the same values.
      repeatable: true,
      method: 'PUT',
      server: 'sheets',
      path: valuesPath(input.spreadsheet_id, input.range),
      query: { valueInputOption: valueInputOption[input.value_input] },
      json: { range: input.range, majorDimension: 'ROWS', values: input.values },
    });
    return {
      range: written.updatedRange ?? input.range,
      rows: written.updatedRows ?? 0,
      columns: written.updatedColumns ?? 0,
      cells: written.updatedCells ?? 0,
    };
  },
});

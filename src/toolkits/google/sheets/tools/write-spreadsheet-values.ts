import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { defineRecord, from } from '../../../../util/record.js';
import { count } from '../../fields.js';
import { scopes } from '../../scopes.js';
import { cellsInput, common, toRequest } from '../shared.js';

const writtenRecord = defineRecord({
  range: from('updatedRange', z.string()),
  rows: count('updatedRows'),
  columns: count('updatedColumns'),
  cells: count('updatedCells'),
});

/** Raw by default: `=IMPORTDATA(…)` in a value would send cells to another server. */
export const writeSpreadsheetValues = defineTool({
  ...common,
  name: 'write_spreadsheet_values',
  title: 'Write spreadsheet values',
  description:
    'Write rows of cells over a range, from its first cell on; what was there is replaced. Values are stored as given (raw), so that no formula runs unless value_input is user_entered.',
  inputSchema: cellsInput,
  outputSchema: writtenRecord.shape,
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
    const written = await service.json<object>({
      // The same cells get the same values.
      repeatable: true,
      method: 'PUT',
      ...toRequest(input),
    });
    return writtenRecord.read({ updatedRange: input.range, ...written });
  },
});

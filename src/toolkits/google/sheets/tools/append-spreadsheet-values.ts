import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { defineRecord, from } from '../../../../util/record.js';
import { count } from '../../fields.js';
import { scopes } from '../../scopes.js';
import { cellsInput, common, toRequest } from '../shared.js';

const appendedRecord = defineRecord({
  range: from('updates.updatedRange', z.string().optional().describe('Where they are now')),
  table_range: from('tableRange', z.string().optional().describe('The table before')),
  rows: count('updates.updatedRows'),
  cells: count('updates.updatedCells'),
});

/** Raw by default: `=IMPORTDATA(…)` in a value would send cells to another server. */
export const appendSpreadsheetValues = defineTool({
  ...common,
  name: 'append_spreadsheet_values',
  title: 'Append spreadsheet rows',
  description:
    'Add rows below the table that is found in a range; nothing is overwritten. Values are stored as given (raw), so that no formula runs unless value_input is user_entered.',
  inputSchema: cellsInput,
  outputSchema: appendedRecord.shape,
  annotations: effects.creates,
  idempotency: { by: 'ask', how: 'Google Sheets does not say which request added a row, and equal rows may be meant' },
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
    // Not repeatable: a second request would add the rows again.
    const request = toRequest(input, ':append');
    const query = { ...request.query, insertDataOption: 'INSERT_ROWS' };
    return appendedRecord.read(await service.json<object>({ method: 'POST', ...request, query }));
  },
});

import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { computed, defineRecord, from, listFrom, orElse } from '../../../../util/record.js';
import { scopes } from '../../scopes.js';
import { common, spreadsheetId, spreadsheetInput } from '../shared.js';

const sheetRecord = defineRecord({
  id: from('properties.sheetId', z.number().optional()),
  title: from('properties.title', z.string().optional()),
  rows: from('properties.gridProperties.rowCount', z.number().optional().describe('Of the grid, empty ones too')),
  columns: from('properties.gridProperties.columnCount', z.number().optional()),
  hidden: from('properties.hidden', z.boolean().optional()),
});

const spreadsheetRecord = defineRecord({
  id: from('spreadsheetId', z.string()),
  title: from('properties.title', z.string().optional()),
  url: from('spreadsheetUrl', z.string().optional()),
  locale: from('properties.locale', z.string().optional()),
  time_zone: from('properties.timeZone', z.string().optional()),
  sheets: orElse(listFrom('sheets', sheetRecord), []),
  named_ranges: computed(z.array(z.string()), ({ namedRanges = [] }: { namedRanges?: { name?: string }[] }) =>
    namedRanges.flatMap(({ name }) => name ?? []),
  ),
});

const sheetsAndSizes = [
  'spreadsheetId',
  'spreadsheetUrl',
  'properties(title,locale,timeZone)',
  'sheets.properties(sheetId,title,hidden,gridProperties(rowCount,columnCount))',
  'namedRanges.name',
].join(',');

/** Only sheets and sizes are requested: grids can be huge. */
export const getSpreadsheet = defineTool({
  ...common,
  name: 'get_spreadsheet',
  title: 'Get a spreadsheet',
  description:
    'What a spreadsheet is called and which sheets of which size it has. Cells come with read_spreadsheet_values.',
  inputSchema: z.strictObject({ spreadsheet_id: spreadsheetInput }),
  outputSchema: spreadsheetRecord.shape,
  annotations: effects.reads,
  scopes: [scopes.spreadsheetsRead],
  capabilities: ['get spreadsheet', 'list sheets'],
  examples: [{ input: { spreadsheet_id: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms' } }],
  async execute(input, { service }) {
    const found = await service.json<object>({
      server: 'sheets',
      path: `/v4/spreadsheets/${spreadsheetId(input.spreadsheet_id)}`,
      query: { fields: sheetsAndSizes },
    });
    return spreadsheetRecord.read(found);
  },
});

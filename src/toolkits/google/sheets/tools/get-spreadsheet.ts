import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { scopes } from '../../scopes.js';
import { common, spreadsheetId, spreadsheetInput } from '../shared.js';

interface Answer {
  readonly spreadsheetId: string;
  readonly spreadsheetUrl?: string;
  readonly properties?: { readonly title?: string; readonly locale?: string; readonly timeZone?: string };
  readonly sheets?: readonly {
    readonly properties?: {
      readonly sheetId?: number;
      readonly title?: string;
      readonly hidden?: boolean;
      readonly gridProperties?: { readonly rowCount?: number; readonly columnCount?: number };
    };
  }[];
  readonly namedRanges?: readonly { readonly name?: string }[];
}

const sheetsAndSizes = [
  'spreadsheetId',
  'spreadsheetUrl',
  'properties(title,locale,timeZone)',
  'sheets.properties(sheetId,title,hidden,gridProperties(rowCount,columnCount))',
  'namedRanges.name',
].join(',');

/** Only sheets and sizes are asked for: grids can be huge. */
export const getSpreadsheet = defineTool({
  ...common,
  name: 'get_spreadsheet',
  title: 'Get a spreadsheet',
  description:
    'What a spreadsheet is called and which sheets of which size it has. Cells come with read_spreadsheet_values.',
  inputSchema: z.strictObject({ spreadsheet_id: spreadsheetInput }),
  outputSchema: z.strictObject({
    id: z.string(),
    title: z.string().optional(),
    url: z.string().optional(),
    locale: z.string().optional(),
    time_zone: z.string().optional(),
    sheets: z.array(
      z.strictObject({
        id: z.number().optional(),
        title: z.string().optional(),
        rows: z.number().optional().describe('Of the grid, empty ones too'),
        columns: z.number().optional(),
        hidden: z.boolean().optional(),
      }),
    ),
    named_ranges: z.array(z.string()),
  }),
  annotations: effects.reads,
  scopes: [scopes.spreadsheetsRead],
  capabilities: ['get spreadsheet', 'list sheets'],
  examples: [{ input: { spreadsheet_id: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms' } }],
  async execute(input, { service }) {
    const found = await service.json<Answer>({
      server: 'sheets',
      path: `/v4/spreadsheets/${spreadsheetId(input.spreadsheet_id)}`,
      query: { fields: sheetsAndSizes },
    });
    const { title, locale, timeZone } = found.properties ?? {};
    return {
      id: found.spreadsheetId,
      ...defined({ title, url: found.spreadsheetUrl, locale, time_zone: timeZone }),
      sheets: (found.sheets ?? []).map(({ properties = {} }) =>
        defined({
          id: properties.sheetId,
          title: properties.title,
          rows: properties.gridProperties?.rowCount,
          columns: properties.gridProperties?.columnCount,
          hidden: properties.hidden,
        }),
      ),
      named_ranges: (found.namedRanges ?? []).flatMap(({ name }) => (name === undefined ? [] : [name])),
    };
  },
});

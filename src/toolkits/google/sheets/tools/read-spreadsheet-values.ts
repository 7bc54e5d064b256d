import { z } from 'zod';
import { effects } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { scopes } from '../../scopes.js';
import { common, rangeInput, spreadsheetInput, valuesPath } from '../shared.js';

const renderOptions = {
  value: 'UNFORMATTED_VALUE',
  shown: 'FORMATTED_VALUE',
  formula: 'FORMULA',
} as const;

interface Answer {
  readonly range?: string;
  readonly values?: readonly (readonly unknown[])[];
}

/** Values are JSON: a number in the sheet is a number here. */
export const readSpreadsheetValues = defineTool({
  ...common,
  name: 'read_spreadsheet_values',
  title: 'Read spreadsheet values',
  description:
    'Read the cells of a range as rows. Empty cells at the end of a row, and empty rows at the end, are left out.',
  inputSchema: z.strictObject({
    spreadsheet_id: spreadsheetInput,
    range: rangeInput,
    render: z
      .enum(['value', 'shown', 'formula'])
      .default('value')
      .describe('value: numbers as numbers, dates as text; shown: all as text, as a person sees it; formula: "=…"'),
  }),
  outputSchema: z.strictObject({
    range: z.string().describe('What was read, in full'),
    values: z.array(z.array(z.unknown())),
  }),
  annotations: effects.reads,
  scopes: [scopes.spreadsheetsRead],
  capabilities: ['read spreadsheet', 'read cells'],
  examples: [{ input: { spreadsheet_id: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms', range: 'Class Data!A2:E' } }],
  async execute(input, { service }) {
    const { range = input.range, values = [] } = await service.json<Answer>({
      server: 'sheets',
      path: valuesPath(input.spreadsheet_id, input.range),
      query: {
        majorDimension: 'ROWS',
        valueRenderOption: renderOptions[input.render],
        dateTimeRenderOption: 'FORMATTED_STRING',
      },
    });
    return { range, values: values.map((row) => [...row]) };
  },
});

/** The tools of Google Sheets. */
import type { ToolDefinition } from '../../../../domain/tool.js';
import { appendSpreadsheetValues } from './append-spreadsheet-values.js';
import { getSpreadsheet } from './get-spreadsheet.js';
import { listSpreadsheets } from './list-spreadsheets.js';
import { readSpreadsheetValues } from './read-spreadsheet-values.js';
import { writeSpreadsheetValues } from './write-spreadsheet-values.js';

export const sheetsTools: readonly ToolDefinition[] = [
  listSpreadsheets,
  getSpreadsheet,
  readSpreadsheetValues,
  writeSpreadsheetValues,
  appendSpreadsheetValues,
];

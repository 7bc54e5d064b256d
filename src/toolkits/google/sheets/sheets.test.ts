/**
 * R-google-sheets through the whole plane. There is no emulator of Sheets: what a tool sends is held against what
 * Google's own client sends for the same wish (and, in `operations.test.ts`, against Google's description). Spreadsheets
 * are found with the emulator's Drive.
 */
import { auth, sheets } from '@googleapis/sheets';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ToolResult } from '../../../domain/execution.js';
import { createTestHelve, type TestHelve } from '../../../testing/index.js';
import { type GoogleEmulator, startGoogleEmulator } from '../testing/emulator.js';
import { type Recorder, type Sent, startRecorder } from '../testing/recorder.js';
import { workspaceAt } from '../testing/workspace.js';

let google: GoogleEmulator;
let recorder: Recorder;
let helve: TestHelve;
let official: ReturnType<typeof sheets>;

beforeAll(async () => {
  const mime_type = 'application/vnd.google-apps.spreadsheet';
  google = await startGoogleEmulator({
    drive_items: [
      { id: 'sheet_1', user_email: 'ada@example.com', name: 'Budget 2026', mime_type },
      { id: 'sheet_2', user_email: 'ada@example.com', name: 'Plans', mime_type },
      { id: 'text_1', user_email: 'ada@example.com', name: 'Budget notes', mime_type: 'text/plain' },
    ],
  });
  recorder = await startRecorder(google.baseUrl);
  helve = await createTestHelve(workspaceAt(recorder.baseUrl));
  const client = new auth.OAuth2();
  client.setCredentials({ access_token: google.token });
  official = sheets({ version: 'v4', auth: client, rootUrl: `${recorder.baseUrl}/` });
});
afterAll(async () => {
  await recorder?.close();
  await google?.close();
});
beforeEach(() => {
  recorder.sent.length = 0;
  recorder.react = () => undefined;
});

async function done(tool: string, input: object): Promise<any> {
  const result = await helve.call(`work__${tool}`, input);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.output;
}

async function refused(tool: string, input: object): Promise<Extract<ToolResult, { ok: false }>['error']> {
  const result = await helve.call(`work__${tool}`, input);
  if (result.ok) throw new Error(`not refused: ${JSON.stringify(result.output)}`);
  return result.error;
}

/** What it comes to, however it is escaped. */
function gist({ method, path, json }: Sent | undefined = {} as Sent) {
  const { pathname, searchParams } = new URL(path ?? '', 'http://x');
  return { method, path: decodeURIComponent(pathname), query: Object.fromEntries(searchParams), json };
}

const spreadsheetId = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms';
const range = "'Año & más'!A1:C2";
const place = { spreadsheet_id: spreadsheetId, range };
const values = [
  ['Name', 1.5, true],
  ['=IMPORTDATA("https://example.com")', null, ''],
];

describe('the same request as by the official client', () => {
  const requestBody = { range, majorDimension: 'ROWS', values };

  test('R-google-sheets: reading', async () => {
    recorder.react = () => ({ json: { range, values: [['Name', 1.5, true], [], ['x']] } });
    expect(await done('read_spreadsheet_values', place)).toEqual({ range, values: [['Name', 1.5, true], [], ['x']] });
    await official.spreadsheets.values.get({
      spreadsheetId,
      range,
      majorDimension: 'ROWS',
      valueRenderOption: 'UNFORMATTED_VALUE',
      dateTimeRenderOption: 'FORMATTED_STRING',
    });
    expect(gist(recorder.sent[0])).toEqual(gist(recorder.sent[1]));
    recorder.react = () => ({ json: { range } });
    expect(await done('read_spreadsheet_values', { ...place, render: 'formula' })).toEqual({ range, values: [] });
    expect(recorder.sent.at(-1)?.path).toContain('valueRenderOption=FORMULA');
  });

  test('R-google-sheets: writing, raw unless it is said otherwise', async () => {
    recorder.react = () => ({ json: { updatedRange: range, updatedRows: 2, updatedColumns: 3, updatedCells: 5 } });
    expect(await done('write_spreadsheet_values', { ...place, values })).toEqual({
      range,
      rows: 2,
      columns: 3,
      cells: 5,
    });
    await official.spreadsheets.values.update({ spreadsheetId, range, valueInputOption: 'RAW', requestBody });
    expect(gist(recorder.sent[0])).toEqual(gist(recorder.sent[1]));
    await done('write_spreadsheet_values', { ...place, values, value_input: 'user_entered' });
    expect(recorder.sent.at(-1)?.path).toContain('valueInputOption=USER_ENTERED');
  });

  test('R-google-sheets: appending', async () => {
    recorder.react = () => ({
      json: { tableRange: 'A1:C9', updates: { updatedRange: 'A10:C11', updatedRows: 2, updatedCells: 5 } },
    });
    expect(await done('append_spreadsheet_values', { ...place, values })).toEqual({
      range: 'A10:C11',
      table_range: 'A1:C9',
      rows: 2,
      cells: 5,
    });
    await official.spreadsheets.values.append({
      spreadsheetId,
      range,
      valueInputOption: 'RAW',
      insertDataOption: 'INSERT_ROWS',
      requestBody,
    });
    expect(gist(recorder.sent[0])).toEqual(gist(recorder.sent[1]));
  });

  test('R-google-sheets: sheets and sizes, by id or by address', async () => {
    recorder.react = () => ({
      json: {
        spreadsheetId,
        properties: { title: 'Budget', timeZone: 'Europe/Berlin' },
        sheets: [
          { properties: { sheetId: 0, title: 'Año', gridProperties: { rowCount: 1000, columnCount: 26 } } },
          { properties: { hidden: true } },
        ],
        namedRanges: [{ name: 'total' }],
      },
    });
    const found = await done('get_spreadsheet', {
      spreadsheet_id: `https://docs.google.com/spreadsheets/d/${spreadsheetId}/edit#gid=0`,
    });
    expect(found).toEqual({
      id: spreadsheetId,
      title: 'Budget',
      time_zone: 'Europe/Berlin',
      sheets: [{ id: 0, title: 'Año', rows: 1000, columns: 26 }, { hidden: true }],
      named_ranges: ['total'],
    });
    const { query } = gist(recorder.sent[0]);
    await official.spreadsheets.get({ spreadsheetId, fields: query.fields ?? '' });
    expect(gist(recorder.sent[0])).toEqual(gist(recorder.sent[1]));
  });
});

test('R-google-sheets: only spreadsheets are listed, by name and page by page', async () => {
  const { spreadsheets } = await done('list_spreadsheets', {});
  expect(spreadsheets.map(({ id }: { id: string }) => id).sort()).toEqual(['sheet_1', 'sheet_2']);
  const first = await done('list_spreadsheets', { max_results: 1 });
  const second = await done('list_spreadsheets', { max_results: 1, page_token: first.next_page_token });
  expect(
    [first, second]
      .flatMap((page) => page.spreadsheets)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['sheet_1', 'sheet_2']);
  await done('list_spreadsheets', { name_contains: "Ada's \\ 'or' x" });
  expect(gist(recorder.sent.at(-1)).query.q).toContain("name contains 'Ada\\'s \\\\ \\'or\\' x'");
});

describe('refusals', () => {
  test.each([
    ['read_spreadsheet_values', { spreadsheet_id: '../../drive', range: 'A1' }, /^spreadsheet_id/],
    ['read_spreadsheet_values', { spreadsheet_id: spreadsheetId, range: ' ' }, /^range/],
    ['get_spreadsheet', { spreadsheet_id: 'https://example.com/spreadsheets/d/x' }, /^spreadsheet_id/],
    ['write_spreadsheet_values', { ...place, values: [[{ a: 1 }]] }, /values/],
    ['append_spreadsheet_values', { ...place, values: [] }, /values/],
    ['list_spreadsheets', { name_contains: '' }, /name_contains/],
  ])('R-google-sheets: %s refuses %j before anything is sent', async (tool, input, message) => {
    expect(await refused(tool, input)).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
    });
    expect(recorder.sent).toEqual([]);
  });

  test('R-google-sheets: a range that Sheets cannot read is told as it says', async () => {
    recorder.react = () => ({
      status: 400,
      json: { error: { code: 400, message: 'Unable to parse range: Nope!A1', status: 'INVALID_ARGUMENT' } },
    });
    for (const tool of ['read_spreadsheet_values', 'write_spreadsheet_values', 'append_spreadsheet_values']) {
      const input = { ...place, ...(tool.startsWith('read') ? {} : { values }) };
      expect(await refused(tool, input)).toMatchObject({
        code: 'invalid_input',
        message: 'Google: Unable to parse range: Nope!A1',
      });
    }
  });

  test('R-google-sheets: rows whose fate is unknown are not appended twice, written ones are sent again', async () => {
    recorder.react = () => ({
      status: 503,
      json: { error: { code: 503, message: 'The service is currently unavailable.', status: 'UNAVAILABLE' } },
    });
    expect(await refused('append_spreadsheet_values', { ...place, values })).toMatchObject({ code: 'outcome_unknown' });
    expect(recorder.sent).toHaveLength(1);
    recorder.sent.length = 0;
    recorder.react = () => (recorder.sent.length < 3 ? { status: 503, json: {} } : { json: { updatedCells: 5 } });
    expect(await done('write_spreadsheet_values', { ...place, values })).toMatchObject({ cells: 5 });
    expect(recorder.sent).toHaveLength(3);
  });
});

/** A result as one typed widget for a panel, chosen by the form of the value. */
import type { ErrorCode } from '../domain/errors.js';
import type { ToolResult, ToolSuccess } from '../domain/execution.js';
import type { JsonObject, JsonValue } from '../domain/json.js';
import type { ContentBlock } from '../domain/tool.js';
import { defined } from '../util/defined.js';

export type Widget =
  | { readonly type: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly JsonValue[])[] }
  | { readonly type: 'text'; readonly text: string; readonly language: 'plain' | 'json' }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'file';
      readonly name: string;
      readonly mimeType: string;
      readonly text?: string;
      readonly data?: string;
    }
  | { readonly type: 'diff'; readonly text: string }
  | {
      readonly type: 'error';
      readonly code: ErrorCode;
      readonly message: string;
      readonly retryable: boolean;
      readonly hint?: string;
    };

/** Returns the widget that fits the result: table, text, image, file, diff or error. */
export function forPanel(result: ToolResult): Widget {
  if (!result.ok) {
    const { code, message, retryable, hint } = result.error;
    return { type: 'error', code, message, retryable, ...defined({ hint }) };
  }
  return fromContent(result) ?? fromOutput(result.output);
}

function fromContent({ content }: ToolSuccess): Widget | undefined {
  const block = content?.find(({ type }) => type !== 'text') ?? content?.[0];
  return block === undefined ? undefined : fromBlock(block);
}

function fromBlock(block: ContentBlock): Widget {
  switch (block.type) {
    case 'text':
      return fromText(block.text);
    case 'image':
      return { type: 'image', data: block.data, mimeType: block.mimeType };
    case 'audio':
      return { type: 'file', name: 'audio', mimeType: block.mimeType, data: block.data };
    case 'resource_link':
      return { type: 'file', name: block.name, mimeType: block.mimeType ?? 'application/octet-stream' };
    case 'resource': {
      const { resource } = block;
      const name = resource.uri.split('/').at(-1) || resource.uri;
      return 'text' in resource
        ? { type: 'file', name, mimeType: resource.mimeType ?? 'text/plain', text: resource.text }
        : { type: 'file', name, mimeType: resource.mimeType ?? 'application/octet-stream', data: resource.blob };
    }
  }
}

function fromOutput(output: JsonValue): Widget {
  if (typeof output === 'string') return fromText(output);
  const records = getRecords(output) ?? onlyRecordsIn(output);
  if (records !== undefined) return table(records);
  const grid = findGrid(output);
  if (grid !== undefined) return { type: 'table', ...grid };
  return { type: 'text', text: JSON.stringify(output, null, 2), language: 'json' };
}

function fromText(text: string): Widget {
  return isDiff(text) ? { type: 'diff', text } : { type: 'text', text, language: 'plain' };
}

/** A unified diff: its two file lines and a hunk. */
function isDiff(text: string): boolean {
  return /^--- .*\n\+\+\+ .*\n@@ /m.test(text);
}

function table(records: readonly JsonObject[]): Widget {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = records.map((record) =>
    columns.map((column) => (Object.hasOwn(record, column) ? (record[column] as JsonValue) : null)),
  );
  return { type: 'table', columns, rows };
}

/** Undefined also for records that share no fields: a table of them would be huge and nearly empty. */
function getRecords(value: JsonValue | undefined): readonly JsonObject[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return undefined;
  const columns = new Set<string>();
  let fields = 0;
  for (const key of value.flatMap((record) => Object.keys(record))) {
    columns.add(key);
    fields += 1;
  }
  const cells = columns.size * value.length;
  return cells > fewCells && cells > maxCellsPerField * fields ? undefined : value;
}

const fewCells = 10_000;
const maxCellsPerField = 10;

/** `{ items: [{…}, …], total: 3 }`: returns the only list of records in it. */
function onlyRecordsIn(output: JsonValue): readonly JsonObject[] | undefined {
  if (!isRecord(output)) return undefined;
  const lists = Object.values(output).flatMap((value) => {
    const records = getRecords(value);
    return records === undefined ? [] : [records];
  });
  return lists.length === 1 ? lists[0] : undefined;
}

/** The output of a database or a spreadsheet: `{ columns: […], rows: [[…], …] }`, or `{ values: [[…], …] }`. */
function findGrid(output: JsonValue): Pick<Extract<Widget, { type: 'table' }>, 'columns' | 'rows'> | undefined {
  if (!isRecord(output)) return undefined;
  const { columns, rows, values } = output;
  if (isRows(rows) && Array.isArray(columns) && columns.every((column) => typeof column === 'string'))
    return { columns, rows };
  if (!isRows(values) || values.length === 0) return undefined;
  // Not spread into one call of Math.max, because very many rows would overflow the stack.
  const width = values.reduce((max, row) => Math.max(max, row.length), 0);
  return { columns: Array.from({ length: width }, (_, index) => toLetter(index)), rows: values };
}

function isRows(value: JsonValue | undefined): value is JsonValue[][] {
  return Array.isArray(value) && value.every((row) => Array.isArray(row));
}

/** Spreadsheet column names: A … Z, AA, AB … */
function toLetter(index: number): string {
  const rest = Math.floor(index / 26);
  return `${rest > 0 ? toLetter(rest - 1) : ''}${String.fromCharCode(65 + (index % 26))}`;
}

function isRecord(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

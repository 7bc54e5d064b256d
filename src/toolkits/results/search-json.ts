/** JSONPath over one JSON text. Runs in a worker. */
import { jsonpath } from 'json-p3';
import { HelveError } from '../../domain/errors.js';
import type { JsonValue } from '../../domain/json.js';
import { parseExactJson } from '../../util/json-text.js';

export interface JsonQuery {
  /** A text, because it reaches the worker faster than the parsed value. */
  readonly text: string;
  readonly query: string;
  readonly most: number;
}

export interface Matches {
  readonly values: JsonValue[];
  readonly total: number;
}

/** Throws `invalid_input` for a query that is not JSONPath. */
export function searchJson({ text, query, most }: JsonQuery): Matches {
  const stored = readText(JSON.parse(text));
  const isObject = typeof stored === 'object' && stored !== null && !Array.isArray(stored);
  const value = isObject
    ? Object.fromEntries(Object.entries(stored).map(([key, field]) => [key, readText(field)]))
    : stored;
  const values = findValues(query, value);
  return { values: values.slice(0, most), total: values.length };
}

/** A JSON document inside a string, such as the body of a page, is parsed for the query. */
function readText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseExactJson(value);
  } catch {
    return value;
  }
}

function findValues(query: string, value: unknown): JsonValue[] {
  try {
    return jsonpath.query(query, value as never).values() as JsonValue[];
  } catch (error) {
    throw new HelveError('invalid_input', `The query is not valid JSONPath: ${(error as Error).message}`, {
      hint: 'Use RFC 9535 JSONPath, e.g. $.items[?@.price > 10].name',
    });
  }
}

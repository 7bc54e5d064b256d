/** JSONPath (RFC 9535) over a stored result, in a process of its own: a model's query may be as bad as it likes. */
import { HelveError } from '../../domain/errors.js';
import type { JsonValue } from '../../domain/json.js';
import { runFunction } from '../../util/sandbox/process-function.js';

const mostMatches = 1_000;

interface Matches {
  readonly values: JsonValue[];
  readonly total: number;
}

/** At most 1,000 matches. Throws `invalid_input` for a query that is not JSONPath, `timeout` for one that takes over 2 s. */
export async function queryJson(value: JsonValue, query: string, signal: AbortSignal): Promise<Matches> {
  try {
    return await runFunction({
      libraries: { jsonp3: 'json-p3' },
      work: search,
      data: { text: JSON.stringify(value), query, most: mostMatches },
      ...{ timeoutMs: 2_000, maxHeapMb: 256, signal },
    });
  } catch (error) {
    if (!(error instanceof HelveError) || error.code !== 'invalid_input') throw error;
    throw new HelveError('invalid_input', `The query is not valid JSONPath: ${error.message}`, {
      hint: 'Use RFC 9535 JSONPath, e.g. $.items[?@.price > 10].name',
    });
  }
}

/** Runs in the other process: uses nothing but its parameters. A text crosses over faster than what it stands for. */
function search(
  { jsonp3 }: { readonly jsonp3?: never },
  { text, query, most }: { readonly text: string; readonly query: string; readonly most: number },
): Matches {
  const { jsonpath } = jsonp3 as unknown as typeof import('json-p3');
  // A JSON document that came as text, such as the body of a page, is a value for the query.
  const readText = (value: unknown): unknown => {
    if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  };
  const stored = readText(JSON.parse(text));
  const isObject = typeof stored === 'object' && stored !== null && !Array.isArray(stored);
  const value = isObject
    ? Object.fromEntries(Object.entries(stored).map(([key, field]) => [key, readText(field)]))
    : stored;
  const values = jsonpath.query(query, value as never).values() as JsonValue[];
  return { values: values.slice(0, most), total: values.length };
}

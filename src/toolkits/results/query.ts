/** JSONPath (RFC 9535) over a stored result, in a thread of its own: a model's query may be as bad as it likes. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { HelveError } from '../../spec/errors.js';
import type { JsonValue } from '../../spec/json.js';
import { runTerminable } from '../../util/terminable.js';

const code = `
const { parentPort, workerData } = require('node:worker_threads');
import(workerData.library).then(({ jsonpath }) => {
  const values = jsonpath.query(workerData.query, workerData.value).values();
  parentPort.postMessage({ values: values.slice(0, workerData.most), total: values.length });
}).catch((error) => parentPort.postMessage({ problem: String(error && error.message || error) }));
`;

const library = pathToFileURL(createRequire(import.meta.url).resolve('json-p3')).href;
const mostMatches = 1_000;

/** At most 1,000 matches. Throws `invalid_input` for a query that is not JSONPath, `timeout` for one that takes over 2 s. */
export async function queryJson(
  value: JsonValue,
  query: string,
  signal: AbortSignal,
): Promise<{ values: JsonValue[]; total: number }> {
  const answer = await runTerminable<{ values: JsonValue[]; total: number } | { problem: string }>({
    code,
    data: { library, value, query, most: mostMatches },
    timeoutMs: 2_000,
    maxHeapMb: 256,
    signal,
  });
  if ('problem' in answer) {
    throw new HelveError('invalid_input', `The query is not valid JSONPath: ${answer.problem}`, {
      hint: 'Use RFC 9535 JSONPath, e.g. $.items[?@.price > 10].name',
    });
  }
  return answer;
}

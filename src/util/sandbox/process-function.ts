/**
 * A function that runs in a process of its own, where hostile input can cost no more than that process. It is sent
 * as text, so it may use only its parameters: the libraries it names and its data.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { HelveError } from '../../domain/errors.js';
import { createProcessPool } from './process-pool.js';

/** What `import()` of each library gave, by name. The function knows what they are. */
type Libraries = Readonly<Record<string, never>>;

export interface ProcessFunction<Data, Result> {
  /** Packages, by the name that the function uses. */
  readonly libraries: Readonly<Record<string, string>>;
  readonly work: (libraries: Libraries, data: Data) => Result | Promise<Result>;
  readonly data: Data;
  readonly timeoutMs: number;
  readonly maxHeapMb: number;
  readonly signal?: AbortSignal;
}

type Answer<Result> = { readonly value: Result } | { readonly problem: string };

/** The functions keep nothing between calls, so a process may serve whoever comes next. */
const code = `
const known = new Map();
return async ({ addresses, work, data }) => {
  const libraries = {};
  for (const [name, address] of addresses) libraries[name] = await import(address);
  if (!known.has(work)) known.set(work, (0, eval)('(' + work + ')'));
  try { return { value: await known.get(work)(libraries, data) }; }
  catch (error) { return { problem: String((error && error.message) || error) }; }
};`;

const require = createRequire(import.meta.url);
const pool = createProcessPool({
  ...{ code: () => code, data: undefined, memory: () => undefined },
  ...{ most: 4, mostOfKey: 2, idleMs: 20_000, mostResidentMb: 1_024 },
});

/** Throws `invalid_input` with what the function threw; `timeout`, `too_large` or `cancelled` when it was ended. */
export async function runFunction<Data, Result>(task: ProcessFunction<Data, Result>): Promise<Result> {
  const { libraries, work, data, timeoutMs, maxHeapMb, signal } = task;
  const addresses = Object.entries(libraries).map(([name, path]) => [name, pathToFileURL(require.resolve(path)).href]);
  const message = { addresses, work: work.toString(), data };
  const stop = signal === undefined ? {} : { signal };
  const answer = await pool.use({ key: Object.keys(libraries).join(), heapMb: maxHeapMb, ...stop }, (process) =>
    process.ask<Answer<Result>>(message, { timeoutMs, ...stop }),
  );
  if ('value' in answer) return answer.value;
  throw new HelveError('invalid_input', answer.problem);
}

/**
 * Values that the calls of a function can find without getting them as arguments. In Node 20 each `AsyncLocalStorage`
 * that was ever used is kept until the process ends, and every promise is noted in each: a process that made one for
 * each connection would get slower with every new connection. So all contexts share one.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { computedOnce } from './computed-once.js';

export interface AsyncContext<Value> {
  /** Runs `work`, in which `find` returns this value, also after something was awaited. */
  run<Result>(value: Value, work: () => Result): Result;
  /** The value of the innermost `run` of this context. */
  find(): Value | undefined;
}

interface Entry {
  readonly context: object;
  readonly value: unknown;
  readonly outer: Entry | undefined;
}

const entries = computedOnce(() => new AsyncLocalStorage<Entry>());

/** Makes a context. Contexts do not see each other's values. */
export function createAsyncContext<Value>(): AsyncContext<Value> {
  const context = {};
  return {
    run: (value, work) => entries().run({ context, value, outer: without(context, entries().getStore()) }, work),
    find() {
      for (let entry = entries().getStore(); entry !== undefined; entry = entry.outer)
        if (entry.context === context) return entry.value as Value;
      return undefined;
    },
  };
}

/**
 * Only the entries of other contexts are kept: a function that runs itself again and again must not make the list
 * longer each time.
 */
function without(context: object, entry: Entry | undefined): Entry | undefined {
  if (entry === undefined) return undefined;
  if (entry.context === context) return entry.outer;
  const outer = without(context, entry.outer);
  return outer === entry.outer ? entry : { ...entry, outer };
}

/** The program's calls, timers, log lines and end: gathered during a turn, taken out as one text after it. */
import type { Beginning } from '../messages.js';
import type { Kit, Native } from './kit.js';
import type { Values } from './values.js';

export type Bridge = ReturnType<typeof makeBridge>;

/**
 * What a turn produced, in order. `take` writes it as JSON in one line, followed by the arguments of all calls (JSON
 * texts, one directly after the other). Readers must not trust it.
 */
export type GuestRecord =
  | readonly ['call', id: number, name: string, argumentsLength: number]
  | readonly ['timer', id: number, ms: number, by: string]
  | readonly ['clear', id: number]
  | readonly ['log', level: string, text: string]
  /** How the program ended: with JSON text of a value, with no value, or with an error. `unfit`: what of the value JSON cannot hold. */
  | readonly [
      'end',
      { readonly value?: string; readonly unfit?: string; readonly error?: Readonly<Record<string, string>> },
    ];

/** A hundred years, so that the time at which it ends can be written. */
const longestMs = 3_155_760_000_000;

/** `site`: the stack of the place that made the call. */
type Waiting = readonly [answer: (value: unknown) => void, fail: (error: unknown) => void, site: string];

export function makeBridge(kit: Kit, values: Values, native: Native) {
  const { quote } = kit;
  let limits = {} as Beginning['limits'];
  const waiting = kit.create(null) as Record<number, Waiting>;
  const timers = kit.create(null) as Record<number, () => void>;
  /** The records of the timers that began in this turn: a timer that is cleared in the same turn leaves none. */
  let begun = kit.create(null) as Record<number, string>;
  let calls = 0;
  let inFlight = 0;
  let timersMade = 0;
  let timersPending = 0;
  let logged = 0;
  let ended = false;
  /** What `take` writes: JSON of each `GuestRecord`, and the arguments. */
  let records = '';
  let texts = '';
  const joined = (before: string, item: string): string => (before === '' ? item : before + ',' + item);
  const put = (record: string): void => {
    records = joined(records, record);
  };

  /** The engine stops the guest at the next opportunity; the error is for what runs until then. */
  const exceed = (limit: string): never => {
    native.halt(limit);
    throw new kit.Error('The limit ' + limit + ' was exceeded.');
  };

  /** `quotedName`: as JSON text. */
  const call = (quotedName: string, given: unknown): Promise<unknown> =>
    new kit.Promise((answer, fail) => {
      const site = new kit.Error().stack ?? '';
      const text = values.toJson(given) ?? '{}';
      if (text.length > limits.argumentBytes) exceed('argumentBytes');
      if (calls >= limits.calls) exceed('calls');
      if (inFlight >= limits.callsInFlight) exceed('callsInFlight');
      const id = calls++;
      inFlight += 1;
      waiting[id] = [answer, fail, site];
      put('["call",' + id + ',' + quotedName + ',' + text.length + ']');
      texts += text;
    });

  const startTimer = (by: string, work: () => void, ms: unknown): number => {
    if (timersPending >= limits.timers) exceed('timers');
    const wanted = kit.Number(ms);
    const id = ++timersMade;
    timersPending += 1;
    timers[id] = work;
    const bounded = wanted > 0 ? (wanted < longestMs ? wanted : longestMs) : 0;
    begun[id] = '["timer",' + id + ',' + bounded + ',' + quote(by) + ']';
    return id;
  };
  const clearTimer = (given: unknown): void => {
    const id = kit.Number(given);
    if (timers[id] === undefined) return;
    delete timers[id];
    timersPending -= 1;
    if (begun[id] === undefined) put('["clear",' + id + ']');
    else delete begun[id];
  };

  const log = (level: string, text: string): void => {
    if (ended) return;
    // Each line counts, even an empty one.
    logged += text.length + 1;
    if (logged > limits.logBytes) exceed('logBytes');
    put('["log",' + quote(level) + ',' + quote(text) + ']');
  };

  const textOf = (read: () => unknown): string | undefined => {
    try {
      const value = read();
      return value === undefined ? undefined : kit.part(kit.String(value), 0, 8_192);
    } catch {
      return undefined;
    }
  };
  /** Read by index, because a program can replace the iterator of arrays. */
  const told = ['name', 'message', 'code', 'hint', 'stack'];
  const describe = (error: unknown): string => {
    if (typeof error !== 'object' || error === null)
      return '{"name":"Error","message":' + quote('The program threw ' + values.show(error)) + '}';
    let text = '';
    const fields = error as Record<string, unknown>;
    for (let at = 0; at < told.length; at++) {
      const field = told[at] as string;
      const value = textOf(() => fields[field]);
      if (value !== undefined) text = joined(text, '"' + field + '":' + quote(value));
    }
    return '{' + text + '}';
  };
  const failWith = (error: unknown): void => {
    if (ended) return;
    const text = describe(error);
    ended = true;
    put('["end",{"error":' + text + '}]');
  };
  const finish = (value: unknown): void => {
    if (ended) return;
    const { text, unfit } = values.toAnswer(value);
    if (text !== undefined && text.length > limits.valueBytes) exceed('valueBytes');
    ended = true;
    const told = text === undefined ? '' : '"value":' + quote(text);
    put('["end",{' + (unfit === '' ? told : joined(told, '"unfit":' + quote(unfit))) + '}]');
  };

  const settle = (id: number): Waiting | undefined => {
    const waiter = waiting[id];
    if (waiter === undefined) return undefined;
    delete waiting[id];
    inFlight -= 1;
    return waiter;
  };

  const hostFields = ['name', 'code', 'hint', 'retryable', 'details'];
  /** An error of the host, as plain fields, becomes an Error of the guest. Without `site` it would have no place in the program. */
  const toError = (text: string, site: string): Error => {
    const fields = kit.parse(text) as Record<string, unknown>;
    const error = new kit.Error(fields.message as string);
    kit.define(error, 'stack', site);
    for (let at = 0; at < hostFields.length; at++) {
      const field = hostFields[at] as string;
      if (kit.hasOwn(fields, field)) kit.define(error, field, fields[field]);
    }
    return error;
  };

  return {
    call,
    startTimer,
    clearTimer,
    log,
    setLimits(given: Beginning['limits']): void {
      limits = given;
    },
    run(program: () => Promise<unknown>): void {
      kit.apply(kit.then, program(), [finish, failWith]);
    },
    answer(id: number, text: string): void {
      const waiter = settle(id);
      if (waiter !== undefined) waiter[0](kit.parse(text));
    },
    fail(id: number, text: string): void {
      const waiter = settle(id);
      if (waiter !== undefined) waiter[1](toError(text, waiter[2]));
    },
    ring(id: number): void {
      const work = timers[id];
      if (work === undefined) return;
      delete timers[id];
      timersPending -= 1;
      try {
        work();
      } catch (error) {
        failWith(error);
      }
    },
    take(): string {
      for (const id in begun) put(begun[id] as string);
      begun = kit.create(null) as Record<number, string>;
      const taken = '[' + records + ']\n' + texts;
      records = '';
      texts = '';
      return taken;
    },
  };
}

/**
 * The files of this folder are modules of the guest: the engine loads their compiled text before the program (`engine/module-names.ts`).
 * They import nothing from outside the folder but types. After the program has begun, they use only what they captured before,
 * since the program can change everything else. What protects the host is not this code but the engine around it.
 */

/**
 * The functions that the host offers to the code in the guest; the program never sees them. They take and return text.
 */
export interface Native {
  /** Ends the run because of a limit; nothing of the guest runs any more. */
  halt(limit: string): void;
  /** The parts of an address as JSON; empty if it is invalid. `change`: a part to set first. */
  parseUrl(address: string, base: string, change: string): string;
  /** `[[name, value], …]` as JSON, from the text of a query, and back. */
  parseQuery(query: string): string;
  formatQuery(pairs: string): string;
  /** The known name that is closest to a mistyped one; empty: none is close. */
  nearest(name: string, known: string): string;
}

export type Kit = ReturnType<typeof makeKit>;

export function makeKit() {
  const { apply, defineProperty, getPrototypeOf, ownKeys, getOwnPropertyDescriptor } = Reflect;
  const { parse, stringify } = JSON;
  const { freeze, setPrototypeOf, create } = Object;
  const { then } = Promise.prototype;
  const { includes, slice } = String.prototype;
  const { isArray } = Array;
  const define = (target: object, key: PropertyKey, value: unknown): void => {
    // Without a prototype, so that no accessor is inherited.
    const plain = create(null) as PropertyDescriptor;
    plain.value = value;
    plain.writable = true;
    plain.configurable = true;
    defineProperty(target, key, plain);
  };
  const hasOwn = (target: object, key: PropertyKey): boolean => getOwnPropertyDescriptor(target, key) !== undefined;
  const quote = (text: string): string => stringify(text);
  const withoutProto = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value);
  return {
    apply,
    create,
    define,
    freeze,
    getOwnPropertyDescriptor,
    getPrototypeOf,
    hasOwn,
    isArray,
    ownKeys,
    quote,
    setPrototypeOf,
    stringify,
    then,
    String,
    Number,
    Promise,
    Proxy,
    Error,
    TypeError,
    Map,
    Set,
    Date,
    WeakMap,
    parse: (text: string): unknown =>
      apply(includes, text, ['__proto__']) || apply(includes, text, ['\\u']) ? parse(text, withoutProto) : parse(text),
    part: (text: string, start: number, end?: number): string => apply(slice, text, [start, end]) as string,
  };
}

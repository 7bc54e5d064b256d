/** Values of the program as text: JSON for tools and for the answer, readable text for the log. */
import type { Kit } from './kit.js';

export type Values = ReturnType<typeof makeValues>;

export function makeValues(kit: Kit) {
  const { apply, getOwnPropertyDescriptor, getPrototypeOf, isArray, ownKeys, quote, stringify } = kit;
  const { Map: KnownMap, Set: KnownSet, WeakMap: KnownWeakMap, Promise: KnownPromise, Date: KnownDate } = kit;
  const { forEach: forEachOfMap } = Map.prototype;
  const { forEach: forEachOfSet } = Set.prototype;
  const { toISOString } = Date.prototype;
  const { get: getOfWeakMap, set: setOfWeakMap } = WeakMap.prototype;

  const plain = Object.prototype;

  const tell = (what: string, key: string): string =>
    what + (key === '' ? '' : ' (at ' + quote(kit.part(key, 0, 100)) + ')') + ' cannot be written as JSON';
  const refuse = (what: string, key: string): never => {
    throw new kit.TypeError(tell(what, key) + '.');
  };
  /** What is done with a value that JSON cannot hold: an error, or what it returns is written instead. */
  let unfit: (what: string, key: string, value: unknown) => unknown = refuse;
  const nameOf = (value: object): string => {
    if (value instanceof KnownMap) return 'A Map; use Object.fromEntries(map): it';
    if (value instanceof KnownSet) return 'A Set; use [...set]: it';
    if (value instanceof KnownWeakMap) return 'A WeakMap';
    if (value instanceof KnownPromise) return 'A Promise; await it first: it';
    return '';
  };
  const told = ['name', 'message', 'code', 'hint', 'retryable', 'details', 'errors'];
  /**
   * The errors of the value that is being written: without them, one that contains itself would be told without an end. Made for
   * the first of them, because most values have none and a program may make thousands of calls.
   */
  let known: WeakMap<object, object> | undefined;
  /** By itself, an error is an empty object in JSON, and what went wrong would be lost. */
  const tellError = (error: object): object => {
    known ??= new KnownWeakMap<object, object>();
    const before = apply(getOfWeakMap, known, [error]) as object | undefined;
    if (before !== undefined) return before;
    const fields = kit.create(null) as Record<string, unknown>;
    apply(setOfWeakMap, known, [error, fields]);
    const own = ownKeys(error);
    for (let at = 0; at < own.length; at++) {
      const key = own[at] as string;
      if (getOwnPropertyDescriptor(error, key)?.enumerable) fields[key] = (error as typeof fields)[key];
    }
    for (let at = 0; at < told.length; at++) {
      const key = told[at] as string;
      const value = (error as typeof fields)[key];
      // A method of its class is not what went wrong.
      if (typeof value !== 'function') fields[key] = value;
    }
    return fields;
  };
  const check = (key: string, value: unknown): unknown => {
    if (key === '__proto__') return undefined;
    const type = typeof value;
    if (type === 'string') return value;
    if (typeof value === 'object' && value !== null) {
      if (getPrototypeOf(value) === plain) return value;
      if (value instanceof kit.Error) return tellError(value);
      const name = nameOf(value);
      if (name !== '') return unfit(name, key, value);
    } else if (type === 'number' && (value as number) - (value as number) !== 0)
      return unfit(kit.String(value), key, value);
    else if (type === 'bigint') return unfit('The bigint ' + kit.String(value) + 'n', key, value);
    else if (type === 'function') return unfit('A function', key, value);
    else if (type === 'symbol') return unfit('A symbol', key, value);
    return value;
  };
  /** Undefined for undefined. Throws what `whenUnfit` and the program's own getters throw. */
  const write = (value: unknown, whenUnfit: typeof unfit): string | undefined => {
    // A getter of the value may make a call itself.
    const outer = known;
    const outerUnfit = unfit;
    known = undefined;
    unfit = whenUnfit;
    try {
      return stringify(value, check);
    } catch (error) {
      if (error instanceof kit.TypeError && kit.String((error as Error).message) === 'circular reference')
        throw new kit.TypeError('A value that contains itself cannot be written as JSON.');
      throw error;
    } finally {
      known = outer;
      unfit = outerUnfit;
    }
  };
  /** Throws a TypeError for what JSON cannot hold. */
  const toJson = (value: unknown): string | undefined => write(value, refuse);

  /** An object; a list of the entries if a key is no name, or two are the same name. */
  const ofMap = (map: object): object => {
    const fields = kit.create(null) as Record<string, unknown>;
    const entries: unknown[] = [];
    let isObject = true;
    apply(forEachOfMap, map, [
      (item: unknown, key: unknown) => {
        const isName = typeof key === 'string' || typeof key === 'number';
        isObject = isObject && isName && !kit.hasOwn(fields, key as string);
        if (isObject) fields[key as string] = item;
        kit.define(entries, entries.length, [key, item]);
      },
    ]);
    return isObject ? fields : entries;
  };
  const ofSet = (set: object): unknown[] => {
    const items: unknown[] = [];
    apply(forEachOfSet, set, [(item: unknown) => kit.define(items, items.length, item)]);
    return items;
  };
  const insteadOf = (value: unknown): unknown => {
    if (typeof value === 'number') return null;
    if (typeof value === 'bigint') return kit.String(value);
    if (value instanceof KnownMap) return ofMap(value);
    return value instanceof KnownSet ? ofSet(value) : undefined;
  };
  const nameInstead = (instead: unknown): string => {
    if (typeof instead === 'object' && instead !== null) return isArray(instead) ? 'a list' : 'an object';
    if (typeof instead === 'string') return 'its text';
    return instead === null ? 'null' : 'nothing';
  };
  const maxTold = 5;
  /**
   * What the program returned, as JSON, and what of it JSON cannot hold. It never throws: the program has made its effects, and an error
   * would invite somebody to run it again.
   */
  const toAnswer = (value: unknown): { readonly text: string | undefined; readonly unfit: string } => {
    let words = '';
    let count = 0;
    const replace: typeof unfit = (what, key, one) => {
      const instead = insteadOf(one);
      count += 1;
      if (count <= maxTold)
        words +=
          (words === '' ? '' : ' ') + tell(what, key) + ': the answer has ' + nameInstead(instead) + ' in its place.';
      return instead;
    };
    try {
      const text = write(value, replace);
      const more = count - maxTold;
      return { text, unfit: more > 0 ? words + ' The same is true of ' + kit.String(more) + ' more values.' : words };
    } catch (error) {
      const problem = error instanceof kit.Error ? kit.part(kit.String(error.message), 0, maxChars) : show(error, 0);
      return { text: quote(show(value, 0)), unfit: 'The answer only describes the value: ' + problem };
    }
  };

  const maxItems = 100;
  const maxChars = 16_384;
  const list = (open: string, close: string, each: (add: (text: string) => void) => void): string => {
    let text = '';
    let count = 0;
    each((item) => {
      count += 1;
      if (count > maxItems || text.length > maxChars) return;
      text += (text === '' ? '' : ', ') + item;
    });
    const more = count > maxItems ? ', … ' + (count - maxItems) + ' more' : '';
    return text === '' ? open + close : open + ' ' + text + more + ' ' + close;
  };
  const showMembers = (value: object, depth: number): string => {
    const isList = isArray(value);
    return list(isList ? '[' : '{', isList ? ']' : '}', (add) => {
      const keys = ownKeys(value);
      for (let at = 0; at < keys.length; at++) {
        const key = keys[at] as PropertyKey;
        if (isList && key === 'length') continue;
        const member = getOwnPropertyDescriptor(value, key);
        if (!member?.enumerable) continue;
        const shown = 'value' in member ? show(member.value, depth + 1) : '[getter]';
        add(isList ? shown : kit.String(key) + ': ' + shown);
      }
    });
  };
  const showObject = (value: object, depth: number): string => {
    if (value instanceof kit.Error) return kit.String(value.name) + ': ' + kit.String(value.message);
    if (value instanceof KnownDate) return apply(toISOString, value, []) as string;
    if (depth > 4) return isArray(value) ? '[…]' : '{…}';
    if (value instanceof KnownMap)
      return (
        'Map ' +
        list('{', '}', (add) =>
          apply(forEachOfMap, value, [
            (item: unknown, key: unknown) => add(show(key, depth + 1) + ' => ' + show(item, depth + 1)),
          ]),
        )
      );
    if (value instanceof KnownSet)
      return (
        'Set ' + list('{', '}', (add) => apply(forEachOfSet, value, [(item: unknown) => add(show(item, depth + 1))]))
      );
    if (value instanceof KnownPromise) return 'Promise';
    const made = getPrototypeOf(value);
    const name = made === null ? undefined : getOwnPropertyDescriptor(made, 'constructor')?.value?.name;
    const plain = name === 'Object' || name === 'Array' || typeof name !== 'string';
    return (plain ? '' : name + ' ') + showMembers(value, depth);
  };
  const show = (value: unknown, depth: number): string => {
    if (typeof value === 'string') return depth === 0 ? value : quote(kit.part(value, 0, maxChars));
    if (typeof value === 'bigint') return kit.String(value) + 'n';
    if (typeof value === 'function') return '[function]';
    if (typeof value !== 'object' || value === null) return kit.String(value);
    try {
      return showObject(value, depth);
    } catch {
      return '[cannot be shown]';
    }
  };
  return { toJson, toAnswer, show: (value: unknown): string => show(value, 0) };
}

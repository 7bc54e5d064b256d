/** The global variables of the guest besides those of ECMAScript. */
import type { Bridge } from './bridge.js';
import type { Kit, Native } from './kit.js';
import type { Values } from './values.js';

export interface Parts {
  readonly kit: Kit;
  readonly values: Values;
  readonly bridge: Bridge;
  readonly native: Native;
}

export function defineGlobals({ kit, values, bridge }: Parts): void {
  const levels = ['log', 'info', 'warn', 'error', 'debug'] as const;
  const console = {};
  for (const level of levels)
    kit.define(console, level, (...items: unknown[]): void => {
      let text = '';
      for (let at = 0; at < items.length; at++) text += (at === 0 ? '' : ' ') + values.show(items[at]);
      bridge.log(level, text);
    });
  const define = (name: string, value: unknown): void => kit.define(globalThis, name, value);
  define('console', console);
  define('setTimeout', (work: unknown, ms: unknown, ...given: unknown[]): number => {
    if (typeof work !== 'function') throw new kit.TypeError('The first argument of setTimeout must be a function.');
    return bridge.startTimer('setTimeout', () => kit.apply(work, undefined, given), ms);
  });
  define('clearTimeout', (id: unknown): void => bridge.clearTimer(id));
  define('sleep', (ms: unknown): Promise<void> => new kit.Promise((done) => void bridge.startTimer('sleep', done, ms)));
}

/** Removes what a program must not have, or what would make two runs of it differ. */
export function removeGlobals(): void {
  const unwanted = ['SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry', 'performance', 'navigator'];
  for (const name of unwanted) Reflect.deleteProperty(globalThis, name);
}

/** The engine has no languages and time zones, and would silently ignore a request for one. */
export function refuseLocales(kit: Kit): void {
  /** `most`: how many arguments the engine uses. */
  const refuse = (owner: object, names: readonly string[], most: number): void => {
    for (const name of names) {
      const known = (owner as Record<string, (...given: unknown[]) => unknown>)[name] as () => unknown;
      const named = {
        [name](this: unknown, ...given: unknown[]): unknown {
          for (let at = most; at < given.length; at++)
            if (given[at] !== undefined)
              throw new kit.TypeError(
                name + ' does not support languages, formats and time zones here: leave that argument out.',
              );
          return kit.apply(known, this, given);
        },
      };
      kit.define(owner, name, named[name]);
    }
  };
  for (const { prototype } of [Number, BigInt, Array]) refuse(prototype, ['toLocaleString'], 0);
  refuse(Date.prototype, ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'], 0);
  refuse(String.prototype, ['toLocaleUpperCase', 'toLocaleLowerCase'], 0);
  refuse(String.prototype, ['localeCompare'], 1);
}

/** sfc32, so that a seed decides every number. */
export function defineRandom(kit: Kit, seed: number): void {
  let a = seed | 0;
  let b = (seed / 4_294_967_296) | 0;
  let c = 0x9e3779b9 | 0;
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let warm = 0; warm < 12; warm++) next();
  kit.define(Math, 'random', (): number => ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / 9_007_199_254_740_992);
}

export function defineNamespaces({ kit, bridge, native }: Parts, text: string): void {
  const { freeze, create, Proxy: KnownProxy } = kit;
  /** Members that the language itself looks up: awaiting, printing or converting a namespace must not fail. */
  const quiet = create(null) as Record<string, true>;
  for (const name of ['then', 'toJSON', 'constructor', 'toString', 'valueOf', 'inspect']) quiet[name] = true;
  /** `target` has no prototype, and no member that is undefined. */
  const guard = (target: Readonly<Record<string, object>>, describe: (name: string) => string): object => {
    const get = (_target: object, name: string | symbol): unknown => {
      if (name === 'then' || typeof name !== 'string') return undefined;
      const own = target[name];
      if (own !== undefined) return own;
      if (quiet[name]) return undefined;
      throw new kit.TypeError(describe(name));
    };
    const traps = create(null) as ProxyHandler<object>;
    traps.get = get;
    return new KnownProxy(freeze(target), freeze(traps));
  };
  const describeUnknown = (what: string, known: string): ((name: string) => string) => {
    return (name) => {
      const near = name.length > 100 ? '' : native.nearest(name, known);
      return (
        what +
        ' ' +
        kit.quote(kit.part(name, 0, 100)) +
        '.' +
        (near === '' ? '' : ' Did you mean ' + kit.quote(near) + '?')
      );
    };
  };
  const namesOf = (target: object): string => kit.stringify(kit.ownKeys(target));
  const given = kit.parse(text) as Record<string, Record<string, string>>;
  const env = create(null) as Record<string, object>;
  for (const slug of Object.keys(given)) {
    const tools = given[slug] as Record<string, string>;
    const target = create(null) as Record<string, object>;
    for (const name of Object.keys(tools)) {
      const tool = kit.quote(tools[name] as string);
      target[name] = freeze((argument: unknown): Promise<unknown> => bridge.call(tool, argument));
    }
    const guarded = guard(target, describeUnknown(slug + ' has no tool', namesOf(target)));
    env[slug] = guarded;
    if (!kit.hasOwn(globalThis, slug)) kit.define(globalThis, slug, guarded);
  }
  const describe = describeUnknown('There is no namespace', namesOf(env));
  const maxNameLength = 200;
  const callByName = (name: unknown, argument: unknown): Promise<unknown> => {
    if (typeof name !== 'string') throw new kit.TypeError('env.call(name, arguments): the name must be a string.');
    if (name.length > maxNameLength) throw new kit.TypeError('No tool has a name of more than 200 characters.');
    return bridge.call(kit.quote(name), argument);
  };
  kit.define(env, 'call', freeze(callByName));
  kit.define(globalThis, 'env', guard(env, describe));
}

export function defineConstants(kit: Kit, text: string): void {
  const freezeAll = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    for (const member of Object.values(value)) freezeAll(member);
    return kit.freeze(value);
  };
  const given = kit.parse(text) as Record<string, unknown>;
  for (const name of Object.keys(given)) kit.define(globalThis, name, freezeAll(given[name]));
}

/** `URL` and `URLSearchParams`, which the host parses: text in, text out. */
import type { Parts } from './globals.js';

export function defineUrls({ kit, native }: Parts): void {
  type Pair = [name: string, value: string];
  const text = (value: unknown): string => kit.String(value);
  const iterator = Symbol.iterator;
  const { sort } = Array.prototype;
  const setQuery = Symbol('setQuery');

  class KnownSearchParams {
    #pairs: Pair[] = [];
    #changed: (query: string) => void = () => {};
    constructor(given: unknown = '', changed?: (query: string) => void) {
      if (changed) this.#changed = changed;
      if (typeof given !== 'object' || given === null) this[setQuery](text(given));
      else if (iterator in given)
        for (const pair of given as Iterable<unknown[]>) this.#add(text(pair[0]), text(pair[1]));
      else for (const name of Object.keys(given)) this.#add(name, text((given as Record<string, unknown>)[name]));
    }
    [setQuery](query: string): void {
      this.#pairs = kit.parse(native.parseQuery(query)) as Pair[];
    }
    #add(name: string, value: string): void {
      this.#pairs[this.#pairs.length] = [name, value];
    }
    #keep(wanted: (pair: Pair) => boolean): void {
      const kept: Pair[] = [];
      for (const pair of this.#pairs) if (wanted(pair)) kept[kept.length] = pair;
      this.#pairs = kept;
    }
    get size(): number {
      return this.#pairs.length;
    }
    append(name: unknown, value: unknown): void {
      this.#add(text(name), text(value));
      this.#changed(this.toString());
    }
    delete(name: unknown, value?: unknown): void {
      const [wantedName, wantedValue] = [text(name), value === undefined ? undefined : text(value)];
      this.#keep((pair) => pair[0] !== wantedName || (wantedValue !== undefined && pair[1] !== wantedValue));
      this.#changed(this.toString());
    }
    get(name: unknown): string | null {
      const wanted = text(name);
      for (const pair of this.#pairs) if (pair[0] === wanted) return pair[1];
      return null;
    }
    getAll(name: unknown): string[] {
      const wanted = text(name);
      const found: string[] = [];
      for (const pair of this.#pairs) if (pair[0] === wanted) found[found.length] = pair[1];
      return found;
    }
    has(name: unknown, value?: unknown): boolean {
      const wanted = text(name);
      for (const pair of this.#pairs)
        if (pair[0] === wanted && (value === undefined || pair[1] === text(value))) return true;
      return false;
    }
    set(name: unknown, value: unknown): void {
      const [wanted, given] = [text(name), text(value)];
      let done = false;
      this.#keep((pair) => {
        if (pair[0] !== wanted) return true;
        if (done) return false;
        pair[1] = given;
        done = true;
        return true;
      });
      if (!done) this.#add(wanted, given);
      this.#changed(this.toString());
    }
    sort(): void {
      kit.apply(sort, this.#pairs, [(a: Pair, b: Pair) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)]);
      this.#changed(this.toString());
    }
    forEach(work: (value: string, name: string, all: unknown) => void): void {
      for (const pair of this.#pairs) work(pair[1], pair[0], this);
    }
    *entries(): Generator<Pair> {
      for (const pair of this.#pairs) yield [pair[0], pair[1]];
    }
    *keys(): Generator<string> {
      for (const pair of this.#pairs) yield pair[0];
    }
    *values(): Generator<string> {
      for (const pair of this.#pairs) yield pair[1];
    }
    [iterator](): Generator<Pair> {
      return this.entries();
    }
    toString(): string {
      return native.formatQuery(kit.stringify(this.#pairs));
    }
  }

  type Fields = Record<string, string>;
  class KnownUrl {
    #fields: Fields;
    #params: KnownSearchParams;
    constructor(address: unknown, base?: unknown) {
      const fields = KnownUrl.#parse(address, base);
      if (fields === undefined) throw new kit.TypeError('Invalid URL: ' + kit.part(text(address), 0, 200));
      this.#fields = fields;
      this.#params = new KnownSearchParams(fields.search, (query) => this.#change('search', query));
    }
    static #parse(address: unknown, base: unknown): Fields | undefined {
      const found = native.parseUrl(text(address), base === undefined ? '' : text(base), '');
      return found === '' ? undefined : (kit.parse(found) as Fields);
    }
    static isAddress(address: unknown, base?: unknown): boolean {
      return KnownUrl.#parse(address, base) !== undefined;
    }
    #change(field: string, value: string): void {
      const found = native.parseUrl(this.#fields.href as string, '', kit.stringify([field, value]));
      if (found !== '') this.#fields = kit.parse(found) as Fields;
    }
    static read(url: KnownUrl, field: string): string {
      return url.#fields[field] as string;
    }
    static write(url: KnownUrl, field: string, value: unknown): void {
      if (field === 'href') {
        const fields = KnownUrl.#parse(value, undefined);
        if (fields === undefined) throw new kit.TypeError('Invalid URL: ' + kit.part(text(value), 0, 200));
        url.#fields = fields;
      } else url.#change(field, text(value));
      if (field === 'href' || field === 'search') url.#params[setQuery](url.#fields.search as string);
    }
    get searchParams(): KnownSearchParams {
      return this.#params;
    }
    get origin(): string {
      return this.#fields.origin as string;
    }
    toString(): string {
      return this.#fields.href as string;
    }
    toJSON(): string {
      return this.#fields.href as string;
    }
  }
  const { read, write, isAddress } = KnownUrl;
  Reflect.deleteProperty(KnownUrl, 'isAddress');
  Reflect.deleteProperty(KnownUrl, 'read');
  Reflect.deleteProperty(KnownUrl, 'write');
  const parts = ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];
  for (const part of parts)
    Object.defineProperty(KnownUrl.prototype, part, {
      configurable: true,
      get(this: KnownUrl) {
        return read(this, part);
      },
      set(this: KnownUrl, value: unknown) {
        write(this, part, value);
      },
    });
  Object.defineProperty(KnownUrl, 'name', { value: 'URL' });
  Object.defineProperty(KnownSearchParams, 'name', { value: 'URLSearchParams' });
  kit.define(KnownUrl, 'canParse', isAddress);
  kit.define(KnownUrl, 'parse', (address: unknown, base?: unknown) =>
    isAddress(address, base) ? new KnownUrl(address, base) : null,
  );
  kit.define(globalThis, 'URL', KnownUrl);
  kit.define(globalThis, 'URLSearchParams', KnownSearchParams);
}

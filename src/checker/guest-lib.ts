/** What a program has besides ECMAScript and its tools. The sandbox offers exactly this. */

export const guestLib = `
interface Console { log(...values: unknown[]): void; info(...values: unknown[]): void; warn(...values: unknown[]): void; error(...values: unknown[]): void; debug(...values: unknown[]): void }
declare const console: Console;
interface URLSearchParams {
  readonly size: number;
  append(name: string, value: string): void; delete(name: string, value?: string): void; get(name: string): string | null; getAll(name: string): string[];
  has(name: string, value?: string): boolean; set(name: string, value: string): void; sort(): void; toString(): string;
  forEach(each: (value: string, key: string, parent: URLSearchParams) => void): void;
  entries(): IterableIterator<[string, string]>; keys(): IterableIterator<string>; values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
declare const URLSearchParams: { prototype: URLSearchParams; new (init?: string | URLSearchParams | Iterable<readonly [string, string]> | Readonly<Record<string, string>>): URLSearchParams };
interface URL {
  hash: string; host: string; hostname: string; href: string; readonly origin: string; password: string; pathname: string; port: string; protocol: string;
  search: string; readonly searchParams: URLSearchParams; username: string; toString(): string; toJSON(): string;
}
declare const URL: { prototype: URL; new (url: string | URL, base?: string | URL): URL; canParse(url: string | URL, base?: string | URL): boolean };
interface TextEncoder { readonly encoding: string; encode(text?: string): Uint8Array }
declare const TextEncoder: { prototype: TextEncoder; new (): TextEncoder };
interface TextDecoder { readonly encoding: string; readonly fatal: boolean; readonly ignoreBOM: boolean; decode(bytes?: ArrayBuffer | ArrayBufferView): string }
declare const TextDecoder: { prototype: TextDecoder; new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder };
declare function structuredClone<T>(value: T): T;
declare function atob(data: string): string;
declare function btoa(data: string): string;
declare function setTimeout(callback: (...args: any[]) => void, ms?: number, ...args: unknown[]): number;
declare function clearTimeout(id: number | undefined): void;
/** Waits; a sleeping program holds no resources. */
declare function sleep(ms: number): Promise<void>;
`;

export const guestNames = [
  'console',
  'URL',
  'URLSearchParams',
  'TextEncoder',
  'TextDecoder',
  'structuredClone',
  'atob',
  'btoa',
  'setTimeout',
  'clearTimeout',
  'sleep',
  'env',
  'Array',
  'Boolean',
  'Date',
  'Error',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Promise',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'parseFloat',
  'parseInt',
  'undefined',
] as const;

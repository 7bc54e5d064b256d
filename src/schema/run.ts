/** One validation: what it has found so far, and how many steps it may still take. */
import type { JsonSchema } from '../domain/json.js';

export interface SchemaIssue {
  /** JSON Pointer to the offending value; empty for the whole. */
  readonly path: string;
  readonly message: string;
  readonly keyword?: string;
}

export type Verdict =
  | { readonly ok: true; readonly value: unknown }
  /** At least one, at most ten; computed when first read. */
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** From a value up to the root: created only while issues are collected. */
export interface Path {
  readonly up: Path | undefined;
  readonly key: string | number;
}

/** Which parts of an object or an array were evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Seen {
  allProperties: boolean;
  readonly properties: Set<string>;
  allItems: boolean;
  /** The number of evaluated items from the start. */
  items: number;
  readonly someItems: Set<number>;
}

export interface Run {
  /** Undefined: stop at the first failure. */
  issues: SchemaIssue[] | undefined;
  /** Steps left, of about 5 ns each: a validation must not block the process. */
  left: number;
  depth: number;
}

export type Check = (value: unknown, run: Run, path: Path | undefined, seen: Seen | undefined) => boolean;

export const steps = 1_500_000;
/** Steps to enter a schema. */
const entry = 100;
const maxIssues = 10;
const maxDepth = 1_200;

/** Thrown when the value cannot be judged within bounds; `validate` catches it. Shared, because it needs no stack. */
export class Unjudged {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}
const tooMuch = new Unjudged('takes too long to compare with the schema: send fewer values');
export const tooDeep = new Unjudged('is nested too deeply to be compared with the schema: send a flatter value');

export const createRun = (left: number, issues?: SchemaIssue[]): Run => ({ issues, left, depth: 0 });

export function spend(run: Run, amount: number): void {
  run.left -= amount;
  if (run.left < 0) throw tooMuch;
}

export function enter(run: Run): void {
  run.left -= entry;
  run.depth += 1;
  if (run.left < 0) throw tooMuch;
  if (run.depth > maxDepth) throw tooDeep;
}

/** Adds an issue, if issues are collected; always returns false. */
export function fail(run: Run, path: Path | undefined, keyword: string, message: string): false {
  const { issues } = run;
  if (issues && issues.length < maxIssues) issues.push({ path: getPointer(path), message, keyword });
  return false;
}

/** Returns the verdict alone, even while issues are collected. */
export function quietly(check: Check, value: unknown, run: Run, seen: Seen | undefined): boolean {
  const { issues } = run;
  run.issues = undefined;
  const verdict = check(value, run, undefined, seen);
  run.issues = issues;
  return verdict;
}

export const below = (run: Run, up: Path | undefined, key: string | number): Path | undefined =>
  run.issues ? { up, key } : undefined;

export const isFull = (run: Run): boolean => run.issues === undefined || run.issues.length >= maxIssues;

function getPointer(path: Path | undefined): string {
  let text = '';
  for (let at = path; at; at = at.up) text = `/${escapeToken(String(at.key))}${text}`;
  return text;
}

export const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');

export const createSeen = (): Seen => ({
  allProperties: false,
  properties: new Set(),
  allItems: false,
  items: 0,
  someItems: new Set(),
});

export function mergeSeen(into: Seen, from: Seen): void {
  into.allProperties ||= from.allProperties;
  into.allItems ||= from.allItems;
  into.items = Math.max(into.items, from.items);
  for (const name of from.properties) into.properties.add(name);
  for (const index of from.someItems) into.someItems.add(index);
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the object itself has a member, as in JSON: an undefined value is absent. */
export const has = (value: Readonly<Record<string, unknown>>, name: string): boolean =>
  value[name] !== undefined && Object.hasOwn(value, name);

/** `structuredClone` is several times slower; a name such as `__proto__` is preserved. */
export const copyJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The value of a keyword, if the schema has it. */
export const own = (schema: JsonSchema, keyword: string): unknown =>
  Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;

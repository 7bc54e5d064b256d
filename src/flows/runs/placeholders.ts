/**
 * What a plan gives a program instead of the answer to an effect that it did not make. Each value is recognised in the
 * arguments of later effects, so that the plan shows where it flows to, and the run puts the real value there.
 */
import type { JsonObject, JsonSchema, JsonValue } from '../../domain/json.js';
import { canonicalJson, isPlainObject } from '../../util/canonical.js';
import { followReference } from '../../util/follow-reference.js';

/** Whole numbers of this size appear in no answer that a program calculates with. */
const firstNumber = 7_000_000_000_000_000;
const numbersPerCall = 1_000;
const maxDepth = 5;

/** Returns a value of the tool's output type whose parts name themselves: `⟦call 3: number⟧`. `call`: its number. */
export function makePlaceholder(schema: JsonSchema | undefined, call: number): JsonValue {
  let numbers = 0;
  const make = (given: unknown, path: string, depth: number): JsonValue => {
    const part = followReference(given, schema ?? {});
    if (!isPlainObject(part) || depth > maxDepth) return name(call, path);
    const chosen = choose(part);
    if (chosen !== undefined) return chosen;
    const [variant] = (part.anyOf ?? part.oneOf ?? []) as unknown[];
    if (variant !== undefined) return make(variant, path, depth + 1);
    switch (typeOf(part)) {
      case 'object':
        return makeObject(part, path, depth);
      case 'array':
        return [make(part.items, `${path}[0]`, depth + 1)];
      case 'number':
      case 'integer':
        return firstNumber + call * numbersPerCall + numbers++;
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return name(call, path);
    }
  };
  const makeObject = (part: Record<string, unknown>, path: string, depth: number): JsonObject => {
    const properties = isPlainObject(part.properties) ? part.properties : {};
    const parts = Object.entries(properties).map(([key, one]) => [key, make(one, join(path, key), depth + 1)]);
    return Object.fromEntries(parts) as JsonObject;
  };
  return make(schema, '', 0);
}

/** A value that the schema itself gives. */
function choose(part: Record<string, unknown>): JsonValue | undefined {
  if (part.const !== undefined) return part.const as JsonValue;
  return Array.isArray(part.enum) ? (part.enum[0] as JsonValue | undefined) : undefined;
}

function typeOf({ type, properties }: Record<string, unknown>): unknown {
  if (type === undefined) return properties === undefined ? undefined : 'object';
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type;
}

const name = (call: number, path: string): string => `⟦call ${call}${path === '' ? '' : `: ${path}`}⟧`;
const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** The values of a placeholder: how each is written in arguments, and what it stands for. */
export interface Binding {
  readonly placeholder: string | number;
  readonly value: JsonValue;
}

/**
 * Pairs the parts of a placeholder with those of the real answer. A part that the answer lacks stands for nothing. Nor does a value
 * that the schema lists, since it looks like one that the program wrote.
 */
export function bindPlaceholder(placeholder: JsonValue, answer: JsonValue | undefined): Binding[] {
  if (answer === undefined) return [];
  if (typeof placeholder === 'string' || typeof placeholder === 'number')
    return hasPlaceholder(placeholder) ? [{ placeholder, value: answer }] : [];
  if (Array.isArray(placeholder))
    return Array.isArray(answer) ? placeholder.flatMap((one, at) => bindPlaceholder(one, answer[at])) : [];
  if (!isPlainObject(placeholder) || !isPlainObject(answer)) return [];
  return Object.entries(placeholder).flatMap(([key, one]) =>
    bindPlaceholder(one as JsonValue, Object.hasOwn(answer, key) ? (answer[key] as JsonValue) : undefined),
  );
}

/** Whether the arguments are those of the plan, with its placeholders replaced. */
export function fitsPlan(planned: JsonObject, real: JsonObject, bindings: readonly Binding[]): boolean {
  return canonicalJson(replace(planned, bindings)) === canonicalJson(real);
}

function replace(value: JsonValue, bindings: readonly Binding[]): JsonValue {
  if (Array.isArray(value)) return value.map((one) => replace(one, bindings));
  if (isPlainObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, replace(one as JsonValue, bindings)]),
    ) as JsonObject;
  const whole = bindings.find(({ placeholder }) => placeholder === value);
  if (whole) return whole.value;
  return typeof value === 'string' ? replaceInText(value, bindings) : value;
}

function replaceInText(text: string, bindings: readonly Binding[]): string {
  return bindings.reduce((changed, { placeholder, value }) => {
    const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return changed.replaceAll(String(placeholder), () => plain);
  }, text);
}

const anyPlaceholder = /⟦call \d+(?:: [^⟧]*)?⟧|\b7\d{15}\b/;

/** Whether the arguments hold a value that only the real run will know. */
export const hasPlaceholder = (value: unknown): boolean => anyPlaceholder.test(JSON.stringify(value));

/** The arguments as a person reads them: numbers that stand for something are named too. */
export function nameNumbers(value: JsonObject, names: ReadonlyMap<number, string>): JsonObject {
  const text = JSON.stringify(value);
  return JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|\b7\d{15}\b/g, (found) => {
      if (found.startsWith('"')) return found.replace(/7\d{15}/g, (digits) => names.get(Number(digits)) ?? digits);
      const known = names.get(Number(found));
      return known === undefined ? found : JSON.stringify(known);
    }),
  ) as JsonObject;
}

/** By number: what each numeric placeholder stands for. */
export function listNumbers(placeholder: JsonValue, call: number, path = ''): [number, string][] {
  if (typeof placeholder === 'number') return placeholder >= firstNumber ? [[placeholder, name(call, path)]] : [];
  if (Array.isArray(placeholder)) return placeholder.flatMap((one, at) => listNumbers(one, call, `${path}[${at}]`));
  if (!isPlainObject(placeholder)) return [];
  return Object.entries(placeholder).flatMap(([key, one]) => listNumbers(one as JsonValue, call, join(path, key)));
}

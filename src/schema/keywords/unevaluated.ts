/** What no other keyword of the schema has evaluated, nor any of a schema that it refers to for the same value. */
import { below, type Check, fail, isFull, isObject, own, type Path, type Run, type Seen, spend } from '../run.js';
import type { Context } from './context.js';
import { named } from './objects.js';

/** These checks run after all other keywords. */
export function unevaluatedChecks({ schema, check }: Context): Check[] {
  const properties = own(schema, 'unevaluatedProperties');
  const items = own(schema, 'unevaluatedItems');
  const checks: Check[] = [];
  if (properties !== undefined) checks.push(propertiesCheck(check(properties), properties === false));
  if (items !== undefined) checks.push(itemsCheck(check(items), items === false));
  return checks;
}

function propertiesCheck(check: Check, closed: boolean): Check {
  return (value, run, path, seen) => {
    if (!isObject(value) || !seen || seen.allProperties) return true;
    const all = Object.keys(value);
    spend(run, all.length * 50);
    const names = all.filter((name) => value[name] !== undefined && !seen.properties.has(name));
    seen.allProperties = true;
    if (names.length === 0) return true;
    if (closed) return fail(run, path, 'unevaluatedProperties', `unknown property ${named(names)}`);
    return each(names, (name) => check(value[name], run, below(run, path, name), undefined), run);
  };
}

function itemsCheck(check: Check, closed: boolean): Check {
  return (value, run, path, seen) => {
    if (!Array.isArray(value) || !seen || seen.allItems) return true;
    spend(run, value.length * 4);
    const rest = indexes(value.length, seen);
    seen.allItems = true;
    if (rest.length === 0) return true;
    if (closed) return tooMany(run, path, rest);
    return each(rest, (index) => check(value[index], run, below(run, path, index), undefined), run);
  };
}

function indexes(length: number, seen: Seen): number[] {
  const rest: number[] = [];
  for (let index = seen.items; index < length; index += 1) if (!seen.someItems.has(index)) rest.push(index);
  return rest;
}

const tooMany = (run: Run, path: Path | undefined, rest: readonly number[]): false =>
  fail(run, path, 'unevaluatedItems', `must not have unevaluated items: ${rest.slice(0, 5).join(', ')}`);

function each<Part>(parts: readonly Part[], holds: (part: Part) => boolean, run: Run): boolean {
  let valid = true;
  for (const part of parts) {
    if (holds(part)) continue;
    valid = false;
    if (isFull(run)) return false;
  }
  return valid;
}

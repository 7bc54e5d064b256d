/** Keywords that apply other schemas to the same value: references, all, any, one, not, if. */
import { isPlainObject } from '../../util/canonical.js';
import {
  type Check,
  createSeen,
  fail,
  isFull,
  isObject,
  mergeSeen,
  own,
  type Path,
  quietly,
  type Run,
  type Seen,
} from '../run.js';
import { isOfType, listTypes } from '../types.js';
import type { Context } from './context.js';

export function combinationChecks(context: Context): Check[] {
  const { dialect } = context;
  const checks = [
    referenceCheck(context, '$ref'),
    dialect.draft === '2020-12' ? referenceCheck(context, '$dynamicRef') : undefined,
    dialect.draft === '2019-09' ? referenceCheck(context, '$recursiveRef') : undefined,
    allOfCheck(context),
    anyOfCheck(context),
    oneOfCheck(context),
    notCheck(context),
    dialect.year >= 2019 || dialect.draft === 'draft-07' ? conditionCheck(context) : undefined,
  ];
  return checks.filter((check) => check !== undefined);
}

function referenceCheck(context: Context, keyword: '$ref' | '$dynamicRef' | '$recursiveRef'): Check | undefined {
  const target = own(context.schema, keyword);
  return typeof target === 'string' ? context.reference(keyword, target) : undefined;
}

function toList({ schema }: Context, keyword: string): readonly unknown[] | undefined {
  const list = own(schema, keyword);
  return Array.isArray(list) ? list : undefined;
}

function allOfCheck(context: Context): Check | undefined {
  const checks = toList(context, 'allOf')?.map((part) => context.check(part));
  if (!checks) return undefined;
  return (value, run, path, seen) => {
    let valid = true;
    for (const check of checks) {
      if (check(value, run, path, seen)) continue;
      valid = false;
      if (isFull(run)) return false;
    }
    return valid;
  };
}

/** Collects no issues; what the check evaluated counts only if it succeeds. */
function holds(check: Check, value: unknown, run: Run, seen: Seen | undefined): boolean {
  if (!seen) return quietly(check, value, run, undefined);
  const inner = createSeen();
  const verdict = quietly(check, value, run, inner);
  if (verdict) mergeSeen(seen, inner);
  return verdict;
}

function anyOfCheck(context: Context): Check | undefined {
  const parts = toList(context, 'anyOf');
  if (!parts) return undefined;
  const checks = parts.map((part) => context.check(part));
  return (value, run, path, seen) => {
    let found = false;
    for (const check of checks) {
      if (!holds(check, value, run, seen)) continue;
      found = true;
      if (!seen) break;
    }
    return found || explain(parts, checks, 'anyOf', 'must match a schema in anyOf', value, run, path);
  };
}

function oneOfCheck(context: Context): Check | undefined {
  const parts = toList(context, 'oneOf');
  if (!parts) return undefined;
  const checks = parts.map((part) => context.check(part));
  const message = 'must match exactly one schema in oneOf';
  return (value, run, path, seen) => {
    let count = 0;
    for (const check of checks) {
      if (holds(check, value, run, seen)) count += 1;
      if (count > 1) break;
    }
    if (count === 1) return true;
    if (count === 0) return explain(parts, checks, 'oneOf', message, value, run, path);
    return fail(run, path, 'oneOf', `${message}, and matches more than one`);
  };
}

/** If exactly one alternative has the value's type and matches its constants, reports the issues of that one. */
function explain(
  parts: readonly unknown[],
  checks: readonly Check[],
  keyword: string,
  message: string,
  value: unknown,
  run: Run,
  path: Path | undefined,
): false {
  if (!run.issues) return false;
  fail(run, path, keyword, message);
  const likely = checks.filter((_check, index) => isLikely(parts[index], value));
  const [only] = likely;
  if (likely.length === 1 && only && !isFull(run)) only(value, run, path, undefined);
  return false;
}

function isLikely(part: unknown, value: unknown): boolean {
  if (!isPlainObject(part)) return false;
  const types = listTypes(part);
  if (types && !types.some((type) => isOfType(type, value))) return false;
  const properties = own(part, 'properties');
  if (!isPlainObject(properties) || !isObject(value)) return true;
  return Object.entries(properties).every(([name, property]) => {
    const constant = isPlainObject(property) ? own(property, 'const') : undefined;
    return typeof constant !== 'string' || own(value, name) === constant;
  });
}

function notCheck(context: Context): Check | undefined {
  const part = own(context.schema, 'not');
  if (part === undefined) return undefined;
  const check = context.check(part);
  return (value, run, path) => !quietly(check, value, run, undefined) || fail(run, path, 'not', 'must not be valid');
}

function conditionCheck(context: Context): Check | undefined {
  const { schema } = context;
  const condition = own(schema, 'if');
  if (condition === undefined) return undefined;
  const check = context.check(condition);
  const branch = (keyword: string): Check | undefined => {
    const part = own(schema, keyword);
    return part === undefined ? undefined : context.check(part);
  };
  const [then, otherwise] = [branch('then'), branch('else')];
  return (value, run, path, seen) => {
    const follows = holds(check, value, run, seen) ? then : otherwise;
    return !follows || follows(value, run, path, seen);
  };
}

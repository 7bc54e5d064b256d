/** Keywords for objects. */
import { isPlainObject } from '../../util/canonical.js';
import { below, type Check, fail, has, isFull, isObject, own, quietly, type Run, spend } from '../run.js';
import { type Context, toNumber } from './context.js';
import { patternTest } from './values.js';

type Members = Readonly<Record<string, unknown>>;

export function objectChecks(context: Context): Check[] {
  const { dialect, schema } = context;
  const checks = [
    dialect.validation ? requiredCheck(context) : undefined,
    dialect.validation ? sizeCheck(context) : undefined,
    memberCheck(context),
    dialect.draft === 'draft-04' ? undefined : propertyNamesCheck(context),
    dependentCheck(own(schema, 'dependencies'), 'dependencies', context),
  ];
  if (dialect.year >= 2019) {
    const names = dialect.validation ? own(schema, 'dependentRequired') : undefined;
    checks.push(dependentCheck(names, 'dependentRequired', context));
    checks.push(dependentCheck(own(schema, 'dependentSchemas'), 'dependentSchemas', context));
  }
  return checks.filter((check) => check !== undefined);
}

/** The required names: those in `required`, and members with `required: true` of their own, as in draft-03. */
export function requiredNames({ schema }: Pick<Context, 'schema'>): readonly string[] {
  const names = own(schema, 'required');
  const listed = Array.isArray(names) ? (names as string[]) : [];
  const properties = own(schema, 'properties');
  if (!isPlainObject(properties)) return listed;
  const marked = Object.keys(properties).filter((name) => {
    const member = properties[name];
    return isPlainObject(member) && own(member, 'required') === true;
  });
  return marked.length === 0 ? listed : [...new Set([...listed, ...marked])];
}

function requiredCheck(context: Context): Check | undefined {
  const names = requiredNames(context);
  if (names.length === 0) return undefined;
  return (value, run, path) => {
    if (!isObject(value)) return true;
    spend(run, names.length * 4);
    if (names.every((name) => has(value, name))) return true;
    return run.issues ? fail(run, path, 'required', missingMessage(names, value)) : false;
  };
}

function missingMessage(names: readonly string[], value: Members): string {
  const missing: string[] = [];
  for (const name of names) {
    if (missing.length === 50) return `must have required properties ${missing.join(', ')} and more`;
    if (!has(value, name)) missing.push(name);
  }
  return `must have required properties ${missing.join(', ')}`;
}

/** `each`: the steps that each key will cost. */
function listKeys(value: Members, run: Run, each: number): string[] {
  const names = Object.keys(value);
  spend(run, names.length * each);
  return names.filter((name) => value[name] !== undefined);
}

function sizeCheck(context: Context): Check | undefined {
  const least = toNumber(context, 'minProperties');
  const most = toNumber(context, 'maxProperties');
  if (least === undefined && most === undefined) return undefined;
  return (value, run, path) => {
    if (!isObject(value)) return true;
    const { length } = listKeys(value, run, 20);
    if (least !== undefined && length < least)
      return fail(run, path, 'minProperties', `must not have fewer than ${least} properties`);
    if (most !== undefined && length > most)
      return fail(run, path, 'maxProperties', `must not have more than ${most} properties`);
    return true;
  };
}

interface Shape {
  /** The check of the schema with this name in `properties`, if there is one. */
  readonly declared: (name: string) => readonly Check[];
  readonly patterns: readonly { readonly matches: (text: string, run: Run) => boolean; readonly check: Check }[];
  /** The check of `additionalProperties`, if it is one. */
  readonly rest: readonly Check[];
}

function memberCheck(context: Context): Check | undefined {
  const { schema } = context;
  const properties = own(schema, 'properties');
  const patterns = own(schema, 'patternProperties');
  const rest = own(schema, 'additionalProperties');
  if (properties === undefined && patterns === undefined && rest === undefined) return undefined;
  const shape: Shape = {
    declared: declaredChecks(isPlainObject(properties) ? properties : {}, context),
    patterns: Object.entries(isPlainObject(patterns) ? patterns : {}).map(([source, part]) => ({
      matches: patternTest(source),
      check: context.check(part),
    })),
    rest: rest === undefined || typeof rest === 'boolean' ? [] : [context.check(rest)],
  };
  const isClosed = rest === false;
  const evaluatesRest = rest !== undefined;
  return (value, run, path, seen) => {
    if (!isObject(value)) return true;
    const names = listKeys(value, run, 100);
    const unknown: string[] = [];
    let valid = true;
    for (const name of names) {
      if (!valid && isFull(run)) return false;
      const at = below(run, path, name);
      const checks = getChecks(shape, name, run);
      for (const check of checks) if (!check(value[name], run, at, undefined)) valid = false;
      if (isClosed && checks.length === 0) unknown.push(name);
      if (seen && (evaluatesRest || checks.length > 0)) seen.properties.add(name);
    }
    if (unknown.length === 0) return valid;
    return run.issues ? fail(run, path, 'additionalProperties', `unknown property ${named(unknown)}`) : false;
  };
}

const none: readonly Check[] = [];

/** Each is made when a member of its name is first checked. */
function declaredChecks(properties: Members, context: Context): (name: string) => readonly Check[] {
  const known = new Map<string, readonly Check[]>();
  return (name) => {
    const found = known.get(name);
    if (found) return found;
    const part = own(properties, name);
    if (part === undefined) return none;
    const checks = [context.check(part)];
    known.set(name, checks);
    return checks;
  };
}

/** What a member must satisfy: its own schema and those of the patterns that match its name, otherwise the one of the rest. */
function getChecks(shape: Shape, name: string, run: Run): readonly Check[] {
  let checks = shape.declared(name);
  for (const { matches, check } of shape.patterns) if (matches(name, run)) checks = [...checks, check];
  return checks.length > 0 ? checks : shape.rest;
}

/** Names are given in full or not at all: redaction would not recognise a part of a secret. */
export function named(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => (name.length > 300 ? 'of over 300 characters' : JSON.stringify(name)));
  return shown.join(', ') + (names.length > shown.length ? ` and ${names.length - shown.length} more` : '');
}

function propertyNamesCheck(context: Context): Check | undefined {
  const names = own(context.schema, 'propertyNames');
  if (names === undefined) return undefined;
  const check = context.check(names);
  return (value, run, path) => {
    if (!isObject(value)) return true;
    const bad = listKeys(value, run, 20).filter((name) => !quietly(check, name, run, undefined));
    return bad.length === 0 || fail(run, path, 'propertyNames', `property names ${named(bad)} are invalid`);
  };
}

/** `dependentRequired` and `dependentSchemas`, or `dependencies`, which combined both. */
function dependentCheck(value: unknown, keyword: string, context: Context): Check | undefined {
  if (!isPlainObject(value)) return undefined;
  const rules = Object.entries(value).map(([name, rule]) => ({
    name,
    // A single name, not in a list, was allowed up to draft-03 and still occurs.
    names: Array.isArray(rule) ? (rule as string[]) : typeof rule === 'string' ? [rule] : undefined,
    check: Array.isArray(rule) || typeof rule === 'string' ? undefined : context.check(rule),
  }));
  return (members, run, path, seen) => {
    if (!isObject(members)) return true;
    spend(run, rules.length * 4);
    let valid = true;
    for (const { name, names, check } of rules) {
      if (!has(members, name)) continue;
      spend(run, (names?.length ?? 0) * 4);
      if (names && !names.every((other) => has(members, other))) {
        const message = `must have properties ${names.join(', ')} when property ${name} is present`;
        valid = fail(run, path, keyword, message);
      }
      if (check && !check(members, run, path, seen)) valid = false;
      if (!valid && isFull(run)) return false;
    }
    return valid;
  };
}

/**
 * One walk over a raw schema before anything else reads it, with its own stack: is it plain JSON, of bounded depth and
 * size, and can its keywords be honoured? Compiles nothing and stores nothing.
 */
import { isPlainObject } from '../../util/canonical.js';
import { isLaterKeyword } from '../dialect.js';
import { subschemaForms } from '../subschemas.js';
import { refusal, shown, type Trail } from './refusal.js';
import { patternProblem, shapes } from './shapes.js';

export interface Inspection {
  /** Whether there is a reference to a schema. */
  references: boolean;
  /** Whether there is a reference whose target depends on the path to it. */
  dynamic: boolean;
  values: number;
  /** How many schemas name themselves. */
  names: number;
  /** Keywords that older drafts do not know, each with its first location. */
  readonly later: Map<string, Trail>;
}

interface Walk {
  readonly stack: Frame[];
  readonly found: Inspection;
}

interface Frame extends Trail {
  readonly walk: Walk;
  readonly up: Frame | undefined;
  readonly value: object;
  readonly isSchema: boolean;
  readonly depth: number;
}

const limits = {
  /** Levels of JSON. Real schemas have under 40. */
  depth: 512,
  /**
   * Total number of values: beyond this, inspection takes too long. The largest of 15,000 real schemas has under 9,000.
   */
  values: 12_000,
  names: 500,
};

const smaller = 'Reduce the schema to what the tool needs.';
const correct = 'Correct the keyword, or leave it out.';

/** Adds to `found`; throws `invalid_input`. */
export function inspect(raw: unknown, found: Inspection): void {
  if (typeof raw === 'boolean') return;
  if (!isPlainObject(raw)) throw refusal('schema', undefined, `is ${shown(raw)}, not an object`, correct);
  const stack: Frame[] = [];
  stack.push({ walk: { stack, found }, up: undefined, key: '', value: raw, isSchema: true, depth: 0 });
  for (let frame = stack.pop(); frame; frame = stack.pop()) {
    if (frame.depth > limits.depth)
      throw refusal('schema', getTrail(frame), `is nested deeper than ${limits.depth} levels`, smaller);
    if (Array.isArray(frame.value)) listMembers(frame.value, frame, false);
    else objectMembers(frame);
  }
}

/** Omits the root, which has no name. */
function getTrail(frame: Frame | undefined): Trail | undefined {
  if (!frame?.up) return undefined;
  return {
    key: frame.key,
    get up() {
      return getTrail(frame.up);
    },
  };
}

const under = (frame: Frame, key: string | number): Trail => ({ up: getTrail(frame), key });

/** For a value below this one. */
const below = (frame: Frame, key: string | number, value: object): Frame => ({
  walk: frame.walk,
  up: frame,
  key,
  value,
  isSchema: false,
  depth: frame.depth + 1,
});

function count(amount: number, frame: Frame): void {
  const { found } = frame.walk;
  found.values += amount;
  if (found.values > limits.values)
    throw refusal('schema', getTrail(frame), `contains more than ${limits.values} values`, smaller);
}

function countName(frame: Frame): void {
  const { found } = frame.walk;
  found.names += 1;
  if (found.names > limits.names)
    throw refusal('$id', getTrail(frame), `is one of more than ${limits.names} in the schema`, smaller);
}

function objectMembers(frame: Frame): void {
  const members = frame.value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  count(names.length, frame);
  checkPlain(members, names, frame);
  for (const name of names) {
    const value = members[name];
    if (value === undefined) continue;
    if (frame.isSchema) keyword(name, value, frame);
    else if (typeof value === 'object' && value !== null) pushData(name, value, frame);
    else checkScalar(name, value, frame);
  }
}

function keyword(name: string, value: unknown, frame: Frame): void {
  const { found } = frame.walk;
  const problem = shapes.get(name)?.(value);
  if (problem !== undefined) throw refusal(name, under(frame, name), problem, correct);
  if (isLaterKeyword(name) && !found.later.has(name)) found.later.set(name, under(frame, name));
  if (subschemaForms.has(name)) {
    parts(name, value, frame);
  } else if (typeof value === 'object' && value !== null) {
    pushData(name, value, frame);
  } else {
    checkScalar(name, value, frame);
    if (name === '$ref') found.references = true;
    else if (name === '$dynamicRef' || name === '$recursiveRef') found.references = found.dynamic = true;
    else if (name === '$schema') found.references = true;
    else if (name === '$id' || name === 'id') countName(frame);
  }
}

function parts(name: string, value: unknown, frame: Frame): void {
  const form = subschemaForms.get(name);
  if (Array.isArray(value)) {
    if (form !== 'list' && form !== 'schema-or-list')
      throw refusal(name, under(frame, name), 'is a list, not a schema', correct);
    if (value.length === 0 && form === 'list' && name !== 'prefixItems')
      throw refusal(name, under(frame, name), 'is an empty list', correct);
    listMembers(value, below(frame, name, value), true);
  } else if (form === 'list') {
    throw refusal(name, under(frame, name), `is ${shown(value)}, not a list of schemas`, correct);
  } else if (form === 'map' || form === 'map-of-schema-or-names') {
    if (!isPlainObject(value)) throw refusal(name, under(frame, name), `is ${shown(value)}, not an object`, correct);
    mapMembers(name, value, below(frame, name, value));
  } else {
    pushSchema(name, value, frame);
  }
}

function mapMembers(name: string, members: Readonly<Record<string, unknown>>, frame: Frame): void {
  const keys = Object.keys(members);
  count(keys.length, frame);
  checkPlain(members, keys, frame);
  for (const key of keys) {
    const part = members[key];
    if (part === undefined) continue;
    if (name === 'patternProperties') {
      const problem = patternProblem(key);
      if (problem !== undefined) throw refusal(name, under(frame, key), problem, correct);
    }
    if (name === 'dependencies' && (typeof part === 'string' || Array.isArray(part))) {
      const problem = shapes.get('required')?.(Array.isArray(part) ? part : [part]);
      if (problem !== undefined) throw refusal(name, under(frame, key), problem, correct);
    } else {
      pushSchema(key, part, frame);
    }
  }
}

function listMembers(list: readonly unknown[], frame: Frame, areSchemas: boolean): void {
  count(list.length, frame);
  for (let index = 0; index < list.length; index += 1) {
    const value = list[index];
    if (areSchemas) pushSchema(index, value, frame);
    else if (typeof value === 'object' && value !== null) pushData(index, value, frame);
    else checkScalar(index, value, frame);
  }
}

function pushSchema(key: string | number, value: unknown, frame: Frame): void {
  if (typeof value === 'boolean') return;
  if (!isPlainObject(value)) {
    // In a list or a map of schemas, the keyword is that of the list or the map.
    const name = String(frame.isSchema ? key : frame.key);
    throw refusal(name, under(frame, key), `is ${shown(value)}, not a schema`, correct);
  }
  const { walk, depth } = frame;
  walk.stack.push({ walk, up: frame, key, value, isSchema: true, depth: depth + 1 });
}

function pushData(key: string | number, value: object, frame: Frame): void {
  frame.walk.stack.push(below(frame, key, value));
}

function checkScalar(key: string | number, value: unknown, frame: Frame): void {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  throw refusal(String(key), under(frame, key), `is ${shown(value)}, which is not JSON`, correct);
}

/** A computed property could return something else on the next read. */
function checkPlain(value: object, names: readonly string[], frame: Frame): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype && Object.getPrototypeOf(prototype) !== null)
    throw refusal('schema', getTrail(frame), 'is not a plain object', correct);
  for (const name of names) {
    const property = Object.getOwnPropertyDescriptor(value, name);
    if (property?.get || property?.set) throw refusal(name, under(frame, name), 'is computed, not a value', correct);
  }
}

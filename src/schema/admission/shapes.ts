/** Checks that the value of each keyword has the right shape: returns the problem, or undefined. */
import { isPlainObject } from '../../util/canonical.js';
import { findMatcher } from '../patterns/index.js';
import { typeNames } from '../types.js';
import { shown } from './refusal.js';

type Shape = (value: unknown) => string | undefined;

const types: ReadonlySet<unknown> = new Set(typeNames);

const isText: Shape = (value) => (typeof value === 'string' ? undefined : `is ${shown(value)}, not a string`);
const isNumber: Shape = (value) => (Number.isFinite(value) ? undefined : `is ${shown(value)}, not a number`);
const isCount: Shape = (value) =>
  Number.isInteger(value) && (value as number) >= 0 ? undefined : `is ${shown(value)}, not a whole number from 0`;
const isBoolean: Shape = (value) => (typeof value === 'boolean' ? undefined : `is ${shown(value)}, not true or false`);
const isBound: Shape = (value) => (typeof value === 'boolean' ? undefined : isNumber(value));
const isPositive: Shape = (value) =>
  isNumber(value) ?? ((value as number) > 0 ? undefined : `is ${shown(value)}, not above 0`);
const isList: Shape = (value) => (Array.isArray(value) ? undefined : `is ${shown(value)}, not a list`);

const isType: Shape = (value) => {
  if (!Array.isArray(value)) return types.has(value) ? undefined : `is ${shown(value)}, which is not a type`;
  const odd = value.find((type) => !types.has(type));
  return odd === undefined && value.length > 0 ? undefined : `lists ${shown(odd)}, which is not a type`;
};

const isNames: Shape = (value) => {
  if (!Array.isArray(value)) return `is ${shown(value)}, not a list of names`;
  const odd = value.find((name) => typeof name !== 'string');
  return odd === undefined ? undefined : `lists ${shown(odd)}, which is not a name`;
};

const isPattern: Shape = (value) => {
  if (typeof value !== 'string') return isText(value);
  const answer = findMatcher(value);
  return 'problem' in answer ? `${answer.problem}: ${shown(value)}` : undefined;
};

const isNamesByName: Shape = (value) => {
  if (!isPlainObject(value)) return `is ${shown(value)}, not an object`;
  return Object.values(value)
    .map(isNames)
    .find((problem) => problem !== undefined);
};

export const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...['$schema', '$id', '$ref', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', 'format'].map(
    (keyword) => [keyword, isText] as const,
  ),
  ['type', isType],
  ['enum', isList],
  // A boolean within a member makes the member itself required, as in draft-03.
  ['required', (value) => (typeof value === 'boolean' ? undefined : isNames(value))],
  ...['minimum', 'maximum'].map((keyword) => [keyword, isNumber] as const),
  ...['exclusiveMinimum', 'exclusiveMaximum'].map((keyword) => [keyword, isBound] as const),
  ['multipleOf', isPositive],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (keyword) => [keyword, isCount] as const,
  ),
  ...['minContains', 'maxContains'].map((keyword) => [keyword, isCount] as const),
  ...['uniqueItems', 'nullable'].map((keyword) => [keyword, isBoolean] as const),
  ['pattern', isPattern],
  ['dependentRequired', isNamesByName],
]);

/** Checks the names of `patternProperties`. */
export const patternProblem = (source: string): string | undefined => isPattern(source);

/** Generates code for a value itself: choices, numbers, strings. */
import type { JsonSchema } from '../../domain/json.js';
import { isPlainObject } from '../../util/canonical.js';
import type { Dialect } from '../dialect.js';
import { computeWeight, memberTest, perWeight } from '../equality.js';
import { findFormat, formatSteps } from '../formats.js';
import type { SchemaNode } from '../graph.js';
import { patternTest } from '../keywords/values.js';
import { isMultipleOf, multipleSteps } from '../multiple-of.js';
import { findMatcher } from '../patterns/index.js';
import { own, spend } from '../run.js';
import { isAtLeast, isAtMost } from '../text-length.js';
import { constant, type Emitter, literal } from './emitter.js';

type Scalar = string | number | boolean | null;

const isScalar = (value: unknown): value is Scalar => typeof value !== 'object' || value === null;
/** Up to this number, candidates are compared one by one; more are looked up. */
const few = 8;

export function choiceStatements(emitter: Emitter, schema: JsonSchema, dialect: Dialect, value: string): string {
  const allowed = own(schema, 'enum');
  const only = dialect.draft === 'draft-04' ? undefined : own(schema, 'const');
  return [
    Array.isArray(allowed) ? `if (!(${memberExpression(emitter, allowed, value)})) return false;` : '',
    only === undefined ? '' : `if (!(${memberExpression(emitter, [only], value)})) return false;`,
  ].join('\n');
}

export function memberExpression(emitter: Emitter, members: readonly unknown[], value: string): string {
  if (members.length === 0) return 'false';
  if (members.every(isScalar)) {
    if (members.length <= few) return members.map((member) => `${value} === ${literal(member)}`).join(' || ');
    return `${constant(emitter, new Set(members))}.has(${value})`;
  }
  const isMember = memberTest(members);
  const test = (candidate: unknown): boolean => {
    if (!isScalar(candidate)) spend(emitter.run, computeWeight(candidate, emitter.run.left / perWeight) * perWeight);
    return isMember(candidate);
  };
  return `${constant(emitter, test)}(${value})`;
}

function numberIn(schema: JsonSchema, keyword: string): number | undefined {
  const value = own(schema, keyword);
  return typeof value === 'number' ? value : undefined;
}

export function numberStatements(emitter: Emitter, { schema, dialect }: SchemaNode, value: string): string {
  if (!isPlainObject(schema) || !dialect.validation) return '';
  const minimum = numberIn(schema, 'minimum');
  const maximum = numberIn(schema, 'maximum');
  const above = own(schema, 'exclusiveMinimum') === true ? minimum : numberIn(schema, 'exclusiveMinimum');
  const under = own(schema, 'exclusiveMaximum') === true ? maximum : numberIn(schema, 'exclusiveMaximum');
  const multiple = numberIn(schema, 'multipleOf');
  const conditions = [
    minimum === undefined ? '' : `${value} >= ${literal(minimum)}`,
    maximum === undefined ? '' : `${value} <= ${literal(maximum)}`,
    above === undefined ? '' : `${value} > ${literal(above)}`,
    under === undefined ? '' : `${value} < ${literal(under)}`,
    multiple === undefined ? '' : `${constant(emitter, multipleTest(emitter, multiple))}(${value})`,
  ].filter((condition) => condition !== '');
  return conditions.length === 0 ? '' : `if (!(${conditions.join(' && ')})) return false;`;
}

const multipleTest =
  ({ run }: Emitter, divisor: number) =>
  (value: number): boolean => {
    spend(run, multipleSteps(value, divisor));
    return isMultipleOf(value, divisor);
  };

export function stringStatements(emitter: Emitter, { schema, dialect }: SchemaNode, value: string): string {
  if (!isPlainObject(schema) || !dialect.validation) return '';
  const least = numberIn(schema, 'minLength');
  const most = numberIn(schema, 'maxLength');
  const pattern = own(schema, 'pattern');
  const conditions: string[] = [];
  if (least !== undefined && least > 0) {
    conditions.push(`${value}.length >= ${least}`);
    if (least > 1)
      conditions.push(`(${value}.length >= ${least * 2} || ${constant(emitter, isAtLeast)}(${value}, ${least}))`);
  }
  if (most !== undefined) {
    conditions.push(`(${value}.length <= ${most} || ${constant(emitter, isAtMost)}(${value}, ${most}))`);
  }
  if (typeof pattern === 'string') conditions.push(patternExpression(emitter, pattern, value));
  return conditions.length === 0 ? '' : `if (!(${conditions.join(' && ')})) return false;\n`;
}

/** No linear-time matcher takes noticeable time for texts of this length. */
const shortText = 500;

function patternExpression(emitter: Emitter, pattern: string, value: string): string {
  const matches = patternTest(pattern);
  const careful = `${constant(emitter, (text: string) => matches(text, emitter.run))}(${value})`;
  const answer = findMatcher(pattern);
  const native = 'matcher' in answer ? answer.matcher.native : undefined;
  return native
    ? `(${value}.length <= ${shortText} ? ${constant(emitter, native)}.test(${value}) : ${careful})`
    : careful;
}

export function formatStatements(emitter: Emitter, { schema, dialect }: SchemaNode, value: string): string {
  if (!isPlainObject(schema) || !(emitter.graph.formats || dialect.formatAssertion)) return '';
  const name = own(schema, 'format');
  const test = typeof name === 'string' ? findFormat(name) : undefined;
  if (!test) return '';
  const paid = (text: string): boolean => {
    spend(emitter.run, formatSteps + text.length);
    return test(text);
  };
  return `if (!${constant(emitter, paid)}(${value})) return false;`;
}

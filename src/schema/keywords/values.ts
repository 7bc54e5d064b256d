/** Keywords for a value itself: type, choice, numbers, strings. */
import { hasContent } from '../content.js';
import { computeWeight, memberTest, perWeight } from '../equality.js';
import { findFormat, formatSteps } from '../formats.js';
import { isMultipleOf, multipleSteps } from '../multiple-of.js';
import { findMatcher } from '../patterns/index.js';
import { type Check, fail, own, spend, Unjudged } from '../run.js';
import { isAtLeast, isAtMost } from '../text-length.js';
import { isOfType, listTypes } from '../types.js';
import { type Context, toNumber } from './context.js';

export function valueChecks(context: Context): Check[] {
  return [typeCheck(context), ...choiceChecks(context), ...numberChecks(context), ...stringChecks(context)].filter(
    (check) => check !== undefined,
  );
}

/** These belong to vocabularies of their own. */
export function contentChecks(context: Context): Check[] {
  return [formatCheck(context), contentCheck(context)].filter((check) => check !== undefined);
}

function typeCheck({ schema }: Context): Check | undefined {
  const types = listTypes(schema);
  if (!types) return undefined;
  const message = types.length === 1 ? `must be ${types[0]}` : `must be either ${types.join(' or ')}`;
  return (value, run, path) => types.some((type) => isOfType(type, value)) || fail(run, path, 'type', message);
}

function choiceChecks({ schema, dialect }: Context): Check[] {
  const checks: Check[] = [];
  const allowed = own(schema, 'enum');
  if (Array.isArray(allowed)) {
    checks.push(membership(allowed, 'enum', () => `must be one of ${listed(allowed)}`));
  }
  const constant = own(schema, 'const');
  if (constant !== undefined && dialect.draft !== 'draft-04') {
    checks.push(membership([constant], 'const', () => `must be ${shown(constant)}`));
  }
  return checks;
}

function membership(members: readonly unknown[], keyword: string, message: () => string): Check {
  const isMember = memberTest(members);
  return (value, run, path) => {
    if (typeof value === 'object' && value !== null) spend(run, computeWeight(value, run.left / perWeight) * perWeight);
    return isMember(value) || (run.issues ? fail(run, path, keyword, message()) : false);
  };
}

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 1_000);

/** All members that a model can act on: it cannot choose from more than a few hundred anyway. */
function listed(members: readonly unknown[]): string {
  const most = 200;
  const more = members.length > most ? ` and ${members.length - most} more` : '';
  return members.slice(0, most).map(shown).join(', ') + more;
}

function numberChecks(context: Context): Check[] {
  const checks: Check[] = [];
  const add = (keyword: string, message: string, holds: (value: number) => boolean): void => {
    checks.push((value, run, path) => typeof value !== 'number' || holds(value) || fail(run, path, keyword, message));
  };
  const { schema } = context;
  const minimum = toNumber(context, 'minimum');
  const maximum = toNumber(context, 'maximum');
  // Up to draft-04, and in OpenAPI 3.0, a boolean next to the bound.
  const above = own(schema, 'exclusiveMinimum') === true ? minimum : toNumber(context, 'exclusiveMinimum');
  const under = own(schema, 'exclusiveMaximum') === true ? maximum : toNumber(context, 'exclusiveMaximum');
  const multiple = toNumber(context, 'multipleOf');
  if (minimum !== undefined) add('minimum', `must be >= ${minimum}`, (value) => value >= minimum);
  if (maximum !== undefined) add('maximum', `must be <= ${maximum}`, (value) => value <= maximum);
  if (above !== undefined) add('exclusiveMinimum', `must be > ${above}`, (value) => value > above);
  if (under !== undefined) add('exclusiveMaximum', `must be < ${under}`, (value) => value < under);
  if (multiple !== undefined) {
    const message = `must be multiple of ${multiple}`;
    checks.push((value, run, path) => {
      if (typeof value !== 'number') return true;
      spend(run, multipleSteps(value, multiple));
      return isMultipleOf(value, multiple) || fail(run, path, 'multipleOf', message);
    });
  }
  return checks;
}

function stringChecks(context: Context): (Check | undefined)[] {
  const least = toNumber(context, 'minLength');
  const most = toNumber(context, 'maxLength');
  return [
    least === undefined
      ? undefined
      : (value, run, path) =>
          typeof value !== 'string' ||
          isAtLeast(value, least) ||
          fail(run, path, 'minLength', `must not have fewer than ${least} characters`),
    most === undefined
      ? undefined
      : (value, run, path) =>
          typeof value !== 'string' ||
          isAtMost(value, most) ||
          fail(run, path, 'maxLength', `must not have more than ${most} characters`),
    patternCheck(context),
  ];
}

const tooLong = new Unjudged('is too long to be compared with its pattern: send a shorter text');

/**
 * Creates a test for whether a text matches; each comparison costs steps by its length. Throws `Unjudged` for a text
 * that is too long.
 */
export function patternTest(source: string): (text: string, run: Parameters<Check>[1]) => boolean {
  const answer = findMatcher(source);
  if ('problem' in answer) throw new Error(`pattern ${answer.problem}`);
  const { matcher } = answer;
  return (text, run) => {
    spend(run, matcher.steps(text.length));
    const verdict = matcher.test(text);
    if (verdict === undefined) throw tooLong;
    return verdict;
  };
}

function patternCheck({ schema }: Context): Check | undefined {
  const pattern = own(schema, 'pattern');
  if (typeof pattern !== 'string') return undefined;
  const matches = patternTest(pattern);
  const message = `must match pattern "${pattern}"`;
  return (value, run, path) => typeof value !== 'string' || matches(value, run) || fail(run, path, 'pattern', message);
}

function formatCheck({ schema, dialect, graph }: Context): Check | undefined {
  const name = own(schema, 'format');
  if (typeof name !== 'string' || !(graph.formats || dialect.formatAssertion)) return undefined;
  const test = findFormat(name);
  if (!test) return undefined;
  const message = `must match format "${name}"`;
  return (value, run, path) => {
    if (typeof value !== 'string') return true;
    spend(run, formatSteps + value.length);
    return test(value) || fail(run, path, 'format', message);
  };
}

/** Only draft-07 allowed a validator to assert them; in later drafts they are annotations. */
function contentCheck({ schema, dialect, graph }: Context): Check | undefined {
  if (dialect.draft !== 'draft-07' || !graph.formats) return undefined;
  const encoding = own(schema, 'contentEncoding');
  const mediaType = own(schema, 'contentMediaType');
  if (encoding !== 'base64' && mediaType !== 'application/json') return undefined;
  return (value, run, path) => {
    if (typeof value !== 'string') return true;
    spend(run, formatSteps + value.length);
    return (
      hasContent(value, encoding, mediaType) ||
      fail(run, path, 'contentMediaType', `must be ${[encoding, mediaType].filter(Boolean).join(', ')}`)
    );
  };
}

/** Keywords for arrays. */
import { computeWeight, hasDuplicates, perWeight } from '../equality.js';
import { below, type Check, fail, isFull, own, type Path, quietly, type Run, type Seen, spend } from '../run.js';
import { type Context, toNumber } from './context.js';

export function arrayChecks(context: Context): Check[] {
  const { validation } = context.dialect;
  const checks = [
    validation ? lengthCheck(context) : undefined,
    itemsCheck(context),
    context.dialect.draft === 'draft-04' ? undefined : containsCheck(context),
    validation ? uniqueCheck(context) : undefined,
  ];
  return checks.filter((check) => check !== undefined);
}

function lengthCheck(context: Context): Check | undefined {
  const least = toNumber(context, 'minItems');
  const most = toNumber(context, 'maxItems');
  if (least === undefined && most === undefined) return undefined;
  return (value, run, path) => {
    if (!Array.isArray(value)) return true;
    if (least !== undefined && value.length < least)
      return fail(run, path, 'minItems', `must not have fewer than ${least} items`);
    if (most !== undefined && value.length > most)
      return fail(run, path, 'maxItems', `must not have more than ${most} items`);
    return true;
  };
}

/** The schemas of the first items, by position, and that of all others, under the draft's names for them. */
export function itemSchemas({ schema, dialect }: Pick<Context, 'schema' | 'dialect'>): {
  readonly first: readonly unknown[];
  readonly rest: unknown;
} {
  const prefix = dialect.draft === '2020-12' ? own(schema, 'prefixItems') : undefined;
  const items = own(schema, 'items');
  if (Array.isArray(prefix)) return { first: prefix, rest: Array.isArray(items) ? undefined : items };
  if (!Array.isArray(items)) return { first: [], rest: items };
  return { first: items, rest: own(schema, 'additionalItems') };
}

function itemsCheck(context: Context): Check | undefined {
  const { first, rest } = itemSchemas(context);
  if (first.length === 0 && rest === undefined) return undefined;
  const checks = first.map((part) => context.check(part));
  const restCheck = rest === undefined ? undefined : context.check(rest);
  return (value, run, path, seen) => {
    if (!Array.isArray(value)) return true;
    let valid = true;
    const end = restCheck ? value.length : Math.min(value.length, checks.length);
    for (let index = 0; index < end; index += 1) {
      const check = checks[index] ?? restCheck;
      if (!check || check(value[index], run, below(run, path, index), undefined)) continue;
      valid = false;
      if (isFull(run)) return false;
    }
    if (seen && restCheck) seen.allItems = true;
    else if (seen) seen.items = Math.max(seen.items, end);
    return valid;
  };
}

function containsCheck(context: Context): Check | undefined {
  const part = own(context.schema, 'contains');
  if (part === undefined) return undefined;
  const counts = context.dialect.year >= 2019 && context.dialect.validation;
  const least = (counts ? toNumber(context, 'minContains') : undefined) ?? 1;
  const most = counts ? toNumber(context, 'maxContains') : undefined;
  const marks = context.dialect.draft === '2020-12';
  const check = context.check(part);
  return (value, run, path, seen) => {
    if (!Array.isArray(value)) return true;
    const found = matching(value, check, run, marks ? seen : undefined);
    return (
      (found >= least || tooFew(run, path, least)) && (most === undefined || found <= most || tooMany(run, path, most))
    );
  };
}

function matching(items: readonly unknown[], check: Check, run: Run, seen: Seen | undefined): number {
  let count = 0;
  for (const [index, item] of items.entries()) {
    if (!quietly(check, item, run, undefined)) continue;
    count += 1;
    seen?.someItems.add(index);
  }
  return count;
}

const tooFew = (run: Run, path: Path | undefined, least: number): boolean =>
  fail(run, path, 'contains', `must contain at least ${least} valid item${least === 1 ? '' : 's'}`);

const tooMany = (run: Run, path: Path | undefined, most: number): boolean =>
  fail(run, path, 'contains', `must not contain more than ${most} valid item${most === 1 ? '' : 's'}`);

function uniqueCheck({ schema }: Context): Check | undefined {
  if (own(schema, 'uniqueItems') !== true) return undefined;
  return (value, run, path) => {
    if (!Array.isArray(value) || value.length < 2) return true;
    spend(run, computeWeight(value, run.left / perWeight) * perWeight);
    return !hasDuplicates(value) || fail(run, path, 'uniqueItems', 'must not have duplicate items');
  };
}

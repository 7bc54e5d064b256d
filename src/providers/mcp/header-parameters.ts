/**
 * `x-mcp-header` (2026-07-28): arguments that a client repeats in headers. Clients must omit a tool whose marks violate
 * the rules. Here this also applies if headers are not in use, because such a tool is broken either way.
 */
import { isPlainObject } from '../../util/canonical.js';

const mark = 'x-mcp-header';
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The problem with the marks of an input schema, whose depth is known to be limited. */
export function headerProblem(schema: unknown): string | undefined {
  const names = new Set<string>();
  const problems: string[] = [];
  /** Marks are allowed only on values that `properties` alone leads to. */
  const visit = (value: unknown, allowed: boolean, property: boolean): void => {
    if (Array.isArray(value)) for (const member of value) visit(member, false, false);
    if (!isPlainObject(value)) return;
    if (Object.hasOwn(value, mark)) problems.push(...markProblems(value, allowed && property, names));
    for (const [keyword, member] of Object.entries(value)) {
      if (keyword === 'properties' && isPlainObject(member)) {
        for (const one of Object.values(member)) visit(one, allowed, true);
      } else if (!dataKeywords.has(keyword)) visit(member, false, false);
    }
  };
  visit(schema, true, false);
  return problems[0];
}

/** Its content is a value, not a schema. */
const dataKeywords = new Set(['const', 'default', 'enum', 'examples', mark]);

function markProblems(schema: Readonly<Record<string, unknown>>, allowed: boolean, names: Set<string>): string[] {
  const name = schema[mark];
  if (!allowed) return [`${mark} is not allowed there`];
  if (typeof name !== 'string' || !token.test(name)) return [`${mark} is not the name of a header`];
  if (!['string', 'integer', 'boolean'].includes(String(schema.type)))
    return [`${mark} is on something other than a plain value`];
  const lower = name.toLowerCase();
  if (names.has(lower)) return [`${mark} names the same header twice`];
  names.add(lower);
  return [];
}

/**
 * Checks a value against a node: every keyword of every draft, with or without issues. This is the reference
 * implementation; the code that `generate/` writes is only a faster verdict and leaves unusual cases to this.
 */
import { isPlainObject } from '../util/canonical.js';
import type { Graph, SchemaNode } from './graph.js';
import { arrayChecks } from './keywords/arrays.js';
import { combinationChecks } from './keywords/combinations.js';
import type { Context } from './keywords/context.js';
import { groups, groupsIn } from './keywords/groups.js';
import { objectChecks } from './keywords/objects.js';
import { unevaluatedChecks } from './keywords/unevaluated.js';
import { contentChecks, valueChecks } from './keywords/values.js';
import { type Check, createSeen, enter, fail, isFull, mergeSeen, own, type Path, type Run, type Seen } from './run.js';
import { isNullBesides } from './types.js';

export function evaluate(
  graph: Graph,
  node: SchemaNode,
  value: unknown,
  run: Run,
  path: Path | undefined,
  seen: Seen | undefined,
): boolean {
  enter(run);
  node.checks ??= getChecks(graph, node);
  let valid = true;
  for (const check of node.checks) {
    if (check(value, run, path, seen)) continue;
    valid = false;
    if (isFull(run)) break;
  }
  run.depth -= 1;
  return valid;
}

function getChecks(graph: Graph, node: SchemaNode): readonly Check[] {
  const checks = keywordChecks(graph, node);
  if (!isPlainObject(node.schema) || !isNullBesides(node.schema)) return checks;
  return checks.map((check) => (value, run, path, seen) => value === null || check(value, run, path, seen));
}

function keywordChecks(graph: Graph, node: SchemaNode): readonly Check[] {
  const { schema, dialect } = node;
  if (schema === true) return [];
  if (schema === false) return [(_value, run, path) => fail(run, path, 'boolean', 'schema is false')];
  if (!isPlainObject(schema)) return [];
  const getCheck =
    (target: SchemaNode): Check =>
    (value, run, path, seen) =>
      evaluate(graph, target, value, run, path, seen);
  const context: Context = {
    graph,
    node,
    dialect,
    schema,
    check: (part) => getCheck(graph.child(node, part)),
    reference: (keyword, target) => {
      const found = graph.refer(node, keyword, target);
      // Admission has followed every reference.
      return found ? getCheck(found) : (_value, run, path) => fail(run, path, keyword, 'refers to nothing');
    },
  };
  // Up to draft-07, keywords next to a `$ref` do not count.
  if (dialect.year === 0 && typeof own(schema, '$ref') === 'string') return combinationChecks(context).slice(0, 1);
  const found = groupsIn(schema);
  const checks: Check[] = [];
  if (found & groups.value && dialect.validation) checks.push(...valueChecks(context));
  if (found & groups.content) checks.push(...contentChecks(context));
  if (found & groups.object) checks.push(...objectChecks(context));
  if (found & groups.array) checks.push(...arrayChecks(context));
  if (found & groups.combination) checks.push(...combinationChecks(context));
  const last = found & groups.unevaluated && dialect.year >= 2019 ? unevaluatedChecks(context) : [];
  return last.length === 0 ? checks : [withSeen([...checks, ...last])];
}

/** Only what siblings and parts of this schema evaluated counts, and nothing from outside it. */
function withSeen(checks: readonly Check[]): Check {
  return (value, run, path, outer) => {
    const seen = createSeen();
    let valid = true;
    for (const check of checks) {
      if (check(value, run, path, seen)) continue;
      valid = false;
      if (isFull(run)) break;
    }
    if (outer && valid) mergeSeen(outer, seen);
    return valid;
  };
}

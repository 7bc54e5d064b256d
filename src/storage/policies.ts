/**
 * The policies of a workspace, in their order. When a list replaces another, only the differences are written and read
 * again.
 */
import type { Policy } from '../domain/grant.js';
import { noteOrigin } from '../util/lookup.js';
import { chunks } from './chunks.js';
import type { NotedScope } from './configuration-changes.js';
import { fromPolicy, toPolicy } from './rows.js';
import type { PolicyRow } from './schema.js';
import type { Scope } from './scope.js';

/** Positions only need to grow along the list, so a policy that is added or removed leaves the others as they are. */
const positions = new WeakMap<Policy, number>();

export async function replacePolicies({ scope, only }: NotedScope, policies: readonly Policy[]): Promise<void> {
  const present = await scope.selectFrom('policies').selectAll().execute();
  const before = new Map(present.map((row) => [row.id, row]));
  const changed: Omit<PolicyRow, 'workspace_id'>[] = [];
  let last = -1;
  for (const policy of policies) {
    const known = before.get(policy.id);
    last = Math.max(last + 1, known?.position ?? 0);
    const row = fromPolicy(policy, last);
    if (known === undefined || !isSame(known, row)) changed.push(row);
  }
  const kept = new Set(policies.map(({ id }) => id));
  const removed = present.filter(({ id }) => !kept.has(id));
  for (const rows of chunks([...removed, ...changed])) {
    const ids = rows.map(({ id }) => id);
    await only('policies', ...ids)
      .deleteFrom('policies')
      .where('id', 'in', ids)
      .execute();
  }
  for (const rows of chunks(changed))
    await only('policies', ...rows.map(({ id }) => id))
      .insertInto('policies', rows)
      .execute();
}

function isSame(known: PolicyRow, row: Omit<PolicyRow, 'workspace_id'>): boolean {
  return Object.entries(row).every(([column, value]) => known[column as keyof PolicyRow] === value);
}

export async function readPolicies(scope: Scope, ids?: readonly string[]): Promise<Policy[]> {
  const all = scope.selectFrom('policies').selectAll().orderBy('position');
  const rows = await (ids ? all.where('id', 'in', ids) : all).execute();
  return rows.map((row) => {
    const policy = toPolicy(row);
    positions.set(policy, row.position);
    return policy;
  });
}

/** Reads these policies again; `known`: all policies as they were read before. */
export async function mergePolicies(
  scope: Scope,
  known: readonly Policy[],
  ids: ReadonlySet<string> | 'all',
): Promise<readonly Policy[]> {
  if (ids === 'all') return readPolicies(scope);
  const added = await readPolicies(scope, [...ids]);
  const removed = known.filter(({ id }) => ids.has(id));
  const stayed = known.filter(({ id }) => !ids.has(id));
  const policies = [...stayed, ...added].sort((one, other) => positionOf(one) - positionOf(other));
  noteOrigin(policies, { from: known, removed, added });
  return policies;
}

const positionOf = (policy: Policy): number => positions.get(policy) ?? 0;

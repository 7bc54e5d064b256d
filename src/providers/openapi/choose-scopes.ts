/**
 * Chooses the OAuth scopes of each operation: the narrowest of the alternatives in the document. A wider scope that an
 * operation also accepts counts as replacing the narrow one, if it does so everywhere.
 */

type Alternatives = readonly (readonly string[])[];

export interface ChosenScopes {
  readonly ofOperations: readonly (readonly string[])[];
  /** Scope → the narrower ones that it replaces. */
  readonly implied: Readonly<Record<string, readonly string[]>>;
}

/** Returns the chosen scopes of each operation, and which scopes replace others. */
export function chooseScopes(operations: readonly Alternatives[]): ChosenScopes {
  const reach = new Map<string, number>();
  for (const alternatives of operations)
    for (const scope of new Set(alternatives.flat())) reach.set(scope, (reach.get(scope) ?? 0) + 1);
  // How much it grants: first by the number of scopes needed together, then by how many operations accept them.
  const width = (scopes: readonly string[]): number => scopes.reduce((sum, scope) => sum + (reach.get(scope) ?? 0), 0);
  const chosen = operations.map((alternatives) => [...alternatives].sort((a, b) => width(a) - width(b))[0] ?? []);
  return { ofOperations: chosen, implied: impliedBy(operations, chosen) };
}

function impliedBy(operations: readonly Alternatives[], chosen: Alternatives): Record<string, string[]> {
  const standIns = new Map<string, Set<string>>();
  const mixed = new Set<string>();
  for (const [index, scopes] of chosen.entries()) {
    const [narrow, ...others] = scopes;
    if (narrow === undefined) continue;
    if (others.length > 0) {
      for (const scope of scopes) mixed.add(scope);
      continue;
    }
    const here = new Set((operations[index] ?? []).flatMap((each) => (each.length === 1 ? each : [])));
    const before = standIns.get(narrow);
    standIns.set(narrow, before ? new Set([...before].filter((scope) => here.has(scope))) : here);
  }
  const implied = new Map<string, string[]>();
  for (const [narrow, wide] of standIns) {
    if (mixed.has(narrow)) continue;
    for (const scope of wide) if (scope !== narrow) implied.set(scope, [...(implied.get(scope) ?? []), narrow]);
  }
  return Object.fromEntries(implied);
}

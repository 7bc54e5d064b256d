/** Which tier answered, how often and how long it took, per workspace, so that no workspace learns about another. */
import type { DiscoveryStats, FindTier, HintTier, ToolHints } from '../../domain/discovery.js';
import type { DiscoveryTotals } from '../../domain/telemetry.js';

export interface SearchCounters {
  searched(workspaceId: string, answer: { tier: FindTier; abstained: boolean; milliseconds: number }): void;
  /** Counts the hints and returns them. */
  hinted(workspaceId: string, hints: ToolHints): ToolHints;
  of(workspaceId: string): Omit<DiscoveryStats, 'indexed'>;
  /** Of all workspaces together. */
  total(): DiscoveryTotals;
}

interface Counts {
  searches: number;
  abstained: number;
  readonly tiers: Record<FindTier, { count: number; milliseconds: number }>;
  readonly hints: Record<HintTier, number>;
}

export function createCounters(): SearchCounters {
  const byWorkspace = new Map<string, Counts>();

  function getCounts(workspaceId: string): Counts {
    const known = byWorkspace.get(workspaceId) ?? zero();
    byWorkspace.set(workspaceId, known);
    return known;
  }

  return {
    searched(workspaceId, { tier, abstained, milliseconds }) {
      const counts = getCounts(workspaceId);
      counts.searches += 1;
      if (abstained) counts.abstained += 1;
      counts.tiers[tier].count += 1;
      counts.tiers[tier].milliseconds += milliseconds;
    },
    hinted(workspaceId, hints) {
      getCounts(workspaceId).hints[hints.tier] += 1;
      return hints;
    },
    total() {
      const sum = zero();
      for (const counts of byWorkspace.values()) add(sum, counts);
      return sum;
    },
    of: (workspaceId) => structuredClone(byWorkspace.get(workspaceId) ?? zero()),
  };
}

function add(sum: Counts, { searches, abstained, tiers, hints }: Counts): void {
  sum.searches += searches;
  sum.abstained += abstained;
  for (const tier of Object.keys(tiers) as FindTier[]) {
    sum.tiers[tier].count += tiers[tier].count;
    sum.tiers[tier].milliseconds += tiers[tier].milliseconds;
  }
  for (const tier of Object.keys(hints) as HintTier[]) sum.hints[tier] += hints[tier];
}

/** Before the first search. */
export function zero(): Counts {
  const none = () => ({ count: 0, milliseconds: 0 });
  return {
    searches: 0,
    abstained: 0,
    tiers: { exact: none(), semantic: none(), fallback: none() },
    hints: { exact: 0, capability: 0, token: 0, fallback: 0, none: 0 },
  };
}

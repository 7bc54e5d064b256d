/**
 * Finding tools: the plane's operations, and the functions for the pipeline and the meta-tools. Start-up loads none of
 * it: the code is loaded, and the index built, on the first search.
 */

import { checkPermissions } from '../../domain/acts.js';
import type { DiscoveryActs, EmbeddingProgress } from '../../domain/discovery.js';
import type { Principal } from '../../domain/principal.js';
import type { DiscoveryTotals } from '../../domain/telemetry.js';
import type { PipelineParts } from '../calling/index.js';
import type { FindApps } from './find-apps.js';
import type { Finding } from './finding.js';
import type { DiscoveryParts } from './parts.js';
import type { Reach } from './reach.js';
import { zero } from './stats.js';

export type { EmbeddingSettings } from './embeddings/settings.js';
export type { DiscoveryParts } from './parts.js';
export type { Reach, ReachedTool } from './reach.js';
export { describeSummary } from './summary.js';
export { shownTools } from './tool-mode.js';

export interface Discovery {
  readonly acts: DiscoveryActs;
  readonly forPipeline: Pick<PipelineParts, 'intentMismatch' | 'fittingTools' | 'finderFor'>;
  /** The tools that the principal may call, without the meta-tools. The act that asks has checked its permissions. */
  findReach(principal: Principal): Promise<Reach>;
  /** The slugs of the apps that serve a purpose, the best first, at most 30. */
  readonly findApps: FindApps;
  /** How searches were answered in all workspaces. */
  totals(): DiscoveryTotals;
  /** The vectors of the operator's model; undefined if none is set. */
  embeddings(): EmbeddingProgress | undefined;
  close(): Promise<void>;
}

/** Creates the functions for finding tools; their code is loaded on first use. */
export function createDiscovery(parts: DiscoveryParts): Discovery {
  let made: Promise<Finding> | undefined;
  let ready: Finding | undefined;
  function finding(): Promise<Finding> {
    made ??= import('./finding.js').then(({ createFinding }) => {
      ready = createFinding(parts);
      return ready;
    });
    return made;
  }

  const acts: DiscoveryActs = {
    searchTools: async (principal, search) => (await finding()).acts.searchTools(principal, search),
    describeTools: async (principal, names) => (await finding()).acts.describeTools(principal, names),
    toolHints: async (principal, request) => (await finding()).acts.toolHints(principal, request),
    discoveryStats: async (principal) => (await finding()).acts.discoveryStats(principal),
  };
  const { searchTools, describeTools } = checkPermissions(acts);
  return {
    acts,
    forPipeline: {
      intentMismatch: async (intent, tool) => (await finding()).intentMismatch(intent, tool),
      fittingTools: async (principal, text) => (await finding()).fittingTools(principal, text),
      finderFor: (principal) => ({
        search: (search) => searchTools(principal, search),
        describe: (names) => describeTools(principal, names),
      }),
    },
    findApps: async (purpose, apps) => (await finding()).findApps(purpose, apps),
    findReach: async (principal) => (await finding()).findReach(principal),
    totals: () => ready?.totals() ?? zero(),
    embeddings: () => (ready === undefined ? beforeSearches(parts) : ready.embeddings()),
    close: async () => (await made)?.close(),
  };
}

/** Nothing is read from the data folder, and no model asked, before the first search. */
function beforeSearches({ embeddings }: DiscoveryParts): EmbeddingProgress | undefined {
  if (embeddings === undefined) return undefined;
  const { id } = embeddings.model(new AbortController().signal);
  return { model: id, vectors: 0, waiting: 0, refused: 0, isFull: false };
}

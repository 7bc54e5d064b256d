/** Finding tools, for the plane's operations and for the pipeline. Loaded on the first search. */
import { join } from 'node:path';
import { checkIntent } from '../../discovery/index.js';
import {
  type DiscoveryActs,
  type EmbeddingProgress,
  isMetaTool,
  type ToolDescriptions,
} from '../../domain/discovery.js';
import { HelveError } from '../../domain/errors.js';
import type { Principal } from '../../domain/principal.js';
import type { DiscoveryTotals } from '../../domain/telemetry.js';
import type { Tool } from '../../domain/tool.js';
import { nearest } from '../../util/nearest.js';
import type { PipelineParts } from '../calling/index.js';
import { describeTool } from './describe.js';
import { createToolVectors, type ToolVectors } from './embeddings/tool-vectors.js';
import { createFindApps, type FindApps } from './find-apps.js';
import { hintsFor } from './hints.js';
import { createKeptIndex } from './kept/kept-index.js';
import { createLibrary } from './library.js';
import type { DiscoveryParts } from './parts.js';
import { createReaches, type Reach, type ReachedTool } from './reach.js';
import { createRecentUse } from './recent-use.js';
import { type Findings, searchReach, thoseThatDo } from './search.js';
import { createCounters } from './stats.js';
import { shownTools } from './tool-mode.js';
import { withReasons } from './unoffered.js';

export interface Finding {
  readonly acts: DiscoveryActs;
  readonly intentMismatch: (
    intent: string,
    tool: Tool,
  ) => { readonly asked: string; readonly does: string } | undefined;
  /** Never throws: a refused call is refused and recorded, even if no better tool can be named. */
  readonly fittingTools: PipelineParts['fittingTools'];
  readonly findReach: (principal: Principal) => Promise<Reach>;
  readonly findApps: FindApps;
  readonly totals: () => DiscoveryTotals;
  readonly embeddings: () => EmbeddingProgress | undefined;
  close(): Promise<void>;
}

const maxDescribed = 50;
const maxFitting = 5;
const maxIntent = 4_000;

export function createFinding(parts: DiscoveryParts): Finding {
  const kept = parts.keptIn === undefined ? undefined : createKeptIndex(parts.keptIn);
  const library = createLibrary({ ...parts, kept });
  const vectors = createVectors(parts);
  const getReach = createReaches(parts, { library, vectors });
  const recentUse = createRecentUse(parts);
  const counters = createCounters();

  async function getQuestion(principal: Principal) {
    const [reach, recent] = await Promise.all([getReach(principal), recentUse(principal)]);
    return { principal, reach, recent };
  }

  async function counted(principal: Principal, work: Promise<Findings>): Promise<Findings> {
    const began = performance.now();
    const findings = await work;
    const { tier, abstained } = findings;
    counters.searched(principal.workspaceId, { tier, abstained, milliseconds: performance.now() - began });
    return findings;
  }

  const acts: DiscoveryActs = {
    async searchTools(principal, search) {
      const question = { ...search, ...(await getQuestion(principal)) };
      const { hits, ...rest } = await counted(principal, searchReach(question, library));
      // A caller that searches will soon search for a tool that no one has yet.
      library.ensureAll().catch(parts.reportError);
      return { hits: hits.map(({ found }) => found), ...rest };
    },
    async describeTools(principal, names) {
      const reach = await getReach(principal);
      return withReasons(describe(reach, names), principal, { reach, registry: parts.registry });
    },
    async toolHints(principal, request) {
      const question = { ...(await getQuestion(principal)), ...request };
      const byMetaTools = isShownMetaTools(question.reach, principal, parts.directTools);
      const hints = await hintsFor({ ...question, byMetaTools }, library);
      return counters.hinted(principal.workspaceId, hints);
    },
    async discoveryStats(principal) {
      const counts = { ...counters.of(principal.workspaceId), indexed: library.size };
      if (vectors === undefined) return counts;
      const { model, vectors: done, waiting } = vectors.progress();
      return { ...counts, embeddings: { model, vectors: done, waiting, ...vectors.counts(principal.workspaceId) } };
    },
  };
  return {
    acts,
    intentMismatch: explainMismatch,
    async fittingTools(principal, text) {
      try {
        const question = { ...(await getQuestion(principal)), query: text, limit: maxFitting };
        return namesThatFit(await searchReach(question, library), text);
      } catch (error) {
        parts.reportError(error);
        return [];
      }
    },
    findReach: getReach,
    findApps: createFindApps(library, parts.reportError),
    totals: counters.total,
    embeddings: () => vectors?.progress(),
    async close() {
      await Promise.all([library.close(), vectors?.close()]);
    },
  };
}

function createVectors({ embeddings: settings, keptIn, reportError }: DiscoveryParts): ToolVectors | undefined {
  if (settings === undefined) return undefined;
  const folder = keptIn === undefined ? undefined : join(keptIn, 'vectors');
  return createToolVectors({ settings, folder, reportError });
}

function namesThatFit({ hits, abstained }: Findings, text: string): readonly string[] {
  const doesIt = thoseThatDo(text);
  return abstained ? [] : hits.filter(({ entry }) => doesIt(entry)).map(({ found }) => found.name);
}

function isShownMetaTools({ entries, configuration, catalogue }: Reach, principal: Principal, directTools: number) {
  const all = [...entries, ...catalogue.entries.filter(({ tool }) => isMetaTool(tool.id))];
  const [first] = shownTools(all, principal, configuration, directTools);
  return first !== undefined && isMetaTool(first.tool.id);
}

const explainMismatch: Finding['intentMismatch'] = (intent, { id, description, capabilities }) => {
  const verdict = checkIntent(intent.slice(0, maxIntent), { ...id, description, capabilities });
  if (verdict.fits) return undefined;
  const words = (list: typeof verdict.asked): string =>
    [...new Set(list.map(({ verb, object }) => `${verb} ${object}`.trim()))].join(', ');
  return { asked: words(verdict.asked), does: words(verdict.does) };
};

function describe(reach: Reach, names: readonly string[]): ToolDescriptions {
  if (names.length > maxDescribed)
    throw new HelveError('invalid_input', `${names.length} names: at most ${maxDescribed} at a time`);
  const known = new Set<ReachedTool>();
  const unknown: ToolDescriptions['unknown'][number][] = [];
  for (const name of new Set(names)) {
    // A form without an account means the tool with each account that the caller can use.
    const found = reach.catalogue.match(name).flatMap((entry) => reach.byName.get(entry.name) ?? []);
    for (const entry of found) known.add(entry);
    if (found.length === 0) unknown.push({ name, nearest: nearNames(name, reach) });
  }
  return { tools: [...known].map(describeTool), unknown };
}

function nearNames(name: string, { byName }: Reach): readonly string[] {
  const meant = nearest(name, [...byName.keys()]);
  return meant === undefined ? [] : [meant];
}

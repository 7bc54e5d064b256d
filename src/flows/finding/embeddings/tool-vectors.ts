/**
 * What the operator's own embeddings say about a search. Tools get their vectors in the background, once a caller who may
 * use them has searched; until nearly all tools of a caller have one, its searches go without, and their text stays here.
 */
import { compare, embeddedText, type KeyedTool, type Likeness, type UnitVector } from '../../../discovery/index.js';
import type { EmbeddingCounts, EmbeddingProgress } from '../../../domain/discovery.js';
import type { Tool } from '../../../domain/tool.js';
import { sha256 } from '../../../util/hash.js';
import { createSlices } from '../../../util/slices.js';
import { getDocument, toolKey } from '../documents.js';
import { createFilling } from './filling.js';
import { createKeptVectors } from './kept-vectors.js';
import { createQueryVectors } from './query-vectors.js';
import { createEmbed, type EmbeddingSettings } from './settings.js';
import { createVectorStore } from './vector-store.js';

/** Finds out how near some tools are to each of the texts; undefined if nothing is known. Never throws. */
export type FindLikeness = (asked: {
  readonly workspaceId: string;
  readonly texts: readonly string[];
  /** Only tools of these toolkits; undefined: all. */
  readonly within: readonly string[] | undefined;
}) => Promise<((text: string) => Likeness | undefined) | undefined>;

export interface ToolVectors {
  /** For searches over these tools, each with the display name of its toolkit. */
  likenessAmong(tools: readonly (readonly [Tool, title: string])[]): FindLikeness;
  progress(): EmbeddingProgress;
  /** How the searches of this workspace went. */
  counts(workspaceId: string): EmbeddingCounts;
  close(): Promise<void>;
}

interface VectorParts {
  readonly settings: EmbeddingSettings;
  /** The folder of the files; undefined: none. */
  readonly folder: string | undefined;
  readonly reportError: (error: unknown) => void;
}

/** A caller's search uses embeddings once this share of its tools has vectors: the others would seem to be far away. */
const enough = 0.9;
const sliceMs = 3;
/** Maximum characters of a text: a longer one adds nothing about the task. */
const maxCharacters = 2_000;

interface Embedded extends KeyedTool {
  text(): string;
}

const none: EmbeddingCounts = { used: 0, late: 0, failed: 0, skipped: 0 };

export function createToolVectors({ settings, folder, reportError }: VectorParts): ToolVectors {
  const { model, timeoutMs, weight, queryPrefix, toolPrefix } = settings;
  const { id: name } = model(new AbortController().signal);
  const embed = createEmbed(model);
  const kept = folder === undefined ? undefined : createKeptVectors(folder, name);
  const store = createVectorStore({ kept, reportError });
  const filling = createFilling({ embed, store, reportError });
  const queries = createQueryVectors({ embed, timeoutMs, accept: store.accept, reportError });
  const counts = new Map<string, Record<keyof EmbeddingCounts, number>>();
  const keys = new WeakMap<Tool, Embedded>();

  function count(workspaceId: string, what: keyof EmbeddingCounts): undefined {
    const before = counts.get(workspaceId) ?? { ...none };
    before[what] += 1;
    counts.set(workspaceId, before);
  }

  function toEmbedded(tool: Tool, title: string): Embedded {
    const known = keys.get(tool);
    if (known !== undefined) return known;
    const text = () => toolPrefix + embeddedText(getDocument(tool, title));
    const key = sha256(`${name}\n${text()}`).slice(0, 32);
    const made = { id: toolKey(tool.id), toolkit: tool.id.toolkit, key, text };
    keys.set(tool, made);
    return made;
  }

  async function gather(tools: readonly (readonly [Tool, string])[]): Promise<ReadonlyMap<string, Embedded>> {
    const slices = createSlices(sliceMs);
    const byId = new Map<string, Embedded>();
    for (const [tool, title] of tools) {
      const one = toEmbedded(tool, title);
      byId.set(one.id, one);
      if (byId.size % 64 === 0) await slices.rest();
    }
    return byId;
  }

  /** Whether nearly all tools have a vector; the others are asked for. */
  async function areReady(tools: Iterable<Embedded>): Promise<boolean> {
    await store.load();
    const slices = createSlices(sliceMs);
    let [count, found] = [0, 0];
    for (const { key, text } of tools) {
      count += 1;
      if ((store.table?.row(key) ?? -1) >= 0) found += 1;
      else filling.want(key, text);
      if (count % 1_024 === 0) await slices.rest();
    }
    return found > 0 && found >= enough * count;
  }

  async function likeness(
    byId: ReadonlyMap<string, Embedded>,
    { workspaceId, texts, within }: Parameters<FindLikeness>[0],
  ): Promise<((text: string) => Likeness | undefined) | undefined> {
    if (!(await areReady(byId.values()))) return count(workspaceId, 'skipped');
    const vectors = await queries.of(
      workspaceId,
      texts.map((text) => queryPrefix + text.slice(0, maxCharacters)),
    );
    if (typeof vectors === 'string') return count(workspaceId, vectors === 'paused' ? 'skipped' : vectors);
    const { table } = store;
    if (table === undefined || vectors.some(({ length }) => length !== table.dimensions))
      return count(workspaceId, 'failed');
    // The model was replaced by one whose vectors are longer or shorter: those of the tools are made again.
    if (table.size === 0) return count(workspaceId, 'skipped');
    const all = [...byId.values()];
    const allowed = within === undefined ? all : all.filter(({ toolkit }) => within.includes(toolkit));
    const find = (id: string) => byId.get(id);
    const slices = createSlices(sliceMs);
    const found = new Map<string, Likeness>();
    for (const [at, text] of texts.entries()) {
      const compared = compare(vectors[at] as UnitVector, { table, tools: allowed, find, weight });
      found.set(text, await slices.run(compared));
    }
    count(workspaceId, 'used');
    return (text) => found.get(text);
  }

  return {
    likenessAmong(tools) {
      let gathered: Promise<ReadonlyMap<string, Embedded>> | undefined;
      return async (asked) => {
        try {
          gathered ??= gather(tools);
          return await likeness(await gathered, asked);
        } catch (error) {
          reportError(error);
          return count(asked.workspaceId, 'failed');
        }
      };
    },
    progress: () => ({
      model: name,
      vectors: store.table?.size ?? 0,
      waiting: filling.waiting,
      refused: filling.refused,
      isFull: store.isFull,
      ...(filling.failure === undefined ? {} : { failure: filling.failure }),
    }),
    counts: (workspaceId) => ({ ...(counts.get(workspaceId) ?? none) }),
    async close() {
      queries.close();
      await filling.close();
      await settings.close();
    },
  };
}

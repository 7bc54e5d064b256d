/**
 * One toolkit's tools in typed arrays: postings sorted by term, and of each tool the words of its name and what it does.
 *
 * A posting keeps the field-weighted frequency of BM25F in one byte. Field lengths are measured against fixed usual
 * lengths, not against averages of the moment: an app can then come or go without touching any other.
 */
import { rowOfTerm, writeTextVector } from '../semantic/text-vectors.js';
import type { WordVectors } from '../semantic/word-vectors.js';
import { actionMask, verbMask } from '../text/verbs.js';
import { stopWords } from '../text/vocabulary-data.js';
import type { DiscoveredTool } from '../tool.js';
import { createPostingList, type PackedPostings } from './posting-list.js';
import { readToolText, type ToolText, titleStems } from './tool-text.js';
import type { Vocabulary } from './vocabulary.js';

export interface Shard extends PackedPostings {
  readonly toolkit: string;
  readonly title: string;
  readonly ids: readonly string[];
  readonly names: readonly string[];
  /** The words of each name that say something, doubled, plus one for those before a qualifier, at `nameStarts[tool]` up to `nameStarts[tool + 1]`. */
  readonly nameTerms: Uint32Array;
  readonly nameStarts: Uint32Array;
  /** What each tool does, as verb classes. */
  readonly actions: Uint32Array;
  /** 1 where a tool has a description; 1 where it is about several things (`list_issues`). */
  readonly described: Uint8Array;
  readonly plural: Uint8Array;
  /** The words of the toolkit's display name. */
  readonly titleTerms: Uint32Array;
  /** What each tool's name and description say, as `semantic/text-vectors.ts` has it; empty without word vectors. */
  readonly vectors: Int8Array;
}

/** Most tools of one toolkit. */
export const mostTools = 65_535;
/** Words of a description that its vector is of. */
const mostSaid = 40;

const fields = [
  { field: 'name', weight: 4, usual: 4, slope: 0.5 },
  { field: 'description', weight: 1, usual: 12, slope: 0.85 },
  { field: 'app', weight: 2.5, usual: 2, slope: 0.4 },
  { field: 'parameters', weight: 0.4, usual: 10, slope: 0.7 },
] as const satisfies readonly {
  field: 'name' | 'app' | 'description' | 'parameters';
  weight: number;
  usual: number;
  slope: number;
}[];

/** Builds shards a few tools at a time: each `next` is a short piece of work, the last gives the shard. */
export function* buildShard(
  tools: readonly DiscoveredTool[],
  vocabulary: Vocabulary,
  vectors?: WordVectors,
): Generator<undefined, Shard> {
  const dimensions = vectors?.dimensions ?? 0;
  const textVectors = new Int8Array(tools.length * dimensions);
  const first = tools[0];
  const app = (first === undefined ? [] : titleStems(first)).map((word) => vocabulary.enter(word));
  const postings = createPostingList();
  const nameTerms: number[] = [];
  const nameStarts = [0];
  const actions: number[] = [];
  const plural: number[] = [];
  for (const [at, tool] of tools.entries()) {
    const text = readToolText(tool, vocabulary);
    const name = text.name.map((word) => vocabulary.enter(word));
    const { terms, shares } = weigh({ name, app, description: text.description, parameters: text.parameters });
    postings.add(at, terms, shares);
    for (const [place, word] of text.name.entries()) {
      if (stopWords.has(word) || text.name.indexOf(word) < place) continue;
      nameTerms.push((name[place] ?? 0) * 2 + Number(place < text.head));
    }
    nameStarts.push(nameTerms.length);
    actions.push(toolAction(text));
    plural.push(Number(text.isPlural || (toolAction(text) & verbMask('list')) !== 0));
    if (vectors !== undefined) {
      const said = name.concat(text.description.slice(0, mostSaid));
      const rows = said.map((term) => rowOfTerm(term, vocabulary, vectors));
      writeTextVector(rows, vectors, textVectors, at * dimensions);
    }
    if (at % 8 === 7) yield undefined;
  }
  return {
    toolkit: first?.toolkit ?? '',
    title: first?.toolkitName ?? first?.toolkit ?? '',
    ids: tools.map(({ id }) => id),
    names: tools.map(({ name }) => name),
    ...(yield* postings.pack()),
    nameTerms: Uint32Array.from(nameTerms),
    nameStarts: Uint32Array.from(nameStarts),
    actions: Uint32Array.from(actions),
    described: Uint8Array.from(tools, ({ description }) => Number((description ?? '') !== '')),
    plural: Uint8Array.from(plural),
    vectors: textVectors,
    titleTerms: Uint32Array.from(app),
  };
}

/** Reading several is listing: `get_phone_numbers`. */
function toolAction({ name, isPlural }: ToolText): number {
  const action = actionMask(name);
  return isPlural && (action & verbMask('get')) !== 0 ? action | verbMask('list') : action;
}

/** The terms of all fields, and what each counts where it stands. */
function weigh(text: Readonly<Record<(typeof fields)[number]['field'], readonly number[]>>) {
  const terms: number[] = [];
  const shares: number[] = [];
  for (const { field, weight, usual, slope } of fields) {
    const share = weight / (1 - slope + (slope * text[field].length) / usual);
    for (const term of text[field]) {
      terms.push(term);
      shares.push(share);
    }
  }
  return { terms, shares };
}

/** Where a term stands in a shard; -1 if none of its tools has it. */
export function findSlot(shard: Shard, term: number): number {
  const { terms } = shard;
  let low = 0;
  let high = terms.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = terms[middle] ?? 0;
    if (found === term) return middle;
    if (found < term) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** How many tools of a shard have the term. */
export function countIn(shard: Shard, term: number): number {
  const slot = findSlot(shard, term);
  return slot < 0 ? 0 : (shard.starts[slot + 1] ?? 0) - (shard.starts[slot] ?? 0);
}

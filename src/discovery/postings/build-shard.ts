/**
 * Reads the tools of one toolkit into a shard.
 *
 * A posting stores the field-weighted frequency of BM25F in one byte. Field lengths are compared with fixed typical
 * lengths, not with present averages, so that an app can be added or removed without affecting any other.
 */
import { hashNames } from '../names/name-table.js';
import { rowOfTerm, writeTextVector } from '../semantic/text-vectors.js';
import type { WordVectors } from '../semantic/word-vectors.js';
import { actionMask, verbMask } from '../text/verbs.js';
import { stopWords } from '../text/vocabulary-data.js';
import type { DiscoveredTool } from '../tool.js';
import { computeFingerprint, type EarlierTools, readEarlier } from './fingerprints.js';
import { packShard } from './packed-shard.js';
import { areSame, packTexts } from './packed-texts.js';
import { createPostingList, type PostingList } from './posting-list.js';
import type { Shard, ToolFacts } from './shard.js';
import { listTexts, readToolText, type ToolText, titleStems } from './tool-text.js';
import type { Vocabulary } from './vocabulary.js';

/** Maximum tools of one toolkit. */
export const maxTools = 65_535;
/** Maximum words of a description that its vector includes. */
const maxSaid = 40;

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

/** The columns that are written as each tool is read. */
interface Columns extends Omit<ToolFacts, 'texts' | 'nameTerms' | 'titleTerms'> {
  readonly postings: PostingList;
  readonly nameTerms: number[];
}

/** What all tools of a toolkit are read with. */
interface Reading {
  /** The terms of the toolkit's display name. */
  readonly app: readonly number[];
  readonly vocabulary: Vocabulary;
  readonly vectors: WordVectors | undefined;
}

/**
 * Builds a shard a few tools at a time: each `next` is a short piece of work, and the last returns the shard. Tools in
 * the `earlier` shard of the same toolkit, vocabulary and vectors with unchanged text are not read again.
 */
export function* buildShard(
  tools: readonly DiscoveredTool[],
  vocabulary: Vocabulary,
  vectors?: WordVectors,
  earlier?: Shard,
): Generator<undefined, Shard> {
  const first = tools[0];
  const title = first?.toolkitName ?? first?.toolkit ?? '';
  const app = (first === undefined ? [] : titleStems(first)).map((word) => vocabulary.enter(word));
  const columns: Columns = {
    postings: createPostingList(),
    nameTerms: [],
    nameStarts: new Uint32Array(tools.length + 1),
    actions: new Uint32Array(tools.length),
    described: new Uint8Array(tools.length),
    plural: new Uint8Array(tools.length),
    vectors: new Int8Array(tools.length * (vectors?.dimensions ?? 0)),
    fingerprints: new Uint32Array(2 * tools.length),
  };
  const known =
    earlier === undefined
      ? undefined
      : { earlier, tools: yield* readEarlier(earlier.postings(), earlier.facts().fingerprints) };
  const written: string[] = [];
  yield undefined;
  for (const [at, tool] of tools.entries()) {
    const said = listTexts(tool);
    const fingerprint = computeFingerprint([title, ...said]);
    columns.fingerprints.set(fingerprint, 2 * at);
    written.push(tool.id, tool.name);
    columns.described[at] = Number((tool.description ?? '') !== '');
    const before = known?.tools.find(fingerprint);
    if (known !== undefined && before !== undefined) copyTool(columns, at, known, before);
    else addTool(columns, at, readToolText(tool.toolkit, said, vocabulary), { app, vocabulary, vectors });
    columns.nameStarts[at + 1] = columns.nameTerms.length;
    if (at % 8 === 7) yield undefined;
  }
  const { postings: list, nameTerms, ...told } = columns;
  const postings = yield* list.pack();
  const texts = yield* packTexts(written);
  const isCalledAsBefore = earlier !== undefined && areSame(texts, earlier.facts().texts);
  const names = isCalledAsBefore ? earlier.names() : yield* hashNames(tools);
  const facts = { texts, ...told, nameTerms: new Uint32Array(nameTerms), titleTerms: new Uint32Array(app) };
  const { toolkit = '' } = first ?? {};
  return yield* packShard({ toolkit, title, size: tools.length }, { postings, names, facts });
}

function addTool(columns: Columns, at: number, text: ToolText, { app, vocabulary, vectors }: Reading): void {
  const name = text.name.map((word) => vocabulary.enter(word));
  const { terms, shares } = weigh({ name, app, description: text.description, parameters: text.parameters });
  columns.postings.add(at, terms, shares);
  for (const [place, word] of text.name.entries()) {
    if (stopWords.has(word) || text.name.indexOf(word) < place) continue;
    columns.nameTerms.push((name[place] ?? 0) * 2 + Number(place < text.head));
  }
  const action = toolAction(text);
  columns.actions[at] = action;
  columns.plural[at] = Number(text.isPlural || (action & verbMask('list')) !== 0);
  if (vectors === undefined) return;
  const said = name.concat(text.description.slice(0, maxSaid));
  const rows = said.map((term) => rowOfTerm(term, vocabulary, vectors));
  writeTextVector(rows, vectors, columns.vectors, at * vectors.dimensions);
}

interface Known {
  readonly earlier: Shard;
  readonly tools: EarlierTools;
}

function copyTool(columns: Columns, at: number, { earlier, tools }: Known, before: number): void {
  tools.postings(before, (term, weight) => columns.postings.put(at, term, weight));
  const { nameStarts, nameTerms, actions, plural, vectors } = earlier.facts();
  for (let from = nameStarts[before] ?? 0; from < (nameStarts[before + 1] ?? 0); from++)
    columns.nameTerms.push(nameTerms[from] ?? 0);
  columns.actions[at] = actions[before] ?? 0;
  columns.plural[at] = plural[before] ?? 0;
  const dimensions = vectors.length / earlier.size;
  columns.vectors.set(vectors.subarray(before * dimensions, (before + 1) * dimensions), at * dimensions);
}

/** Reading several items is listing: `get_phone_numbers`. */
function toolAction({ name, isPlural }: ToolText): number {
  const action = actionMask(name);
  return isPlural && (action & verbMask('get')) !== 0 ? action | verbMask('list') : action;
}

/** The terms of all fields, and the weight of each occurrence. */
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

/** Memories as documents of the knowledge index: one text element each, with the vectors of the model if there is one. */
import { HelveError, toHelveError } from '../../../domain/errors.js';
import type { StoredDocument } from '../../../domain/reach.js';
import { defined } from '../../../util/defined.js';
import { type Element, extractFormat, type SourceHead } from '../../../util/extract/elements.js';
import { sha256 } from '../../../util/hash.js';
import { askIndex } from '../index/index.js';
import type { IngestContext } from '../shapes.js';
import { embedTexts } from '../vectors.js';

/** What the first line of a stored memory has besides the head of every source. */
interface MemoryFacts {
  readonly about?: string;
  /** Name of the caller who stored it. */
  readonly by: string;
  /** Id of that caller: `agent:<id>`, with a slash and the person for whom it acted. */
  readonly owner: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface Memory extends MemoryFacts {
  readonly id: string;
  readonly text: string;
}

type Context = Omit<IngestContext, 'config' | 'files'>;

/** Maximum number of memories in a place. */
export const maxMemories = 1_000;

/** The same text in the same place has the same id. */
export const nameMemory = (text: string): string => sha256(text).slice(0, 16);

/** Returns false if the memory exists already. Throws `too_large` if the place is full. */
export async function keepMemory(
  context: Context,
  place: string,
  { id, text, about, by, owner, at }: Memory,
): Promise<boolean> {
  const { documents, models, signal } = context;
  const path = `${place}${id}`;
  if ((await documents.get(path)) !== undefined) return false;
  if ((await documents.list({ prefix: place, limit: maxMemories })).length >= maxMemories)
    throw new HelveError('too_large', `There are ${maxMemories} memories here already`, {
      hint: 'Forget some that no longer matter.',
    });
  const vectors = await embed(models.embedding, about === undefined ? text : `${about}\n${text}`, signal);
  const head: SourceHead & MemoryFacts = {
    format: extractFormat,
    mediaType: 'text/plain',
    counts: { text: 1 },
    notes: [],
    by,
    owner,
    at,
    ...defined({ about, model: vectors === undefined ? undefined : models.embedding?.id }),
  };
  const elements: Element[] = [{ type: 'text', text, place: {}, ...defined({ context: about }) }];
  const content = [JSON.stringify(head), JSON.stringify(elements), ...(vectors === undefined ? [] : [vectors])];
  // Somebody else may have stored the same text meanwhile: it stays theirs.
  return documents.add({ path, mediaType: head.mediaType, hash: id, content: content.join('\n') });
}

/** Undefined without a model, or if it fails: then the memory is found by its words only. */
async function embed(
  model: Context['models']['embedding'],
  text: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (model === undefined) return undefined;
  try {
    return await embedTexts(model, [text], signal);
  } catch (error) {
    if (signal.aborted || toHelveError(error).code === 'cancelled') throw error;
    return undefined;
  }
}

/** The memories of a place that match the query, the best first: by words and, with a model, by meaning too. */
export async function findMemories(
  context: Context,
  place: string,
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<Memory[]> {
  const { documents, signal, caller, settings, progress, workers } = context;
  const index = { documents, signal, caller, settings, progress, workers, space: 'memory' };
  const asked = { query, scope: { prefix: place }, most: limit };
  const lists = [await askIndex(index, { act: 'words', ...asked })];
  const { embedding } = context.models;
  const [vector] = (await embedding?.embed([query])) ?? [];
  if (embedding && vector?.length)
    lists.push(await askIndex(index, { act: 'near', vector, model: embedding.id, ...asked }));
  const scores = new Map<string, number>();
  for (const { hits } of lists)
    hits.forEach(({ path }, rank) => void scores.set(path, (scores.get(path) ?? 0) + 1 / (60 + rank)));
  const best = [...scores].sort(([, one], [, other]) => other - one).slice(0, limit);
  return readMemories(
    context,
    best.map(([path]) => path),
  );
}

/** The newest memories of a place, newest first. */
export async function latestMemories(context: Context, place: string, limit: number): Promise<Memory[]> {
  const facts = await context.documents.list({ prefix: place, limit: maxMemories });
  const newest = facts.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt)).slice(0, limit);
  return readMemories(
    context,
    newest.map(({ path }) => path),
  );
}

/** Memories that were deleted in the meantime are left out. */
export async function readMemories(
  { documents }: Pick<Context, 'documents'>,
  paths: readonly string[],
): Promise<Memory[]> {
  const found = await Promise.all(paths.map((path) => documents.get(path)));
  return found.flatMap((document) => (document === undefined ? [] : [readMemory(document)]));
}

function readMemory({ path, content }: StoredDocument): Memory {
  const [head = '{}', elements = '[]'] = content.split('\n');
  const { about, by, owner, at } = JSON.parse(head) as MemoryFacts;
  const [element] = JSON.parse(elements) as Element[];
  return { id: path.slice(path.lastIndexOf('/') + 1), text: element?.text ?? '', by, owner, at, ...defined({ about }) };
}

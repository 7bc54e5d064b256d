/**
 * Stores one source: in the same way for a text that a caller sends and for a file. A source with known bytes and
 * caption is left as it is; a changed one replaces the old one in one write.
 */
import { HelveError, toHelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';
import { extractFormat, readHead, type SourceHead } from '../../util/extract/elements.js';
import { readInWorker } from '../../util/extract/index.js';
import { getMedia, type Media } from '../../util/extract/media.js';
import type { IngestContext } from './shapes.js';
import { checkAllowed, sourcePath } from './sources.js';
import { embedTexts } from './vectors.js';

export interface Source {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mediaType?: string | undefined;
  readonly caption?: string | undefined;
}

export interface Ingested {
  readonly path: string;
  readonly elements: Record<string, number>;
  readonly unchanged: boolean;
  readonly notes: string[];
}

export async function ingestSource(context: Omit<IngestContext, 'files'>, source: Source): Promise<Ingested> {
  const { documents, config, models, signal, caller, workers } = context;
  const path = sourcePath(source.path);
  checkAllowed(config.allowed_sources, path);
  if (source.bytes.length > config.max_file_bytes) {
    const problem = `${path} has ${source.bytes.length} bytes; at most ${config.max_file_bytes} are allowed`;
    throw new HelveError('too_large', problem, { hint: 'Split it, or have max_file_bytes raised in tool_config.' });
  }
  const media = getMedia(path, source.bytes, source.mediaType);
  const { embedding } = models;
  const hash = await computeHash(source.bytes, source.caption);
  const known = await documents.get(path);
  const head = known?.hash === hash ? readHead(known.content) : undefined;
  if (head && isUpToDate(head, getKind(media), embedding?.id))
    return { path, elements: { ...head.counts }, unchanged: true, notes: [...head.notes] };
  const { bytes, caption } = source;
  const read = await readInWorker(
    { bytes, path, ...media, caption },
    { workers, signal, workspaceId: caller.workspaceId },
  );
  const { vectors, missing } = await embedSource(read.texts, embedding, signal);
  const notes = missing === undefined ? [...read.notes] : [...read.notes, missing];
  if (signal.aborted) throw new HelveError('cancelled', 'The call was cancelled');
  const stored: SourceHead = {
    format: extractFormat,
    mediaType: getKind(media),
    ...defined({ caption }),
    counts: read.counts,
    notes,
    ...defined({ model: vectors === undefined ? undefined : embedding?.id }),
  };
  const content = [JSON.stringify(stored), read.elements, vectors].filter((part) => part !== undefined).join('\n');
  await documents.put({ path, mediaType: media.mediaType, hash, content });
  return { path, elements: { ...read.counts }, unchanged: false, notes };
}

/** Whether reading the same bytes again would give exactly what is stored, with the vectors of this model. */
function isUpToDate(head: SourceHead, kind: string, model: string | undefined): boolean {
  if (head.format !== extractFormat || head.mediaType !== kind) return false;
  if (head.model !== undefined) return head.model === model;
  return model === undefined || !hasElements(head);
}

/** `missing`: why there are no vectors yet. A source without vectors is still found by its words. */
async function embedSource(
  texts: readonly string[],
  embedding: IngestContext['models']['embedding'],
  signal: AbortSignal,
): Promise<{ vectors?: string; missing?: string }> {
  if (!embedding || texts.length === 0) return {};
  try {
    return { vectors: await embedTexts(embedding, texts, signal) };
  } catch (error) {
    const { code, message } = toHelveError(error);
    if (code === 'cancelled' || signal.aborted) throw error;
    return { missing: `There are no vectors for a semantic search yet: ${message}. Ingest it again to make them.` };
  }
}

const getKind = ({ mediaType, language }: Media): string =>
  language === undefined ? mediaType : `text/x-source; language=${language}`;

const hasElements = ({ counts }: SourceHead): boolean => Object.values(counts).some((count) => (count ?? 0) > 0);

/** SHA-256 of the bytes, followed by a zero byte and the caption if there is one. Not computed on the main thread. */
async function computeHash(bytes: Uint8Array, caption: string | undefined): Promise<string> {
  const whole = caption === undefined ? bytes : Buffer.concat([bytes, Buffer.from(`\0${caption}`)]);
  return Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(whole))).toString('hex');
}

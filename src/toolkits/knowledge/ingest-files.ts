/**
 * Ingests a folder of files, one after the other. Each is stored by itself, so that an interrupted call can continue
 * where it stopped.
 */
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { FileAccess, FileEntry } from '../../domain/reach.js';
import { isImage } from '../../util/extract/media.js';
import { ingestSource } from './ingest.js';
import type { IngestContext } from './shapes.js';

export interface IngestedFiles {
  ingested: number;
  unchanged: number;
  failed: { path: string; code: string; message: string }[];
  failures: number;
  elements: Record<string, number>;
  /** Each once, with the first file that it is about. */
  notes: { note: string; path: string; files: number }[];
  truncated: boolean;
}

const mostFiles = 20_000;
const mostFailures = 100;
const mostNotes = 100;

export async function ingestFiles(
  context: IngestContext,
  path: string,
  pattern: string | undefined,
): Promise<IngestedFiles> {
  const { signal, progress } = context;
  const { entries, truncated } = await listFiles(context, path, pattern);
  const done: IngestedFiles = {
    ingested: 0,
    unchanged: 0,
    failed: [],
    failures: 0,
    elements: {},
    notes: [],
    truncated,
  };
  const { files } = context;
  for (const [index, entry] of entries.entries()) {
    if (signal.aborted) throw new HelveError('cancelled', 'The call was cancelled; what was already ingested is kept');
    progress({ progress: index, total: entries.length, message: entry.path });
    try {
      const { unchanged, elements, notes } = await ingestFile(context, files, entry);
      if (unchanged) done.unchanged += 1;
      else done.ingested += 1;
      for (const [type, count] of Object.entries(elements)) done.elements[type] = (done.elements[type] ?? 0) + count;
      for (const note of notes) addNote(done.notes, note, entry.path);
    } catch (error) {
      const { code, message } = toHelveError(error);
      // An unreadable file concerns only that file; a failed store or a cancelled call ends everything.
      if (signal.aborted || !(error instanceof HelveError) || code === 'storage_failed' || code === 'shutting_down')
        throw error;
      done.failures += 1;
      if (done.failed.length < mostFailures) done.failed.push({ path: entry.path, code, message });
    }
  }
  progress({ progress: entries.length, total: entries.length, message: 'done' });
  return done;
}

function addNote(told: IngestedFiles['notes'], note: string, path: string): void {
  const before = told.find((one) => one.note === note);
  if (before) before.files += 1;
  else if (told.length < mostNotes) told.push({ note, path, files: 1 });
}

async function listFiles({ files, signal }: IngestContext, path: string, pattern: string | undefined) {
  const top = await files.stat(path);
  if (top.type === 'file') return { entries: [top], truncated: false };
  const everywhere = pattern === undefined ? '**/*' : pattern.includes('/') ? pattern : `**/${pattern}`;
  const found = await files.list(path, { pattern: everywhere, limit: mostFiles, signal });
  const captions = new Set(
    found.entries.filter((entry) => isImage(entry.path)).flatMap((entry) => sidecars(entry.path)),
  );
  // Without a pattern, files that programs create for themselves are left out.
  const hidden = (name: string): boolean =>
    pattern === undefined && /(?:^|\/)(?:\.[^/]+|node_modules|__pycache__)(?:\/|$)/.test(name.slice(top.path.length));
  const entries = found.entries.filter(
    (entry) => entry.type === 'file' && !captions.has(entry.path) && !hidden(entry.path),
  );
  return { entries, truncated: found.truncated };
}

const sidecars = (path: string): string[] => [`${path}.caption`, `${path}.txt`];

async function ingestFile(context: IngestContext, files: FileAccess, { path }: FileEntry) {
  const { bytes } = await files.read(path);
  let caption: string | undefined;
  if (isImage(path)) {
    for (const sidecar of sidecars(path)) {
      const text = await files.read(sidecar).then(
        (read) => Buffer.from(read.bytes).toString('utf8').trim(),
        () => '',
      );
      if (text !== '') caption ??= text.slice(0, 4_000);
    }
  }
  return ingestSource(context, { path, bytes, caption });
}

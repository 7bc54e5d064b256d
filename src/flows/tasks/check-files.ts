/** The check `files`: what must be in the folder of the issue. */
import { toHelveError } from '../../domain/errors.js';
import type { FileAccess } from '../../domain/reach.js';
import type { Check, CheckResult } from '../../domain/task.js';
import type { Workers } from '../../domain/workers.js';
import { firstMatch } from '../../util/pattern-match.js';
import { failed, passed } from './check-results.js';

/** Files of each glob that are looked at. */
const maxFiles = 200;
/** Files of each glob in the evidence. */
const shownFiles = 10;

export interface FilesParts {
  /** The folder of an issue, only to read. Throws if there is none. */
  readonly issueFiles: (issue: { readonly workspaceId: string; readonly id: string }) => FileAccess;
  readonly workers: Workers;
}

export interface FilesQuestion {
  readonly check: Extract<Check, { kind: 'files' }>;
  readonly issue: { readonly workspaceId: string; readonly id: string };
  readonly signal: AbortSignal;
}

/** The evidence names files and their sizes, and nothing that is in them. */
export async function checkFiles(
  { issueFiles, workers }: FilesParts,
  { check, issue, signal }: FilesQuestion,
): Promise<CheckResult> {
  const files = issueFiles(issue);
  const found: Record<string, { readonly path: string; readonly size: number }[]> = {};
  const missing: string[] = [];
  for (const glob of check.paths) {
    const matching = await findFiles(files, glob, signal);
    const good = check.pattern === undefined ? matching : await withText({ files, workers }, matching, check.pattern);
    found[glob] = good.slice(0, shownFiles).map(({ path, size }) => ({ path, size }));
    if (good.length > 0) continue;
    missing.push(matching.length === 0 ? glob : `${glob} (${matching.length} there, none with the pattern)`);
  }
  if (missing.length === 0) return passed(check, { found });
  return failed(check, `These are not in the folder: ${missing.join(', ')}`, { found });
}

interface Found {
  readonly path: string;
  readonly size: number;
}

async function findFiles(files: FileAccess, glob: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { entries } = await files.list('.', { pattern: glob, limit: maxFiles, signal });
  return entries.filter(({ type }) => type === 'file');
}

/** A file that cannot be read has no text. */
async function withText(
  { files, workers }: { readonly files: FileAccess; readonly workers: Workers },
  matching: readonly Found[],
  pattern: string,
): Promise<readonly Found[]> {
  const good: Found[] = [];
  for (const found of matching) {
    const text = await files.read(found.path).then(
      ({ bytes }) => Buffer.from(bytes).toString('utf8'),
      (error: unknown) => {
        if (toHelveError(error).retryable) throw error;
        return undefined;
      },
    );
    const answer = text === undefined ? undefined : await firstMatch(workers, { patterns: [pattern], text });
    if (answer && 'matched' in answer) good.push(found);
  }
  return good;
}

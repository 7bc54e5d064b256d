/** Which checks an issue may have. A check that cannot be run is refused here, so that none is skipped later. */
import { HelveError } from '../../domain/errors.js';
import type { Check } from '../../domain/task.js';
import type { Workers } from '../../domain/workers.js';
import { admitSchema } from '../../schema/index.js';
import { firstMatch } from '../../util/pattern-match.js';
import type { TaskParts } from './parts.js';

export type CheckParts = Pick<TaskParts, 'storage' | 'workers' | 'dataDir'>;

/**
 * Returns the checks as they are stored, with people by their ids. Throws `invalid_input` for an invalid schema, glob
 * or pattern, for an unknown person, for a check that needs a folder where there is none, and for a `model` check
 * without any other check.
 */
export async function admitChecks(
  parts: CheckParts,
  workspaceId: string,
  checks: readonly Check[],
): Promise<readonly Check[]> {
  if (checks.length > 0 && checks.every(({ kind }) => kind === 'model'))
    throw new HelveError('invalid_input', 'A model cannot be the only check', {
      hint: 'Add a check of another kind, for example command, files, tool, output or person.',
    });
  return Promise.all(checks.map((check, at) => admitCheck(parts, { workspaceId, check, at })));
}

interface Given {
  readonly workspaceId: string;
  readonly check: Check;
  readonly at: number;
}

async function admitCheck(parts: CheckParts, { workspaceId, check, at }: Given): Promise<Check> {
  if ('schema' in check) admitSchema(check.schema);
  if (check.kind === 'command' || check.kind === 'files') requireFolder(parts, check.kind, at);
  if (check.kind === 'files') await requireMatchable(parts.workers, check, at);
  if (check.kind !== 'person' || check.who === undefined) return check;
  const { who } = check;
  const users = await parts.storage.workspace(workspaceId).listUsers();
  const user = users.find((one) => one.status === 'active' && (one.id === who || one.email === who));
  if (user) return { ...check, who: user.id };
  throw refused(`There is no active person ${JSON.stringify(who)}`, at, 'Name an id or an email, or nobody.');
}

function requireFolder({ dataDir }: Pick<CheckParts, 'dataDir'>, kind: string, at: number): void {
  if (dataDir !== undefined) return;
  const why = `Checks of the kind ${kind} need the folder of the issue, and there is no data folder`;
  throw refused(why, at, 'Start Helve with a data folder, or use tool, output, pull_request, person or model.');
}

async function requireMatchable(
  workers: Workers,
  { paths, pattern }: Extract<Check, { kind: 'files' }>,
  at: number,
): Promise<void> {
  const odd = paths.find((path) => path.startsWith('/') || path.includes('\0') || path.split('/').includes('..'));
  if (odd !== undefined)
    throw refused(
      `The path ${JSON.stringify(odd)} does not stay in the folder`,
      at,
      'Write it relative to the folder.',
    );
  if (pattern === undefined) return;
  const answer = await firstMatch(workers, { patterns: [pattern], text: '' });
  if (answer && 'malformed' in answer)
    throw refused(`The pattern is not a regular expression of RE2: ${answer.problem}`, at, 'Correct the pattern.');
}

const refused = (message: string, check: number, hint: string): HelveError =>
  new HelveError('invalid_input', message, { hint, details: { check } });

/**
 * Asks SQLite in a worker that has access to the one database only: an agent writes the SQL, and the SQLite that is
 * linked in can read and write files. Only bubblewrap can confine that worker, so SQLite is not available without it.
 * `sqlite-admit.ts` decides before a statement runs whether it may run at all.
 */
import { HelveError } from '../../domain/errors.js';
import type { Workers } from '../../domain/workers.js';
import { defineWorker } from '../../util/sandbox/define-worker.js';
import type { Answer, Question } from './answer.js';
import type { Reply } from './run-sqlite.js';
import type { Target } from './settings.js';
import { findSqliteFiles, type SqliteFiles } from './sqlite-files.js';

/** How long a statement waits for another program's lock. */
const mostWaitMs = 5_000;

const worker = defineWorker<typeof import('./run-sqlite.js')>(import.meta.url, {
  module: './run-sqlite.js',
  places: { most: 4, mostOfKey: 2, idleMs: 30_000 },
  residentMb: 600,
  needsBubblewrap: true,
});

/** Another program may replace the database, or begin to write to it, while a statement reads. */
const mostAttempts = 3;

/** Throws `invalid_config` where bubblewrap cannot confine it, `forbidden`, `upstream_failed`, `timeout`, `too_large` or `invalid_input`. */
export async function askSqlite(
  target: Target,
  question: Question,
  reach: { readonly workers: Workers; readonly signal: AbortSignal },
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const files = await findSqliteFiles(target);
    const reply = await reach.workers.ask(worker, { ...questionFor(target, files, question), signal: reach.signal });
    if (target.writes || attempt === mostAttempts || (await findSqliteFiles(target)).state === files.state) {
      return toAnswer(target, reply);
    }
  }
}

function questionFor(target: Target, { key, files, path }: SqliteFiles, { timeoutMs, ...limits }: Question) {
  const address = `file:${path.split('/').map(encodeURIComponent).join('/')}?mode=${target.writes ? 'rw' : 'ro'}`;
  const waitMs = Math.ceil(Math.min(timeoutMs, mostWaitMs));
  const message = { ...limits, address, waitMs, writes: target.writes };
  return { call: 'runStatement', message, key, heapMb: 256, files, timeoutMs } as const;
}

function toAnswer({ name, writes }: Target, reply: Reply): Answer {
  if (!('problem' in reply)) return reply;
  const text = `${name}: ${reply.message}`;
  if (reply.problem === 'forbidden' || /readonly database/.test(reply.message)) {
    throw new HelveError('forbidden', text, {
      hint: writes
        ? 'Send one statement that reads or changes rows, or makes a table, an index or a view.'
        : 'This database is read-only here: send one SELECT.',
    });
  }
  if (/unable to open|not a database|disk I\/O/i.test(reply.message)) throw new HelveError('upstream_failed', text);
  throw new HelveError('invalid_input', text, { hint: 'Correct the statement; describe_database shows the tables.' });
}

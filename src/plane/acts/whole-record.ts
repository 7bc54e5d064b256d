/** The record as a whole: its check, which can go on from a checkpoint, and its export. */
import {
  auditRows,
  type ChainStep,
  type CheckOptions,
  checkChain,
  createTurns,
  findArchiveKey,
  isSigned,
  verifyChain,
} from '../../audit/index.js';
import type { AuditEvent } from '../../domain/audit.js';
import type { ChainActs, ChainPoint, ChainProgress, ChainReport, EarlierCheck } from '../../domain/chain.js';
import { HelveError } from '../../domain/errors.js';
import type { Plane } from '../../domain/plane.js';
import type { PlaneParts } from '../../flows/parts.js';
import { defined } from '../../util/defined.js';
import { withActorId, withRecordName } from './record-name.js';

type WholeRecordActs = ChainActs & Pick<Plane, 'exportAudit'>;

type WholeRecordParts = Pick<PlaneParts, 'storage' | 'now' | 'accounts' | 'catalogue' | 'registry'>;

export function createWholeRecord(parts: WholeRecordParts): WholeRecordActs {
  const { storage } = parts;
  const takeTurn = createTurns();
  const verify = shared(async (workspaceId, from?: ChainPoint): Promise<ChainReport> => {
    for (;;) {
      const archived = await readArchived(parts, workspaceId);
      const options = defined({ from, archived: archived.point, takeTurn });
      const report = archived.refusal ?? (await verifyChain(storage.workspace(workspaceId).audit, options));
      if (report.ok || !(await hasMoved(parts, workspaceId, archived))) return report;
    }
  });
  return {
    async *exportAudit(principal, filter = {}) {
      const { audit } = storage.workspace(principal.workspaceId);
      if (Object.keys(filter).length === 0) return yield* auditRows(audit, takeTurn);
      const query = await withActorId(parts, principal, await withRecordName(parts, principal, filter));
      for (let before: number | undefined; ; ) {
        const rows: AuditEvent[] = await audit.search({ ...query, limit: rowsPerSearch, ...defined({ before }) });
        yield* rows;
        before = rows.at(-1)?.seq;
        if (rows.length < rowsPerSearch || before === undefined) return;
      }
    },
    async verifyAudit(principal, from) {
      return verify(principal.workspaceId, from);
    },
    async *followAuditCheck({ workspaceId }, checkpoint, signal) {
      const from = checkpoint === undefined ? undefined : await openCheckpoint(parts, workspaceId, checkpoint);
      const earlier = from && { seq: from.seq, at: from.at };
      let archived = await readArchived(parts, workspaceId);
      const begin = () => beginCheck(parts, workspaceId, { archived, ...defined({ from, takeTurn }) });
      let check = begin();
      for (let verified: ChainPoint | undefined; !signal.aborted; ) {
        const { done, value } = await check.next();
        if (done && !value.ok && (await hasMoved(parts, workspaceId, archived))) {
          archived = await readArchived(parts, workspaceId);
          check = begin();
        } else if (done) {
          const { rows, ...report } = value;
          const kept = await makeCheckpoint(parts, workspaceId, value.ok ? value.head : verified);
          yield { type: 'done', ...report, checked: rows, ...defined({ earlier, checkpoint: kept }) };
          return;
        } else {
          verified = value;
          yield await toProgress(parts, workspaceId, value);
        }
      }
    },
  };
}

interface Archived {
  /** The last row that is said to be in an archive; 0 for none. */
  readonly seq: number;
  /** The same row, if this installation has signed the archive. */
  readonly point?: ChainPoint;
  /** The report instead of a check, if the archive is not this installation's. */
  readonly refusal?: ChainReport;
}

/** Missing rows are accepted only if an archive with the installation's own signature has them. */
async function readArchived({ storage, accounts }: WholeRecordParts, workspaceId: string): Promise<Archived> {
  const workspace = storage.workspace(workspaceId);
  const newest = await workspace.recordArchives.newest();
  if (newest === undefined) return { seq: 0 };
  const { seq } = newest.last;
  const key = await findArchiveKey(workspace, accounts.vault).catch((error: unknown) => {
    if (error instanceof HelveError && error.code === 'storage_failed') throw error;
    return null;
  });
  if (key && isSigned(newest, key)) return { seq, point: newest.last };
  const problem =
    key === null
      ? `rows 1 to ${seq} are said to be in an archive, and the vault's key that could prove it is missing or cannot be read`
      : `rows 1 to ${seq} are said to be in an archive that this installation has not signed`;
  return { seq, refusal: { ok: false, rows: 0, firstBroken: { seq: 1, problem }, head: await workspace.audit.head() } };
}

/** Whether rows that a check was reading have been archived meanwhile. */
async function hasMoved({ storage }: WholeRecordParts, workspaceId: string, { seq }: Archived): Promise<boolean> {
  return ((await storage.workspace(workspaceId).recordArchives.newest())?.last.seq ?? 0) !== seq;
}

interface Beginning extends Pick<CheckOptions, 'from' | 'takeTurn'> {
  readonly archived: Archived;
}

async function* beginCheck(
  { storage }: WholeRecordParts,
  workspaceId: string,
  { archived, from, takeTurn }: Beginning,
): AsyncGenerator<ChainStep, ChainReport> {
  if (archived.refusal !== undefined) return archived.refusal;
  // The rows up to the checkpoint were verified and have been archived since.
  const later = from !== undefined && from.seq < (archived.point?.seq ?? 0) ? undefined : from;
  const { audit } = storage.workspace(workspaceId);
  return yield* checkChain(audit, defined({ from: later, takeTurn, archived: archived.point }));
}

/** Rows read in one statement of a filtered export. */
const rowsPerSearch = 100;

async function toProgress(
  parts: WholeRecordParts,
  workspaceId: string,
  { total, ...point }: ChainPoint & { readonly total: number },
): Promise<ChainProgress> {
  const checkpoint = await makeCheckpoint(parts, workspaceId, point);
  return { type: 'progress', checked: point.seq, total, ...defined({ checkpoint }) };
}

const subject = 'audit-checkpoint';

/**
 * A verified row, sealed with the vault's key: whoever can change the store, or the request, cannot make one. Undefined where
 * there is no such key, or no such row.
 */
async function makeCheckpoint(
  { accounts, now }: WholeRecordParts,
  workspaceId: string,
  point: ChainPoint | undefined,
): Promise<string | undefined> {
  if (point === undefined || point.seq === 0) return undefined;
  const text = JSON.stringify({ seq: point.seq, hash: point.hash, at: now().toISOString() });
  return accounts.vault.seal({ workspaceId, subject }, text).then(
    ({ sealed }) => sealed,
    () => undefined,
  );
}

async function openCheckpoint(
  { accounts }: WholeRecordParts,
  workspaceId: string,
  sealed: string,
): Promise<ChainPoint & EarlierCheck> {
  const text = await accounts.vault.open({ workspaceId, subject }, { sealed }).catch((error: unknown) => {
    throw new HelveError('invalid_input', 'This is not a checkpoint of this record', {
      hint: 'The key of the vault may have been rotated since. Check the record from its beginning.',
      cause: error,
    });
  });
  return JSON.parse(text) as ChainPoint & EarlierCheck;
}

/** Simultaneous equal requests share one run; for one workspace no two runs overlap. */
function shared<Rest extends unknown[], T>(
  run: (workspaceId: string, ...rest: Rest) => Promise<T>,
): (workspaceId: string, ...rest: Rest) => Promise<T> {
  const last = new Map<string, { readonly asked: string; readonly running: Promise<T> }>();
  return (workspaceId, ...rest) => {
    const asked = JSON.stringify(rest);
    const before = last.get(workspaceId);
    if (before?.asked === asked) return before.running;
    const started = (before?.running ?? Promise.resolve()).catch(() => undefined).then(() => run(workspaceId, ...rest));
    const running = started.finally(() => {
      if (last.get(workspaceId)?.running === running) last.delete(workspaceId);
    });
    last.set(workspaceId, { asked, running });
    return running;
  };
}

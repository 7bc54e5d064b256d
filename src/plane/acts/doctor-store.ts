/** How large the record and the store are, and how fast the record grows. */
import type { DoctorCheck } from '../../domain/doctor.js';
import type { Principal } from '../../domain/principal.js';
import type { AuditTable } from '../../domain/storage.js';
import type { RemovableRows, StoreSizes } from '../../domain/store-sizes.js';
import { firstWorkspace } from '../../domain/workspaces.js';
import type { PlaneParts } from '../../flows/parts.js';

const dayMs = 86_400_000;
const days = 7;

/** A block of the indexes over the record: archives end with one. */
const blockRows = 1_024;
/** The ages for which the report says what retention would remove, besides the age of the policy. */
const offered = [30, 90, 400];

type Parts = Pick<PlaneParts, 'storage' | 'now' | 'keepDays'>;

/**
 * The rows are those of the caller's workspace. The size of the whole store is shown to the people of the first workspace
 * only: it says how much happens in the others.
 */
export async function measureSizes({ storage, now, keepDays }: Parts, { workspaceId }: Principal): Promise<StoreSizes> {
  const { audit, recordArchives, sizes } = storage.workspace(workspaceId);
  const { seq } = await audit.head();
  const archived = (await recordArchives.newest())?.last.seq ?? 0;
  const ago = (count: number): string => new Date(now().getTime() - count * dayMs).toISOString();
  const recent = seq - (await countBefore(audit, seq, ago(days)));
  const kinds = await sizes();
  const record = kinds.find(({ kind }) => kind === 'record');
  const bytesPerRow = record === undefined ? 0 : record.bytes / Math.max(1, seq - archived);
  const openSince = (await recordArchives.openSince()) ?? now().toISOString();
  const removable: RemovableRows[] = [];
  for (const keep of [...new Set([...offered, ...(keepDays === undefined ? [] : [keepDays])])].sort((a, b) => a - b)) {
    const time = [ago(keep), openSince].sort()[0] ?? '';
    const older = Math.floor((await countBefore(audit, seq, time)) / blockRows) * blockRows;
    removable.push({ keepDays: keep, rows: Math.max(0, older - archived), isPolicy: keep === keepDays });
  }
  const isFirst = (await storage.system.findWorkspace(workspaceId))?.slug === firstWorkspace;
  return {
    ...(isFirst && { wholeBytes: await storage.system.measure() }),
    kinds,
    record: {
      rows: seq,
      archived,
      rowsInWeek: recent,
      bytesInWeek: Math.round(recent * bytesPerRow),
    },
    removable,
  };
}

export function describeSize({ wholeBytes, record }: StoreSizes): DoctorCheck {
  const size = wholeBytes === undefined ? '' : `${formatBytes(wholeBytes)}; `;
  const archived = record.archived === 0 ? '' : ` (${formatNumber(record.archived)} in archives)`;
  const growth = `${formatNumber(record.rowsInWeek)} of them in the last ${days} days`;
  const detail = `${size}rows in the record: ${formatNumber(record.rows)}${archived}, ${growth}`;
  return { check: 'store', state: 'ok', detail };
}

/** Clocks that differ less than this are in step: requests and commits take time too. */
const inStepMs = 30_000;

/** Compares the clock of this machine with that of the store's server, and with the newest row, which any process may have written. */
export async function checkClock({ storage, now }: Parts, { workspaceId }: Principal): Promise<DoctorCheck> {
  const { audit } = storage.workspace(workspaceId);
  const { seq } = await audit.head();
  const [newest] = seq === 0 ? [] : await audit.page(seq - 1, 1);
  const ahead = now().getTime() - (await storage.now()).getTime();
  const hint = 'Let NTP set the clocks of all machines: leases, waits and expiries depend on them.';
  const wrong = (detail: string): DoctorCheck => ({ check: 'clock', state: 'warning', detail, hint });
  if (Math.abs(ahead) > inStepMs)
    return wrong(`${Math.round(Math.abs(ahead) / 1_000)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of the store`);
  if (newest !== undefined && Date.parse(newest.at) - now().getTime() > inStepMs)
    return wrong(`the newest row of the record is of ${newest.at}, which is still to come`);
  return { check: 'clock', state: 'ok', detail: 'in step with the store and the record' };
}

/** How many rows are older. Rows follow each other in time, so a few of them are enough to tell. */
async function countBefore(audit: Pick<AuditTable, 'page'>, head: number, time: string): Promise<number> {
  let [low, high] = [0, head];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await audit.page(middle, 1);
    if (row !== undefined && row.at < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const formatNumber = (value: number): string => value.toLocaleString('en');

function formatBytes(bytes: number): string {
  const megabytes = bytes / 1_048_576;
  return megabytes < 1_024 ? `${megabytes.toFixed(1)} MB` : `${(megabytes / 1_024).toFixed(1)} GB`;
}

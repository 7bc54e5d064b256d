/** How large the record and the store are, and how fast the record grows. */
import type { DoctorCheck } from '../../domain/doctor.js';
import type { Principal } from '../../domain/principal.js';
import type { AuditTable } from '../../domain/storage.js';
import { firstWorkspace } from '../../domain/workspaces.js';
import type { PlaneParts } from '../../flows/parts.js';

const dayMs = 86_400_000;
const days = 7;

/**
 * The rows are those of the caller's workspace. The size of the whole store is shown to the people of the first workspace
 * only: it says how much happens in the others.
 */
export async function describeSize(
  { storage, now }: Pick<PlaneParts, 'storage' | 'now'>,
  { workspaceId }: Principal,
): Promise<DoctorCheck> {
  const { audit } = storage.workspace(workspaceId);
  const { seq } = await audit.head();
  const since = new Date(now().getTime() - days * dayMs).toISOString();
  const before = await countBefore(audit, seq, since);
  const isFirst = (await storage.system.findWorkspace(workspaceId))?.slug === firstWorkspace;
  const size = isFirst ? `${formatBytes(await storage.system.measure())}; ` : '';
  const growth = `${formatNumber(seq - before)} of them in the last ${days} days`;
  return { check: 'store', state: 'ok', detail: `${size}rows in the record: ${formatNumber(seq)}, ${growth}` };
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

/** Whether this process takes requests: it is not about to stop, its store can be written, and its schema is there. */
import type { Plane } from '../../domain/plane.js';
import type { Readiness, UnreadyReason } from '../../domain/readiness.js';
import type { PlaneParts } from '../../flows/parts.js';

/** A balancer that gets no answer decides by its own time limit, which is rarely shorter, and learns no reason. */
const patienceMs = 3_000;

type Parts = Pick<PlaneParts, 'isStopping' | 'canWrite'> & {
  readonly storage: { readonly system: Pick<PlaneParts['storage']['system'], 'isMigrated'> };
};

export function createReadiness({ isStopping, canWrite, storage }: Parts, waitMs = patienceMs): Pick<Plane, 'ready'> {
  async function findReason(): Promise<UnreadyReason | undefined> {
    if (isStopping()) return 'stopping';
    const migrated = await within(waitMs, storage.system.isMigrated());
    if (migrated === false) return 'schema_outdated';
    const writable = migrated !== undefined && (await answersInTime(canWrite, waitMs));
    return writable ? undefined : 'store_unavailable';
  }
  return {
    async ready(): Promise<Readiness> {
      const reason = await findReason();
      return reason === undefined ? { ready: true } : { ready: false, reason };
    },
  };
}

/** Whether the store can be written, and says so within this time. */
export async function answersInTime(canWrite: Parts['canWrite'], waitMs = patienceMs): Promise<boolean> {
  return (await within(waitMs, canWrite())) ?? false;
}

/** Undefined if it fails or takes longer. */
async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([answer.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}

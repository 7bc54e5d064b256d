/** Begins the billing period of every organisation with each calendar month (UTC). */
import type { TaskParts } from './parts.js';
import { pages } from './wake.js';

const checkMs = 3_600_000;

/** `2026-11`. */
const monthOf = (now: Date): string => now.toISOString().slice(0, 7);

/** Several processes may do this at once: the event of a month has the same id in each, and the machine takes each month once. */
export async function startMonth({
  actors,
  storage,
  now,
}: Pick<TaskParts, 'actors' | 'storage' | 'now'>): Promise<void> {
  const period = monthOf(now());
  for (const { id: workspaceId } of await storage.system.listWorkspaces())
    for await (const { actor, snapshot } of pages((after) => actors.list({ workspaceId, kind: 'org', ...after }))) {
      if (snapshot.context.period === period) continue;
      await actors.send(actor, { type: 'BILLING_PERIOD_STARTED', period }, { id: `period:${period}` });
    }
}

/** Looks once an hour, and when a month begins. */
export function createBillingClock(
  parts: Pick<TaskParts, 'actors' | 'storage' | 'now'>,
  report: (error: unknown) => void,
) {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  function look(): void {
    running = startMonth(parts).catch(report);
    const now = parts.now();
    const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime();
    timer = setTimeout(look, Math.min(checkMs, Math.max(1_000, nextMonth))).unref();
  }
  return {
    start: look,
    async close(): Promise<void> {
      clearTimeout(timer);
      await running;
    },
  };
}

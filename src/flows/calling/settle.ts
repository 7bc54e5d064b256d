/**
 * Recovery after a crash: calls that were recorded as started and never finished. It is unknown whether their effect
 * happened, so none is repeated; each gets one row that says so, from whichever process finds it.
 */
import type { JournalEntry, JournalOutcome, PendingIntent } from '../../domain/audit.js';
import type { InstanceRow } from '../../domain/storage.js';

export interface SettleParts {
  readonly instanceId: string;
  readonly now: () => Date;
  readonly listIntents: () => Promise<PendingIntent[]>;
  readonly listInstances: () => Promise<InstanceRow[]>;
  /** Removes the row, unless the process has sent a heartbeat since. */
  readonly removeInstance: (instance: InstanceRow) => Promise<void>;
  readonly isAlive: (instance: InstanceRow, now: Date) => boolean;
  readonly append: (entry: JournalEntry) => Promise<JournalOutcome>;
}

/** Settles what dead processes left open; returns the number of calls. */
export async function settleInterrupted(parts: SettleParts): Promise<number> {
  const now = parts.now();
  // Intents first: the process that opened one had registered before, so a process that starts meanwhile is not
  // considered dead.
  const intents = await parts.listIntents();
  const instances = await parts.listInstances();
  const others = instances.filter(({ id }) => id !== parts.instanceId);
  const alive = new Set(others.filter((row) => parts.isAlive(row, now)).map((row) => row.id)).add(parts.instanceId);
  const orphans = intents.filter((intent) => !alive.has(intent.instanceId));
  const outcomes = await Promise.all(orphans.map((intent) => parts.append(interrupted(intent, now))));
  for (const row of instances) if (!alive.has(row.id)) await parts.removeInstance(row);
  return outcomes.filter((outcome) => outcome === 'committed').length;
}

const processEnded =
  'The process that made this call ended before it recorded an outcome. It is not known whether the effect happened; the call was not repeated.';

/** Closes a call without an outcome. `now`: when this became known. */
export function interrupted(
  intent: Omit<PendingIntent, 'instanceId'>,
  now: Date,
  reason = processEnded,
): JournalEntry & { readonly closeIntent: string } {
  const { workspaceId, executionId, actor, tool, startedAt } = intent;
  const event = { type: 'execution.interrupted', at: now.toISOString(), actor, executionId, tool } as const;
  return { workspaceId, closeIntent: executionId, events: [{ ...event, body: { startedAt, reason } }] };
}

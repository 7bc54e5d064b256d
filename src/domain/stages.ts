/** The stages of a call in their order, and how long each took. */

/**
 * `record`: the row of its start, before a tool with effects or one that leaves this machine. The row of its end is written
 * after the last stage, so it cannot have its own time.
 */
export const callStages = [
  'admit',
  'resolve',
  'validate',
  'authorise',
  'approve',
  'limit',
  'record',
  'execute',
] as const;

export type CallStage = (typeof callStages)[number];

/** When each stage ended, in whole microseconds since the call was admitted, in their order; null: it was left out. */
export type StageEnds = readonly (number | null)[];

export interface StageTime {
  readonly stage: CallStage;
  /** How long it took, in milliseconds. */
  readonly ms: number;
}

/** The times in a row of the record; empty for a row that has none. The last one is the stage that refused the call, if any. */
export function readStages(ends: unknown): readonly StageTime[] {
  if (!Array.isArray(ends)) return [];
  const times: StageTime[] = [];
  let before = 0;
  for (const [place, stage] of callStages.entries()) {
    const end: unknown = ends[place];
    if (typeof end !== 'number') continue;
    times.push({ stage, ms: Math.max(0, end - before) / 1_000 });
    before = end;
  }
  return times;
}

/** When each stage of one call ended. */
import { type CallStage, callStages, type StageEnds } from '../../domain/stages.js';

export interface StageClock {
  /** If the call passes a stage again, its later stages have not ended yet. */
  end(stage: CallStage): void;
  /** The stage after the last one that ended is the one that refused. */
  refuse(): void;
  readonly ends: () => StageEnds;
  /** Since the start. */
  milliseconds(): number;
}

const places = new Map(callStages.map((stage, place) => [stage, place]));

/** Starts now. */
export function createStageClock(): StageClock {
  const begun = performance.now();
  const ends: (number | null)[] = [];
  const passed = (): number => Math.round((performance.now() - begun) * 1_000);
  return {
    end(stage) {
      const place = places.get(stage) ?? 0;
      while (ends.length < place) ends.push(null);
      ends.length = place;
      ends.push(passed());
    },
    refuse() {
      if (ends.length < callStages.length) ends.push(passed());
    },
    ends: () => [...ends],
    milliseconds: () => performance.now() - begun,
  };
}

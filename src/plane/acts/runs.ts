/** Runs, for the doors: who follows one loses it with their rights. */
import type { RunActs } from '../../domain/run.js';
import type { PlaneParts } from '../../flows/parts.js';
import { whileAllowed } from './rights-check.js';

export function createRunActs(parts: PlaneParts): RunActs {
  const { runCode, getRun, listRuns, followRun, cancelRun, decideRun } = parts.runs;
  return {
    runCode,
    getRun,
    listRuns,
    cancelRun,
    decideRun,
    async *followRun(principal, id, signal) {
      for await (const [event] of whileAllowed(parts, principal, followRun(principal, id, signal))) yield event;
    },
  };
}

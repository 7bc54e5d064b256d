/** In which step of its recipe a run is, as its ledger says. */
import type { RecipeScope } from '../../domain/recipe-scope.js';
import type { RunStep, StoredRun } from '../../domain/storage.js';
import { readAnswer } from './answers.js';
import { createRecipePlace } from './recipe-steps.js';
import { modelName } from './turns.js';

/** Undefined for a run that has ended, or follows no recipe. */
export function findPresentStep(run: StoredRun, steps: readonly RunStep[]): RecipeScope | undefined {
  if (run.finishedAt !== undefined) return undefined;
  const place = createRecipePlace(run);
  const calls = steps.filter(({ kind }) => kind === 'call').sort((one, other) => one.number - other.number);
  for (const { tool, answer } of calls) {
    if (tool === modelName) place.begin();
    if (answer !== undefined) place.note(tool, readAnswer(answer));
  }
  return place.principal().task?.step;
}

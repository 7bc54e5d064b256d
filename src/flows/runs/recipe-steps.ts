/**
 * The steps of a recipe in an agent's run. All that is decided here follows from the answers in the ledger, so that a replay is in the
 * same step. The calls of one answer of the model belong to the step that was open when the model was asked.
 */
import { z } from 'zod';
import type { AgentWork, ModelToolResult } from '../../domain/agent-model.js';
import { HelveError } from '../../domain/errors.js';
import type { Principal } from '../../domain/principal.js';
import type { TakenRecipe } from '../../domain/recipe.js';
import type { RecipeScope } from '../../domain/recipe-scope.js';
import type { StoredRun } from '../../domain/storage.js';
import type { Answer } from './answers.js';

/** What the model calls when a step is done, and how the ledger names this. No tool has a dot in its model-facing name. */
export const finishStepName = 'finish_step';
export const stepFinishedName = 'recipe.step_finished';

/** Ends a loop that did not take all steps of its recipe. */
export class RecipeError extends Error {
  override readonly name = 'RecipeError';
  readonly code = 'recipe_unfinished';
}

/** For the loop: how many steps are finished, and what it is told if it ends too early. */
export interface StepsLeft {
  /** Counts the steps that the model has finished with these calls. */
  note(results: readonly ModelToolResult[]): void;
  /**
   * The message to a model that ends the work before the last step is finished; undefined if it may end. Throws
   * `RecipeError` the second time.
   */
  endEarly(): string | undefined;
}

export function createStepsLeft({ recipe }: AgentWork): StepsLeft {
  let finished = 0;
  let told = false;
  return {
    note(results) {
      if (recipe === undefined) return;
      finished += results.filter(({ name, isError }) => name === finishStepName && !isError).length;
    },
    endEarly() {
      const open = recipe?.steps[finished];
      if (recipe === undefined || open === undefined) return undefined;
      const at = finished + 1;
      if (told)
        throw new RecipeError(
          `The work has ended in step ${at} of ${recipe.steps.length} of the recipe ${recipe.name}`,
        );
      told = true;
      return `Step ${at} of the recipe ${recipe.name} is not finished: ${open.prompt}\nCall ${finishStepName} when it is done, and hand in the result after the last step. If you end before, this attempt has failed.`;
    },
  };
}

/** For the ledger: which step is open, and with whose rights the calls of a turn are made. */
export interface RecipePlace {
  /** The model is asked now. */
  begin(): void;
  /** Whoever makes the calls of this turn: the owner of the run, in the step that was open when the turn began. */
  principal(): Principal;
  /** A step that is finished in the ledger counts. */
  note(name: string, answer: Answer): void;
  /** Finishes the open step, or says why not. */
  finish(input: unknown): Answer;
}

const summaryShape = z.strictObject({ summary: z.string().min(1).max(10_000) });

export function createRecipePlace(run: Pick<StoredRun, 'mode' | 'code' | 'principal'>): RecipePlace {
  const recipe = run.mode === 'agent' ? (JSON.parse(run.code) as Partial<AgentWork>).recipe : undefined;
  let finished = 0;
  let step = 0;
  let principal = recipe === undefined ? run.principal : inStep(run.principal, scopeOf(recipe, 0));
  return {
    begin() {
      if (recipe === undefined || step === finished) return;
      step = finished;
      principal = inStep(run.principal, scopeOf(recipe, step));
    },
    principal: () => principal,
    note(name, answer) {
      if (name === stepFinishedName && answer.ok) finished += 1;
    },
    finish(input) {
      const said = summaryShape.safeParse(input);
      if (recipe === undefined || finished >= recipe.steps.length)
        return refuse(new HelveError('conflict', 'No step of a recipe is open', { hint: 'Hand in your result.' }));
      if (finished > step)
        return refuse(
          new HelveError('conflict', `Step ${step + 1} of the recipe ${recipe.name} is finished already`, {
            hint: 'The calls of one answer belong to one step: go on with the next step in your next answer.',
          }),
        );
      if (!said.success)
        return refuse(
          new HelveError('invalid_input', `This is not a summary: ${z.prettifyError(said.error)}`, {
            hint: 'finish_step({ summary: "…" })',
          }),
        );
      finished += 1;
      return { ok: true, output: { finished, summary: said.data.summary, next: describeNext(recipe, finished) } };
    },
  };
}

const refuse = (error: HelveError): Answer => ({ ok: false, error: error.toJSON() });

function describeNext({ steps }: TakenRecipe, at: number): string {
  const next = steps[at];
  return next === undefined ? 'All steps are finished: hand in your result.' : `Step ${at + 1}: ${next.prompt}`;
}

function scopeOf({ name, steps }: TakenRecipe, at: number): RecipeScope {
  const open = steps[at];
  return open ? { recipe: name, step: at + 1, tools: open.tools } : { recipe: name, step: at, tools: [], isOver: true };
}

/** Agents' loops run on issues only. */
function inStep(principal: Principal, step: RecipeScope): Principal {
  if (principal.task === undefined) throw new HelveError('internal', 'A recipe can be followed only on an issue');
  return { ...principal, task: { ...principal.task, step } };
}

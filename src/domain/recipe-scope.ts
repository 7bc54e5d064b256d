/** What a step of a recipe allows. */

/** The tool that was meant when the recipe was written. */
export interface RecipeTool {
  /** As the recipe names it. */
  readonly name: string;
  readonly toolkit: string;
  readonly tool: string;
  /** Absent: with any account, or without one. */
  readonly connectionId?: string;
}

/** What somebody may call in the present step of a recipe, as far as the recipe decides. */
export interface RecipeScope {
  readonly recipe: string;
  /** From 1. */
  readonly step: number;
  readonly tools: readonly RecipeTool[];
  /** All steps are finished, and this is the last one: nothing is allowed any more. */
  readonly isOver?: true;
}

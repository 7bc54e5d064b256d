/** Recipes: steps that an agent takes one after the other, each with the tools that it may call meanwhile. */
import type { AuditDraft } from './audit.js';
import type { Principal, PrincipalRef } from './principal.js';
import type { RecipeTool } from './recipe-scope.js';

export interface RecipeStep {
  /** What is to be done in the step. */
  readonly prompt: string;
  /** Model-facing names. The agent may call no others in this step, and none of these without a grant. */
  readonly tools: readonly string[];
}

export interface NewRecipe {
  readonly title?: string;
  /** The reference of a repository: only its issues can have the recipe. */
  readonly repo?: string;
  /** From 1 to 20, in their order. */
  readonly steps: readonly RecipeStep[];
}

/** `ifMatch`: versions, one of which must be the present one. */
export interface SetRecipe extends NewRecipe {
  readonly ifMatch?: readonly string[];
}

export interface StoredRecipeStep {
  readonly prompt: string;
  readonly tools: readonly RecipeTool[];
}

/** A recipe as it is kept. */
export interface Recipe {
  /** A slug; unique in the workspace. */
  readonly name: string;
  readonly title?: string;
  readonly repo?: string;
  readonly steps: readonly StoredRecipeStep[];
  /** Changes whenever the content changes. */
  readonly version: string;
  readonly updatedAt: string;
  readonly updatedBy: PrincipalRef;
}

export interface RecipeView extends Omit<Recipe, 'steps'> {
  readonly steps: readonly RecipeStep[];
  /** In the answer to a change: that the name of the repository could not be checked. */
  readonly notice?: string;
}

/** A recipe as it was when an attempt began. Later changes of the recipe do not affect the attempt. */
export type TakenRecipe = Pick<Recipe, 'name' | 'steps'>;

/** How the name of a recipe is written. */
export const recipeNameForm = /^[a-z0-9][a-z0-9_-]{0,62}$/;

export interface RecipeActs {
  /** By name. */
  listRecipes(principal: Principal): Promise<readonly RecipeView[]>;
  /** Throws `not_found`. */
  getRecipe(principal: Principal, name: string): Promise<RecipeView>;
  /**
   * Creates or replaces it. Attempts that have begun keep the steps that they began with. Throws `invalid_input` with the place and the
   * nearest name for a tool that could not be granted to anybody in the workspace, and `precondition_failed` unless `ifMatch`, if it
   * is given, has the present version.
   */
  setRecipe(principal: Principal, name: string, recipe: SetRecipe): Promise<RecipeView>;
  /** Issues that have it cannot begin another attempt. Throws `not_found`. */
  removeRecipe(principal: Principal, name: string): Promise<void>;
}

export interface RecipeTable {
  /** By name. */
  list(): Promise<readonly Recipe[]>;
  find(name: string): Promise<Recipe | undefined>;
  /** Writes only if the present version is `before` (undefined: if there is no such recipe). Otherwise it returns false. */
  put(recipe: Recipe, before: string | undefined, events: readonly AuditDraft[]): Promise<boolean>;
  /** False if there is none. */
  remove(name: string, events: readonly AuditDraft[]): Promise<boolean>;
}

/** Recipes: steps that an agent takes one after the other, each with its tools. */
import { z } from 'zod';
import { recipeNameForm } from '../domain/recipe.js';
import { namedShapes, principalRef, repoNotice, timestamp } from './shapes.js';

const name = z
  .string()
  .regex(recipeNameForm)
  .describe('At most 63 lower-case letters, digits, hyphens and underscores');
export const recipeParams = z.object({ name });

const recipeStep = z.strictObject({
  prompt: z.string().min(1).max(8_000).describe('What is to be done in the step'),
  tools: z
    .array(z.string().min(1).max(200))
    .max(100)
    .describe('Names of tools as the agent sees them: it may call no others in this step, and none without a grant'),
});
namedShapes.add(recipeStep, { id: 'RecipeStep' });

const fields = {
  title: z.string().min(1).max(300).optional(),
  repo: z.string().min(1).max(300).optional().describe('github:acme/shop: only its issues can have the recipe'),
  steps: z.array(recipeStep).min(1).max(20).describe('In their order'),
};

export const newRecipeBody = z.strictObject(fields);
namedShapes.add(newRecipeBody, { id: 'NewRecipe' });

export const recipe = z.object({
  name,
  ...fields,
  version: z.string().describe('It changes whenever the recipe changes'),
  updatedAt: timestamp,
  updatedBy: principalRef,
  notice: repoNotice,
});
namedShapes.add(recipe, { id: 'Recipe' });

export const recipeList = z.object({ recipes: z.array(recipe) });

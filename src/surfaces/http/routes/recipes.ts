/** Recipes: steps that an agent takes one after the other, each with its tools. */
import { newRecipeBody, recipe, recipeList, recipeParams } from '../../../api/index.js';
import type { SetRecipe } from '../../../domain/recipe.js';
import { defined } from '../../../util/defined.js';
import { defineRoute } from '../route.js';

export const listRecipes = defineRoute({
  method: 'GET',
  path: '/api/recipes',
  summary: 'The recipes of the workspace',
  acts: ['listRecipes'],
  reply: recipeList,
  handle: async ({ plane, principal }) => ({ recipes: await plane.listRecipes(principal) }),
});

export const getRecipe = defineRoute({
  method: 'GET',
  path: '/api/recipes/:name',
  summary: 'One recipe with its steps',
  acts: ['getRecipe'],
  params: recipeParams,
  reply: recipe,
  versioned: true,
  handle: ({ plane, principal, params }) => plane.getRecipe(principal, params.name),
});

export const setRecipe = defineRoute({
  method: 'PUT',
  path: '/api/recipes/:name',
  summary: 'Make a recipe, or replace it; attempts that have begun keep their steps',
  acts: ['setRecipe'],
  params: recipeParams,
  body: newRecipeBody,
  reply: recipe,
  versioned: true,
  handle: ({ plane, principal, params, body, ifMatch }) =>
    plane.setRecipe(principal, params.name, defined({ ...body, ifMatch }) as SetRecipe),
});

export const removeRecipe = defineRoute({
  method: 'DELETE',
  path: '/api/recipes/:name',
  summary: 'Remove a recipe; issues that have it begin no further attempt',
  acts: ['removeRecipe'],
  params: recipeParams,
  async handle({ plane, principal, params }) {
    await plane.removeRecipe(principal, params.name);
    return undefined;
  },
});

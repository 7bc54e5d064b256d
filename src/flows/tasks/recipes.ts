/** The recipe of an issue: which one it may have, and its steps when an attempt begins. */

import { HelveError } from '../../domain/errors.js';
import type { Agent } from '../../domain/principal.js';
import type { Recipe, TakenRecipe } from '../../domain/recipe.js';
import type { Storage } from '../../domain/storage.js';
import type { Issue } from '../../domain/task.js';
import { unknown } from './place-rules.js';

type RecipeParts = { readonly storage: Pick<Storage, 'workspace'> };
type Described = Pick<Issue, 'workspaceId' | 'recipe' | 'repo'>;

/** Throws `invalid_input` for a recipe that does not exist, with the nearest name, or that is for another repository. */
export async function requireRecipe({ storage }: RecipeParts, { workspaceId, recipe: name, repo }: Described) {
  if (name === undefined) return;
  const { recipes } = storage.workspace(workspaceId);
  const recipe = await recipes.find(name);
  if (recipe === undefined) {
    const known = (await recipes.list()).map((one) => one.name);
    throw unknown('recipe', { what: 'recipe', name, known });
  }
  const elsewhere = describeElsewhere(recipe, repo);
  if (elsewhere === undefined) return;
  throw new HelveError('invalid_input', `recipe: ${elsewhere}`, { hint: 'Name another recipe, or none.' });
}

function describeElsewhere({ name, repo: only }: Recipe, repo: string | undefined): string | undefined {
  return only === undefined || only === repo ? undefined : `the recipe ${name} is only for issues of ${only}`;
}

/** Why an agent cannot follow the recipe of an issue, if it has one. */
export function describeMisfit(
  { recipe }: Pick<Issue, 'recipe'>,
  agent: Pick<Agent, 'slug' | 'worker'> | undefined,
): string | undefined {
  const worker = agent?.worker ?? 'helve';
  if (recipe === undefined || worker === 'helve') return undefined;
  return `The issue has the recipe ${recipe}, and ${agent?.slug} works with the loop of ${worker}, which follows no recipes: set its worker to helve, or take the recipe off the issue`;
}

/** The steps as they are now; or the reason why the issue cannot be worked on with its recipe. Undefined: it has none. */
export async function takeRecipe(
  { storage }: RecipeParts,
  issue: Described,
  agent: Pick<Agent, 'slug' | 'worker'> | undefined,
): Promise<TakenRecipe | string | undefined> {
  const { workspaceId, recipe: name, repo } = issue;
  if (name === undefined) return undefined;
  const misfit = describeMisfit(issue, agent);
  if (misfit !== undefined) return misfit;
  const recipe = await storage.workspace(workspaceId).recipes.find(name);
  if (recipe === undefined) return `There is no recipe ${name} any more: write it again, or take it off the issue`;
  return describeElsewhere(recipe, repo) ?? { name, steps: recipe.steps };
}

/** Recipes: their tools are resolved when they are written, against everything that could be granted in the workspace. */
import { principalRef } from '../../audit/index.js';
import { HelveError } from '../../domain/errors.js';
import { toModelName } from '../../domain/naming/index.js';
import type { Principal } from '../../domain/principal.js';
import {
  type NewRecipe,
  type Recipe,
  type RecipeActs,
  type RecipeView,
  recipeNameForm,
  type StoredRecipeStep,
} from '../../domain/recipe.js';
import type { RecipeTool } from '../../domain/recipe-scope.js';
import type { PlaneParts } from '../../flows/parts.js';
import { resolveRepo, wakeWaiting } from '../../flows/tasks/index.js';
import { draft, freshCatalogue, requireVersion } from '../../flows/workspaces/index.js';
import { canonicalJson } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { sha256 } from '../../util/hash.js';
import { didYouMean, nearest, suggestName } from '../../util/nearest.js';
import { knownNames } from './policies/known-names.js';

const maxSteps = 20;
const maxRounds = 10;
const maxNamed = 20;

export function createRecipeActs(parts: PlaneParts): RecipeActs {
  const table = ({ workspaceId }: Principal) => parts.storage.workspace(workspaceId).recipes;
  return {
    listRecipes: async (principal) => (await table(principal).list()).map(viewOf),
    async getRecipe(principal, name) {
      const recipe = await table(principal).find(name);
      if (recipe) return viewOf(recipe);
      throw missing(name, await table(principal).list());
    },
    async setRecipe(principal, name, { ifMatch, ...given }) {
      requireForm(name, given);
      for (let round = 1; round <= maxRounds; round++) {
        const before = await table(principal).find(name);
        requireUnchanged(ifMatch, before, given);
        const { notice, ...recipe } = await resolveRecipe(parts, principal, { name, given, before });
        const { version, steps } = recipe;
        const row = draft('recipe.changed', principal, parts.now(), { recipe: name, version, steps: steps.length });
        if (!(await table(principal).put(recipe, before?.version, [row]))) continue;
        await wake(parts, principal, recipe);
        return { ...viewOf(recipe), ...defined({ notice }) };
      }
      throw new HelveError('conflict', `The recipe ${name} is being changed by others`, { hint: 'Try again.' });
    },
    async removeRecipe(principal, name) {
      const row = draft('recipe.removed', principal, parts.now(), { recipe: name.slice(0, 100) });
      if (!(await table(principal).remove(name, [row]))) throw missing(name, await table(principal).list());
    },
  };
}

/** Issues that wait for the recipe, or for another form of it, look again. */
const wake = (parts: PlaneParts, { workspaceId }: Principal, { name, version, updatedAt }: Recipe): Promise<void> =>
  wakeWaiting(parts, workspaceId, `recipe:${name}:${version}:${updatedAt}`);

function viewOf({ steps, ...recipe }: Recipe): RecipeView {
  return { ...recipe, steps: steps.map(({ prompt, tools }) => ({ prompt, tools: tools.map(({ name }) => name) })) };
}

function missing(name: string, recipes: readonly Recipe[]): HelveError {
  const names = recipes.map((recipe) => recipe.name);
  return new HelveError('not_found', `There is no recipe ${JSON.stringify(name.slice(0, 100))}`, {
    hint: suggestName(name, names, 'List the recipes for their names.'),
  });
}

function requireForm(name: string, { steps }: NewRecipe): void {
  if (!recipeNameForm.test(name))
    throw new HelveError('invalid_input', `${JSON.stringify(name.slice(0, 100))} is not a name for a recipe`, {
      hint: 'Use at most 63 lower-case letters, digits, hyphens and underscores, and begin with a letter or a digit.',
    });
  if (steps.length >= 1 && steps.length <= maxSteps) return;
  throw new HelveError('invalid_input', `steps: a recipe has from 1 to ${maxSteps} steps, not ${steps.length}`, {
    hint: 'Put what belongs together into one step.',
  });
}

function requireUnchanged(ifMatch: readonly string[] | undefined, before: Recipe | undefined, given: NewRecipe): void {
  if (ifMatch !== undefined && before === undefined)
    throw new HelveError('precondition_failed', 'The recipe does not exist, or was removed', {
      hint: 'Send it without If-Match to make a new one.',
    });
  if (before === undefined) return;
  const { title, repo, steps } = viewOf(before);
  requireVersion(ifMatch, before.version, () => [
    ...(title === given.title ? [] : [`the title is ${JSON.stringify(title ?? '')}`]),
    ...(repo === given.repo ? [] : [`the repository is ${JSON.stringify(repo ?? '')}`]),
    ...(canonicalJson(steps) === canonicalJson(given.steps)
      ? []
      : [`it has ${steps.length} steps with different contents`]),
  ]);
}

interface Writing {
  readonly name: string;
  readonly given: NewRecipe;
  readonly before: Recipe | undefined;
}

async function resolveRecipe(
  parts: PlaneParts,
  principal: Principal,
  { name, given: { title, repo: named, steps: asked }, before }: Writing,
): Promise<Recipe & { readonly notice?: string }> {
  const isKept = named === undefined || named === before?.repo;
  const { repo, notice } = isKept ? { repo: named } : await resolveRepo(parts, principal, { at: 'repo', repo: named });
  const tools = await readTools(
    parts,
    principal,
    asked.flatMap((step) => step.tools),
  );
  const stood = before?.steps.flatMap((step) => step.tools) ?? [];
  const steps = asked.map(({ prompt, tools: names }, at): StoredRecipeStep => {
    const found = names.map((text, of) => findTool(`steps/${at}/tools/${of}`, text, { ...tools, stood }));
    return { prompt, tools: found };
  });
  const said = { ...defined({ title, repo }), steps };
  const version = sha256(canonicalJson(said)).slice(0, 32);
  return {
    name,
    ...said,
    version,
    updatedAt: parts.now().toISOString(),
    updatedBy: principalRef(principal),
    ...defined({ notice }),
  };
}

interface KnownTools {
  /** By every name that means it; several if the name alone does not say which. */
  readonly byName: ReadonlyMap<string, readonly RecipeTool[]>;
  /** Those of the recipe as it was: a name may stay, although its tool no longer exists. */
  readonly stood: readonly RecipeTool[];
}

/** A recipe is for everybody: names with an account are those of accounts that everybody may see. */
async function readTools(
  parts: PlaneParts,
  { workspaceId }: Principal,
  texts: readonly string[],
): Promise<Pick<KnownTools, 'byName'>> {
  const { configuration, catalogue } = await freshCatalogue(parts, workspaceId);
  const known = await knownNames(parts.registry, { catalogue, workspaceId }, texts);
  const common = configuration.connections.filter(({ visibility }) => visibility === 'workspace');
  const ids = new Set(common.map(({ id }) => id));
  const byName = new Map<string, readonly RecipeTool[]>();
  const add = (one: RecipeTool): void => {
    const others = byName.get(one.name) ?? [];
    if (!others.some((other) => canonicalJson(other) === canonicalJson(one))) byName.set(one.name, [...others, one]);
  };
  for (const { id } of known.tools)
    for (const name of new Set([id.name, toModelName(id), `${id.toolkit}.${id.name}`]))
      add({ name, toolkit: id.toolkit, tool: id.name });
  for (const { name, tool, connectionId } of catalogue.entries) {
    const { toolkit, name: own } = tool.id;
    if (connectionId === undefined) byName.set(name, [{ name, toolkit, tool: own }]);
    else if (ids.has(connectionId)) byName.set(name, [{ name, toolkit, tool: own, connectionId }]);
  }
  return { byName };
}

/** Throws `invalid_input`, with the nearest name, for a name that means no tool, or several. */
function findTool(place: string, text: string, { byName, stood }: KnownTools): RecipeTool {
  const [found, ...others] = byName.get(text) ?? stood.filter(({ name }) => name === text).slice(0, 1);
  const quoted = JSON.stringify(text.slice(0, 100));
  if (found && others.length === 0) return found;
  if (found) {
    const full = [found, ...others].map(({ toolkit, tool }) => `${toolkit}.${tool}`).slice(0, maxNamed);
    throw new HelveError('invalid_input', `${place}: ${quoted} can mean several tools`, {
      hint: `Write ${full.join(' or ')}.`,
      details: { place, names: full },
    });
  }
  const near = nearest(text.trim(), [...byName.keys()]);
  throw new HelveError('invalid_input', `${place}: there is no tool ${quoted}`, {
    hint: didYouMean(near, 'List the toolkits for the tools that exist.'),
    details: { place, name: text.slice(0, 100), ...defined({ nearest: near }) },
  });
}

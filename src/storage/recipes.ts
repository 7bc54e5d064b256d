/** Recipes. A change is refused if the recipe was changed meanwhile. */
import type { AuditDraft } from '../domain/audit.js';
import type { Recipe, RecipeTable } from '../domain/recipe.js';
import { decodeJson, encodeJson, encodePrincipal, encodeTime } from './codec.js';
import type { Engine } from './engine.js';
import type { RecipeRow } from './issue-schema.js';
import type { Journal } from './journal.js';
import { withHead } from './locked.js';
import { type Scope, scoped } from './scope.js';

export function createRecipes(engine: Engine, journal: Journal, workspaceId: string): RecipeTable {
  const scope = scoped(engine.db, workspaceId);
  /** Writes the events together with the work, if the work reports a change. */
  const recorded = (events: readonly AuditDraft[], work: (inside: Scope) => Promise<boolean>) =>
    withHead(engine, journal, workspaceId, events, async (transaction, record) => {
      const isDone = await work(scoped(transaction, workspaceId));
      if (isDone) record();
      return isDone;
    });
  const find = (inside: Scope, name: string): Promise<RecipeRow | undefined> =>
    inside.selectFrom('recipes').selectAll().where('name', '=', name).executeTakeFirst();
  return {
    list: async () => (await scope.selectFrom('recipes').selectAll().orderBy('name').execute()).map(toRecipe),
    async find(name) {
      const row = await find(scope, name);
      return row && toRecipe(row);
    },
    put: (recipe, before, events) =>
      recorded(events, async (inside) => {
        // Every writer of the workspace locks its head.
        if ((await find(inside, recipe.name))?.version !== before) return false;
        await inside.upsert('recipes', ['name'], fromRecipe(recipe));
        return true;
      }),
    remove: (name, events) =>
      recorded(events, async (inside) => {
        const result = await inside.deleteFrom('recipes').where('name', '=', name).executeTakeFirst();
        return result.numDeletedRows === 1n;
      }),
  };
}

function fromRecipe({ name, version, updatedAt, updatedBy, ...fields }: Recipe): Omit<RecipeRow, 'workspace_id'> {
  return {
    name,
    version,
    fields: encodeJson(fields),
    updated_at: encodeTime(updatedAt),
    updated_by: encodePrincipal(updatedBy),
  };
}

function toRecipe({ name, version, fields, updated_at, updated_by }: RecipeRow): Recipe {
  const said = decodeJson<Pick<Recipe, 'title' | 'repo' | 'steps'>>(fields);
  return { ...said, name, version, updatedAt: updated_at, updatedBy: decodeJson(updated_by) };
}

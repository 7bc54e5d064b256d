/** What an issue takes away from those who work on it. */
import { toAppKey } from '../domain/naming/index.js';
import type { RecipeScope } from '../domain/recipe-scope.js';
import type { AppReason, TaskScope } from '../domain/task-scope.js';
import type { ToolId } from '../domain/tool-facts.js';
import { namesApp } from '../util/app-list.js';

export interface TaskRefusal {
  /** `config.<level>.disabled`, `config.<level>.enabled`, `config.<level>.defaults` or `recipe.step`. */
  readonly rule: string;
  readonly reason: string;
}

/** What the present step of a recipe refuses. Undefined: it allows the tool with this account. */
export function refusedByStep(
  { recipe, step, tools, isOver }: RecipeScope,
  { toolkit, name }: ToolId,
  connectionId: string | undefined,
): TaskRefusal | undefined {
  const isAllowed = tools.some(
    (one) =>
      one.toolkit === toolkit &&
      one.tool === name &&
      (one.connectionId === undefined || one.connectionId === connectionId),
  );
  if (isAllowed) return undefined;
  if (isOver) return { rule: 'recipe.step', reason: `All steps of the recipe ${recipe} are finished` };
  const names = tools.map((one) => one.name).join(', ') || 'no tools';
  return { rule: 'recipe.step', reason: `Step ${step} of the recipe ${recipe} allows ${names}` };
}

/** `needsAccount`: the tool belongs to an app; the others are the defaults. Undefined: the issue allows it. */
export function refusedByTask(
  { apps, disabled, includeDefaults, defaultsOffBy, limitedBy, why }: TaskScope,
  toolkit: string,
  needsAccount: boolean,
): TaskRefusal | undefined {
  const said = (): AppReason | undefined =>
    Object.entries(why).find(([app]) => toAppKey(app) === toAppKey(toolkit))?.[1];
  if (namesApp(disabled, toolkit)) {
    const { level, way } = said() ?? {};
    return {
      rule: `config.${level}.${way === 'left_out' ? 'enabled' : 'disabled'}`,
      reason: `The ${level} does not allow ${toolkit} for this issue`,
    };
  }
  if (apps !== 'all' && namesApp(apps, toolkit)) return undefined;
  if (!needsAccount)
    return includeDefaults
      ? undefined
      : {
          rule: `config.${defaultsOffBy}.defaults`,
          reason: `The ${defaultsOffBy} allows no tools without an account for this issue`,
        };
  if (apps === 'all') return undefined;
  const by = said()?.level ?? limitedBy;
  return { rule: `config.${by}.enabled`, reason: `The ${by} does not list ${toolkit} among the apps of this issue` };
}

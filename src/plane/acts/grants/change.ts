/** Adds and removes grants of an agent; unmentioned ones stay unchanged, with limits and configuration. */
import { HelveError } from '../../../domain/errors.js';
import type { GrantChanges, GrantInput } from '../../../domain/grant.js';
import type { CatalogueEntry } from '../../../domain/plane.js';
import { defined } from '../../../util/defined.js';
import { chooseTools, type GrantableTool, listGrantable } from './select.js';

export interface ChangedGrants {
  readonly grants: readonly GrantInput[];
  /** The names of the tools, as the model sees them. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Computes the new set of grants. Throws `invalid_input` for a selection that matches no tool. */
export function changeGrantSet(
  present: readonly GrantInput[],
  entries: readonly CatalogueEntry[],
  { add = [], remove = [] }: GrantChanges,
): ChangedGrants {
  if (add.length + remove.length === 0)
    throw new HelveError('invalid_input', 'The change adds and removes nothing', {
      hint: 'Send add or remove.',
    });
  const all = listGrantable(entries);
  const chosen = (choices: NonNullable<GrantChanges['add']>, name: string): Set<GrantableTool> =>
    new Set(choices.flatMap((choice, at) => chooseTools(all, choice, `${name}/${at}`)));
  const [toAdd, toRemove] = [chosen(add, 'add'), chosen(remove, 'remove')];
  const both = [...toAdd].find((one) => toRemove.has(one));
  if (both)
    throw new HelveError('invalid_input', `${both.tool.modelName} is both added and removed`, {
      hint: 'Narrow one of the selections.',
    });
  const sets = new Map(present.map((grant) => [getTarget(grant), { grant, tools: new Set(grant.tools) }]));
  const added: string[] = [];
  for (const { toolkit, connectionId, tool } of toAdd) {
    const target = { toolkit, ...defined({ connectionId }) };
    const set = sets.get(getTarget(target)) ?? {
      grant: { ...target, tools: [], limits: {}, config: {} },
      tools: new Set<string>(),
    };
    sets.set(getTarget(target), set);
    if (!set.tools.has(tool.name)) added.push(tool.modelName);
    set.tools.add(tool.name);
  }
  const gone = new Set([...toRemove].map(({ tool, ...one }) => `${getTarget(one)}\n${tool.name}`));
  const removed = [...toRemove].flatMap(({ tool, ...one }) =>
    sets.get(getTarget(one))?.tools.delete(tool.name) ? [tool.modelName] : [],
  );
  const grants = [...sets.values()].flatMap(({ grant, tools }) =>
    tools.size === 0 ? [] : [{ ...grant, tools: [...tools], ...keptFor(grant, gone) }],
  );
  return { grants, added, removed };
}

function getTarget({ toolkit, connectionId = '' }: Pick<GrantInput, 'toolkit' | 'connectionId'>): string {
  return `${toolkit}\n${connectionId}`;
}

/**
 * Limits and configuration of a removed tool are removed too. Those of a tool that is not granted yet stay, and apply
 * once it is.
 */
function keptFor(grant: GrantInput, gone: ReadonlySet<string>): Pick<GrantInput, 'limits' | 'config'> {
  const keep = <T>(of: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(of).filter(([tool]) => !gone.has(`${getTarget(grant)}\n${tool}`)));
  return { limits: keep(grant.limits), config: keep(grant.config) };
}

/** The apps that a tool config names must exist: a mistyped name in `disabled` would leave the app to the agent without a word. */
import { toAppKey, toAppName } from '../../domain/naming/index.js';
import type { ToolConfig } from '../../domain/task.js';
import type { TaskParts } from './parts.js';
import { unknown } from './place-rules.js';

const lists = ['enabled', 'disabled', 'requiredApps'] as const;

/**
 * Throws `invalid_input` with the nearest name for an app that no provider has. Names that are in `before` already may stay: the app
 * may have been removed since.
 */
export async function requireKnownApps(
  { registry }: Pick<TaskParts, 'registry'>,
  config: ToolConfig,
  before: ToolConfig = {},
): Promise<void> {
  if (lists.every((list) => (config[list] ?? []).length === 0)) return;
  const slugs = (await registry.toolkits()).map(({ slug }) => slug);
  const kept = lists.flatMap((list) => before[list] ?? []);
  const known = new Set([...slugs, ...kept].map(toAppKey));
  for (const list of lists)
    for (const [at, name] of (config[list] ?? []).entries())
      if (!known.has(toAppKey(name)))
        throw unknown(`${list}/${at}`, { what: 'app', name, known: slugs.map(toAppName) });
}

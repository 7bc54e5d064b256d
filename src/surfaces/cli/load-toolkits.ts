/** `helve serve --toolkit <module>`: toolkits that somebody else wrote. They run with the rights of Helve. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HelveError } from '../../domain/errors.js';
import type { ToolkitDefinition } from '../../domain/tool.js';

/** Loads each module; its toolkits are its exports that `defineToolkit` made. Throws `invalid_config` for one that has none. */
export async function loadToolkits(modules: readonly string[] = []): Promise<readonly ToolkitDefinition[]> {
  const found: ToolkitDefinition[] = [];
  for (const module of modules) {
    const path = resolve(module);
    const exported = await import(pathToFileURL(path).href).catch((cause) => {
      throw new HelveError('invalid_config', `The toolkit ${path} cannot be loaded: ${(cause as Error).message}`, {
        hint: 'Name a module of JavaScript that exports what defineToolkit returns.',
        cause,
      });
    });
    const toolkits = [...new Set(Object.values(exported))].filter(isToolkit);
    if (toolkits.length === 0)
      throw new HelveError('invalid_config', `The module ${path} exports no toolkit`, {
        hint: 'Export what defineToolkit returns: export const weather = defineToolkit({ … }).',
      });
    found.push(...toolkits);
  }
  return found;
}

function isToolkit(value: unknown): value is ToolkitDefinition {
  const { slug, title, load } = (value ?? {}) as Partial<ToolkitDefinition>;
  return typeof slug === 'string' && typeof title === 'string' && typeof load === 'function';
}

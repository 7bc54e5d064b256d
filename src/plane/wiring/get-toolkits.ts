/** The toolkits of the native provider: those of Helve, and those that the options give. */
import { HelveError } from '../../domain/errors.js';
import type { ToolkitDefinition } from '../../domain/tool.js';
import { checkToolDefinitions } from '../../providers/native/index.js';
import { nativeToolkits } from '../../toolkits/index.js';
import type { HelveOptions } from '../options.js';

/** Throws `invalid_config` for tools that could never be called, and for two toolkits with one slug. */
export function getToolkits({
  tools,
  toolkits,
  nativeToolkits: bundled = nativeToolkits,
}: HelveOptions): readonly ToolkitDefinition[] {
  checkToolDefinitions(tools ?? [], 'createHelve({ tools })');
  const description = 'Tools of this installation.';
  const custom = { slug: 'custom', title: 'Custom', description, category: 'custom', load: async () => tools ?? [] };
  const known = [...bundled, ...(tools ? [custom] : []), ...(toolkits ?? [])];
  requireOwnSlugs(known);
  return known;
}

/** Throws `invalid_config`, with both titles: of two toolkits with one slug, the tools of the second would be lost. */
function requireOwnSlugs(toolkits: readonly ToolkitDefinition[]): void {
  const bySlug = new Map<string, ToolkitDefinition>();
  for (const toolkit of toolkits) {
    const { slug, title } = toolkit;
    const other = bySlug.get(slug);
    if (other !== undefined)
      throw new HelveError(
        'invalid_config',
        `createHelve: the toolkits ${JSON.stringify(other.title)} and ${JSON.stringify(title)} both have the slug ${JSON.stringify(slug)}`,
        { hint: 'Give one of them another slug.' },
      );
    bySlug.set(slug, toolkit);
  }
}

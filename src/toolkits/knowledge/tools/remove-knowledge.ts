import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { searchConfig, settingsSchema } from '../shapes.js';
import { checkAllowed, sourcePath } from '../sources.js';

export const removeKnowledge = defineTool({
  name: 'remove_knowledge',
  title: 'Remove a source',
  description: 'Forget a source and everything that was found in it.',
  searchWords: 'forget unlearn delete document source from the knowledge base outdated',
  inputSchema: z.strictObject({ path: z.string().min(1).max(1_024).describe('As list_knowledge shows it') }),
  outputSchema: z.strictObject({ path: z.string(), removed: z.boolean() }),
  configSchema: searchConfig,
  settingsSchema,
  annotations: local(effects.replaces),
  idempotency: { by: 'probe', how: 'A source that no longer exists counts as removed' },
  risk: 'destructive',
  capabilities: ['remove knowledge', 'delete source'],
  examples: [{ input: { path: 'handbook/travel.md' }, output: { path: 'handbook/travel.md', removed: true } }],
  async probe(input, { documents, config }) {
    const path = sourcePath(input.path);
    checkAllowed(config.allowed_sources, path);
    return (await documents.get(path)) === undefined ? { path, removed: true } : undefined;
  },
  async execute(input, { documents, config }) {
    const path = sourcePath(input.path);
    checkAllowed(config.allowed_sources, path);
    if (await documents.delete(path)) return { path, removed: true };
    throw new HelveError('not_found', `There is no source ${path}`, {
      hint: 'list_knowledge shows the sources that exist.',
    });
  },
});

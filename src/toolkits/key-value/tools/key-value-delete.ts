import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { getNamespace, key, namespace } from '../shapes.js';

/** The risk is `write`, not `destructive`: it removes only what agents stored for their own use. */
export const keyValueDelete = defineTool({
  name: 'key_value_delete',
  title: 'Delete a stored value',
  description: 'Forget the value stored under a key.',
  searchWords: 'remove clear erase saved setting variable counter state flag entry',
  inputSchema: z.strictObject({ key, namespace }),
  outputSchema: z.strictObject({ deleted: z.boolean().describe('Whether it existed') }),
  annotations: local(effects.replaces),
  idempotency: { by: 'repeatable', how: 'Deleting a value again changes nothing' },
  risk: 'write',
  capabilities: ['delete value'],
  examples: [{ input: { key: 'user_preferences' }, output: { deleted: true } }],
  async execute(input, { keyValues, caller }) {
    return { deleted: await keyValues.delete(getNamespace(input.namespace, caller), input.key) };
  },
});

import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { getNamespace, key, namespace } from '../shapes.js';

export const keyValueGet = defineTool({
  name: 'key_value_get',
  title: 'Get a stored value',
  description: 'Read the value stored under a key; null when there is none.',
  searchWords: 'look up saved setting variable counter state note flag what did I store remembered value under name',
  inputSchema: z.strictObject({ key, namespace }),
  outputSchema: z.strictObject({ value: z.unknown().describe('The stored value, or null') }),
  annotations: local(effects.reads),
  capabilities: ['get value'],
  examples: [{ input: { key: 'user_preferences' }, output: { value: { theme: 'dark' } } }],
  async execute(input, { keyValues, caller }) {
    return { value: (await keyValues.get(getNamespace(input.namespace, caller), input.key)) ?? null };
  },
});

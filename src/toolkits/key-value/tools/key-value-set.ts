import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import type { JsonValue } from '../../../domain/json.js';
import { defineTool } from '../../../domain/tool.js';
import { getNamespace, key, namespace } from '../shapes.js';

const maxValueChars = 1_000_000;

export const keyValueSet = defineTool({
  name: 'key_value_set',
  title: 'Store a value',
  description: 'Store a JSON value under a key, replacing what was there.',
  searchWords: 'save put keep setting variable counter state note flag under name for later expire cache',
  inputSchema: z.strictObject({
    key,
    value: z.unknown().describe('Any JSON value'),
    namespace,
    ttl: z.int().min(1).max(315_360_000).optional().describe('Seconds until it is forgotten; default: never'),
  }),
  outputSchema: z.strictObject({ success: z.boolean() }),
  annotations: local(effects.replaces),
  idempotency: { by: 'repeatable', how: 'The same value is stored again in the place of the first' },
  capabilities: ['set value'],
  examples: [{ input: { key: 'user_preferences', value: { theme: 'dark' } }, output: { success: true } }],
  async execute(input, { keyValues, caller }) {
    if (JSON.stringify(input.value).length > maxValueChars) {
      throw new HelveError('too_large', `The value is longer than ${maxValueChars} characters as JSON`, {
        hint: 'Store it in parts.',
      });
    }
    await keyValues.set(getNamespace(input.namespace, caller), input.key, input.value as JsonValue, input.ttl);
    return { success: true };
  },
});

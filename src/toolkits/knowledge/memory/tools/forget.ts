import { z } from 'zod';
import { effects, local } from '../../../../domain/effects.js';
import { HelveError } from '../../../../domain/errors.js';
import { defineTool } from '../../../../domain/tool.js';
import { readMemories } from '../memories.js';
import { findPlace, memoryConfig, nameOwner, scope, settingsSchema } from '../places.js';

/** The risk is `write`, not `destructive`: an agent removes only what it stored itself. */
export const forget = defineTool({
  name: 'forget',
  title: 'Forget',
  description: 'Remove a memory that is wrong or no longer matters.',
  searchWords: "erase memory no longer true delete what you know don't remember that any more",
  inputSchema: z.strictObject({
    id: z
      .string()
      .regex(/^[0-9a-f]{16}$/, 'is an id that remember or recall gave')
      .describe('As recall shows it'),
    scope: scope.default('own'),
  }),
  outputSchema: z.strictObject({ forgotten: z.boolean().describe('Whether it existed') }),
  configSchema: memoryConfig,
  settingsSchema,
  annotations: local(effects.replaces),
  idempotency: { by: 'repeatable', how: 'Deleting a memory again changes nothing' },
  risk: 'write',
  capabilities: ['forget', 'delete memory'],
  examples: [{ input: { id: '0123456789abcdef' }, output: { forgotten: true } }],
  async execute({ id, scope }, context) {
    const path = `${findPlace(context, scope)}${id}`;
    const [memory] = await readMemories(context, [path]);
    if (memory === undefined) return { forgotten: false };
    const { caller, documents } = context;
    if (caller.kind !== 'user' && memory.owner !== nameOwner(caller))
      throw new HelveError('forbidden', `This was remembered by ${memory.by}`, {
        hint: 'Only the caller who stored it, or a person, can remove it from a shared memory.',
      });
    return { forgotten: await documents.delete(path) };
  },
});

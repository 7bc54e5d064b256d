import { z } from 'zod';
import { effects, local } from '../../../../domain/effects.js';
import { defineTool } from '../../../../domain/tool.js';
import { defined } from '../../../../util/defined.js';
import { keepMemory, nameMemory } from '../memories.js';
import { findPlace, memoryConfig, nameOwner, scope, settingsSchema } from '../places.js';

export const remember = defineTool({
  name: 'remember',
  title: 'Remember',
  description:
    'Keep a fact, a preference or a decision for later conversations. Remember one thing at a time, in a sentence that can be understood alone.',
  searchWords: "note keep in mind don't forget save for next time preference fact memorize learn that I like",
  inputSchema: z.strictObject({
    text: z.string().regex(/\S/, 'holds something').max(4_000).describe('What to remember'),
    about: z.string().regex(/\S/, 'holds something').max(200).optional().describe('What or whom it concerns'),
    scope: scope.default('own'),
  }),
  outputSchema: z.strictObject({
    id: z.string().describe('For forget'),
    created: z.boolean().describe('False: the same text was remembered already'),
  }),
  configSchema: memoryConfig,
  settingsSchema,
  annotations: local(effects.createsOnce),
  idempotency: { by: 'repeatable', how: 'The same text is kept once' },
  capabilities: ['remember', 'add memory'],
  examples: [{ input: { text: 'Ana wants invoices in Spanish.', about: 'Ana' } }],
  models: true,
  async execute({ text, about, scope }, context) {
    const id = nameMemory(text);
    const { caller } = context;
    const who = { by: caller.name, owner: nameOwner(caller), at: new Date().toISOString() };
    const created = await keepMemory(context, findPlace(context, scope), { id, text, ...who, ...defined({ about }) });
    return { id, created };
  },
});

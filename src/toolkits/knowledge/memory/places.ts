/**
 * Where memories are kept. An agent that acts for several people has a memory for each: what one of them told it is never
 * recalled for another.
 */
import { z } from 'zod';
import type { CallerFacts, ToolContext } from '../../../domain/context.js';
import { HelveError } from '../../../domain/errors.js';
import { settingsSchema } from '../shapes.js';

export const scopes = ['own', 'workspace'] as const;
export type MemoryScope = (typeof scopes)[number];

export { settingsSchema };
export const memoryConfig = z.strictObject({
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .default([...scopes])
    .describe('Where this agent may remember and recall: own, workspace'),
});

export type MemoryContext = Pick<
  ToolContext<z.infer<typeof memoryConfig>, z.infer<typeof settingsSchema>>,
  'caller' | 'config' | 'documents'
>;

export const scope = z
  .enum(scopes)
  .describe('own: for you and the person you act for; workspace: every agent of the workspace recalls it');

/** The beginning of the path of every memory of a scope. Throws `forbidden` for a scope outside the agent's settings. */
export function findPlace({ caller, config }: Pick<MemoryContext, 'caller' | 'config'>, wanted: MemoryScope): string {
  if (!config.scopes.includes(wanted))
    throw new HelveError('forbidden', `This agent has no memory in the scope ${wanted}`, {
      hint: `Use ${config.scopes.join(' or ')}.`,
    });
  return wanted === 'workspace' ? 'workspace/' : `own/${nameOwner(caller)}/`;
}

/** Who remembers: `agent:<id>`, with the person it acts for, or `-`, behind a slash. */
export const nameOwner = ({ kind, id, onBehalfOf }: CallerFacts): string => `${kind}:${id}/${onBehalfOf?.id ?? '-'}`;

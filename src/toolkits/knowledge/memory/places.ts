/**
 * Where memories are kept. An agent that acts for several people has a memory for each: what one of them told it is
 * never recalled for another. The memory of an issue is shared by everybody who works on it, in all its attempts, and
 * by nobody else.
 */
import { z } from 'zod';
import type { CallerFacts, ToolContext } from '../../../domain/context.js';
import { HelveError } from '../../../domain/errors.js';
import { sha256 } from '../../../util/hash.js';
import { settingsSchema } from '../shapes.js';

export const scopes = ['own', 'issue', 'workspace'] as const;
export type MemoryScope = (typeof scopes)[number];

export { settingsSchema };
export const memoryConfig = z.strictObject({
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .default([...scopes])
    .describe('Where this agent may remember and recall: own, issue, workspace'),
});

export type MemoryContext = Pick<
  ToolContext<z.infer<typeof memoryConfig>, z.infer<typeof settingsSchema>>,
  'caller' | 'config' | 'documents'
>;

export const scope = z
  .enum(scopes)
  .describe(
    'own: for you and the person you act for; issue: all agents that work on your issue; workspace: every agent of the workspace recalls it',
  );

/**
 * Returns the beginning of the path of every memory of a scope. Throws `forbidden` for a scope outside the agent's
 * settings, and for the memory of an issue if the caller works on none. The issue follows from the caller, never from
 * its input.
 */
export function findPlace({ caller, config }: Pick<MemoryContext, 'caller' | 'config'>, wanted: MemoryScope): string {
  if (!config.scopes.includes(wanted))
    throw new HelveError('forbidden', `This agent has no memory in the scope ${wanted}`, {
      hint: `Use ${config.scopes.join(' or ')}.`,
    });
  if (wanted !== 'issue') return wanted === 'workspace' ? 'workspace/' : `own/${nameOwner(caller)}/`;
  const { issueId } = caller;
  if (issueId !== undefined) return `issue/${sha256(issueId).slice(0, 32)}/`;
  throw new HelveError('forbidden', 'This call does not work on an issue', {
    hint: `Use ${config.scopes.filter((one) => one !== 'issue').join(' or ') || 'it while you work on an issue'}.`,
  });
}

/** The scopes that the caller has now: the scope of an issue exists only while it works on one. */
export function listScopes({ caller, config }: Pick<MemoryContext, 'caller' | 'config'>): readonly MemoryScope[] {
  return config.scopes.filter((one) => one !== 'issue' || caller.issueId !== undefined);
}

/**
 * The owner of a memory: `agent:<id>/<person>`, where `-` stands for no person. Programs that embed Helve choose the ids, which may
 * contain slashes.
 */
export const nameOwner = ({ kind, id, onBehalfOf }: CallerFacts): string =>
  `${kind}:${escapeSlashes(id)}/${escapeSlashes(onBehalfOf?.id ?? '-')}`;

const escapeSlashes = (id: string): string => id.replace(/[%/]/g, encodeURIComponent);

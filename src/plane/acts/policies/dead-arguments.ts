/**
 * Arguments in a rule that none of its tools takes: misspelt ones, and former names, because calls are decided with the
 * current names. Such a rule would apply to no call, or to every call. A tool whose schema does not say that it is closed
 * may take arguments that it does not list, so such an argument is only doubtful there.
 */
import type { Policy } from '../../../domain/grant.js';
import type { JsonSchema } from '../../../domain/json.js';
import type { Tool } from '../../../domain/tool.js';
import { closeListed, mayHaveProperty, namedProperties } from '../../../schema/index.js';
import { objectOrEmpty } from '../../../util/canonical.js';
import { nearest } from '../../../util/nearest.js';
import type { KnownNames } from './known-names.js';

export interface DeadArgument {
  readonly name: string;
  readonly nearest: string | undefined;
  /** None of the tools lists it, and at least one may take it all the same. */
  readonly isDoubtful: boolean;
}

/**
 * `isSpokenOf`: whether the rule may apply to a call of the tool. Also returns undefined if not all of its tools are
 * known.
 */
export function findDeadArgument(
  { when }: Policy,
  known: KnownNames,
  isSpokenOf: (tool: Tool) => boolean,
): DeadArgument | undefined {
  const { arguments: shape, tools, toolkits } = when;
  if (shape === undefined || (tools ?? toolkits) === undefined) return undefined;
  if (mayMeanUnread(when, known) || !known.hasToolLike(when, isSpokenOf)) return undefined;
  const taken = new Map<string, string>();
  const takes = (name: string, read: (schema: JsonSchema) => JsonSchema) => (tool: Tool) => {
    if (!isSpokenOf(tool)) return false;
    for (const own of Object.keys(objectOrEmpty(tool.inputSchema.properties))) taken.set(own, own);
    for (const [former, present] of Object.entries(tool.inputAliases ?? {})) taken.set(former, present);
    return mayHaveProperty(read(tool.inputSchema), name);
  };
  const names = namedProperties(shape);
  const dead = names.find(
    (one) =>
      !known.hasToolLike(
        when,
        takes(one, (schema) => schema),
      ),
  );
  const name = dead ?? names.find((one) => !known.hasToolLike(when, takes(one, closeListed)));
  if (name === undefined) return undefined;
  return { name, nearest: taken.get(nearest(name, [...taken.keys()]) ?? ''), isDoubtful: dead === undefined };
}

function mayMeanUnread(
  { tools = [], toolkits = [] }: Policy['when'],
  { unread, unreadToolkitOf }: KnownNames,
): boolean {
  const isUnread = (text: string) => (text.includes('*') ? unread.size > 0 : unreadToolkitOf(text) !== undefined);
  return toolkits.some((slug) => unread.has(slug)) || tools.some(isUnread);
}

/** Removes what an agent framework adds to a tool's arguments. */
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';

const injected = new Set(
  `abortSignal agent agentId mastra memory messages requestContext resourceId resumeData runId runtimeContext suspend
  threadId toolCallId tracingContext workflow workflowId writableStream writer`.split(/\s+/),
);

/**
 * Returns only the arguments. A key that the tool itself declares is always its own (a mail tool may have a `threadId`).
 * Older frameworks put the arguments under `context`, where this finds them. A value that is not an object is no argument.
 */
export function extractToolArguments(
  input: unknown,
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (!isPlainObject(input)) return {};
  const declared = objectOrEmpty(parameters.properties);
  const isOwn = (key: string): boolean => Object.hasOwn(declared, key) || !injected.has(key);
  const own = Object.entries(input).filter(([key]) => isOwn(key));
  const [[key, context] = []] = own;
  const wrapped = own.length === 1 && key === 'context' && !Object.hasOwn(declared, 'context');
  if (wrapped && isPlainObject(context) && Object.keys(input).length > 1)
    return extractToolArguments(context, parameters);
  return Object.fromEntries(own);
}

/**
 * Keys that agent frameworks add to a tool's arguments. They are dropped unless the tool's schema declares
 * them.
 */
import type { JsonSchema } from '../domain/json.js';
import { isPlainObject } from './canonical.js';

export const injectedKeys: ReadonlySet<string> = new Set([
  'threadId',
  'resourceId',
  'memory',
  'runId',
  'runtimeContext',
  'requestContext',
  'toolCallId',
  'tracingContext',
  'mastra',
]);

/** Returns the same object if there is nothing to drop, else a shallow copy. */
export function withoutInjectedKeys(
  value: Readonly<Record<string, unknown>>,
  { properties }: JsonSchema,
): Readonly<Record<string, unknown>> {
  const dropped = (key: string): boolean =>
    injectedKeys.has(key) && !(isPlainObject(properties) && Object.hasOwn(properties, key));
  if (!Object.keys(value).some(dropped)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !dropped(key)));
}

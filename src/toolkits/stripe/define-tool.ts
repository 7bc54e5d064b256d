/** What all Stripe tools have in common. */
import type { JsonSchema } from '../../domain/json.js';
import { type AuthoredSchema, defineTool, type ToolAnnotations, type ToolDefinition } from '../../domain/tool.js';
import { stripeSettings } from './settings.js';

type Authored<Input extends AuthoredSchema, Output extends AuthoredSchema> = Omit<
  ToolDefinition<Input, Output, JsonSchema, typeof stripeSettings>,
  'settingsSchema' | 'configSchema' | 'scopes'
>;

export function defineStripeTool<const Input extends AuthoredSchema, const Output extends AuthoredSchema>(
  definition: Authored<Input, Output>,
): ToolDefinition {
  const scopes = definition.annotations.readOnlyHint ? ['read_only'] : ['read_write'];
  // Longer than one slow payment, so that its answer is still heard.
  return defineTool({ timeoutMs: 120_000, ...definition, scopes, settingsSchema: stripeSettings });
}

/** Looks only. */
export const reads: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
/** Adds something, and once more when called once more. */
export const creates: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
/** A step that can be taken once: the second call is refused. */
export const advances: ToolAnnotations = { ...creates, idempotentHint: true };
/** Puts something in the place of what was there, or ends it. */
export const replaces: ToolAnnotations = { ...creates, destructiveHint: true, idempotentHint: true };

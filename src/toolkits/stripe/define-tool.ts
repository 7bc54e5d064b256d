/** What all Stripe tools have in common. */
import type { JsonSchema } from '../../domain/json.js';
import { type AuthoredSchema, defineTool, type ToolDefinition } from '../../domain/tool.js';
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

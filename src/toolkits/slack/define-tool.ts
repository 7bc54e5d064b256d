/** What all Slack tools have in common. */
import type { JsonSchema } from '../../domain/json.js';
import { type AuthoredSchema, defineTool, type ToolAnnotations, type ToolDefinition } from '../../domain/tool.js';
import { slackSettings } from './settings.js';

type Authored<Input extends AuthoredSchema, Output extends AuthoredSchema> = Omit<
  ToolDefinition<Input, Output, JsonSchema, typeof slackSettings>,
  'settingsSchema' | 'configSchema'
>;

export function defineSlackTool<const Input extends AuthoredSchema, const Output extends AuthoredSchema>(
  definition: Authored<Input, Output>,
): ToolDefinition {
  return defineTool({ ...definition, settingsSchema: slackSettings });
}

/** Looks only. */
export const reads: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
/** Adds something, and once more when called once more. */
export const creates: ToolAnnotations = { ...reads, readOnlyHint: false, idempotentHint: false };
/** Adds something that is there only once. */
export const createsOnce: ToolAnnotations = { ...creates, idempotentHint: true };
/** Puts something in the place of what was there, or takes it away. */
export const replaces: ToolAnnotations = { ...createsOnce, destructiveHint: true };

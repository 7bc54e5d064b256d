/** What all GitHub tools have in common. */
import type { JsonSchema } from '../../domain/json.js';
import { type AuthoredSchema, defineTool, type ToolAnnotations, type ToolDefinition } from '../../domain/tool.js';
import { githubSettings } from './settings.js';

type Authored<Input extends AuthoredSchema, Output extends AuthoredSchema> = Omit<
  ToolDefinition<Input, Output, JsonSchema, typeof githubSettings>,
  'settingsSchema' | 'configSchema'
>;

export function defineGitHubTool<const Input extends AuthoredSchema, const Output extends AuthoredSchema>(
  definition: Authored<Input, Output>,
): ToolDefinition {
  return defineTool({ ...definition, settingsSchema: githubSettings });
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
/** Adds something that is there only once: the second call is refused or changes nothing. */
export const createsOnce: ToolAnnotations = { ...creates, idempotentHint: true };
/** Puts something in the place of what was there. */
export const replaces: ToolAnnotations = { ...creates, destructiveHint: true, idempotentHint: true };

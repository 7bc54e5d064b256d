/** What all GitHub tools have in common. */
import type { JsonSchema } from '../../domain/json.js';
import { type AuthoredSchema, defineTool, type ToolDefinition } from '../../domain/tool.js';
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

/** Defines the tools of GitHub. */
import type { z } from 'zod';
import type { JsonSchema } from '../../domain/json.js';
import { type AuthoredSchema, defineTool, type ToolDefinition } from '../../domain/tool.js';
import { defined } from '../../util/defined.js';
import type { InputRequest } from '../../util/fill-request.js';
import type { Answer } from './answers.js';
import { send } from './requests.js';
import { githubSettings } from './settings.js';

type Authored<Input extends AuthoredSchema, Output extends AuthoredSchema> = Omit<
  ToolDefinition<Input, Output, JsonSchema, typeof githubSettings>,
  'settingsSchema' | 'configSchema'
>;

/** A tool needs the scope `repo` unless it names others. */
export function defineGitHubTool<const Input extends AuthoredSchema, const Output extends AuthoredSchema>(
  definition: Authored<Input, Output>,
): ToolDefinition {
  return defineTool({ scopes: ['repo'], ...definition, settingsSchema: githubSettings });
}

interface OneRequest<Input extends AuthoredSchema, Request extends string> extends InputRequest<Input, Request> {
  /** Whether sending it twice has the same effect as sending it once. */
  readonly repeatable?: boolean;
  readonly answer: Answer;
}

/** A tool that sends one request and returns its answer. */
export function defineGitHubRequest<const Input extends AuthoredSchema, const Request extends string>({
  request,
  parameters,
  repeatable,
  answer,
  ...definition
}: Omit<Authored<Input, z.ZodType>, 'outputSchema' | 'execute'> & OneRequest<Input, Request>): ToolDefinition {
  return defineGitHubTool<Input, z.ZodType>({
    ...definition,
    outputSchema: answer.shape,
    async execute(input, { service }) {
      const response = await send(service, { request, input: input as object, ...defined({ parameters, repeatable }) });
      return answer.read(response.json(), response);
    },
  });
}

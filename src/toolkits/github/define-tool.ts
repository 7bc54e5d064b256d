/** Defines the tools of GitHub. */
import type { z } from 'zod';
import type { JsonSchema } from '../../domain/json.js';
import { type AuthoredSchema, defineTool, type ToolDefinition } from '../../domain/tool.js';
import { defined } from '../../util/defined.js';
import type { InputRequest } from '../../util/fill-request.js';
import type { Answer } from './answers.js';
import { addMarker, byMarker, earliest, findCreated, hasMarker, type Search } from './marker.js';
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
  /**
   * For tools that create an object whose text, `body`, gets a marker: the request that lists such objects since a
   * time.
   */
  readonly marked?: (since: string) => Search;
}

/** A tool that sends one request and returns its answer. */
export function defineGitHubRequest<const Input extends AuthoredSchema, const Request extends string>({
  request,
  parameters,
  repeatable,
  answer,
  marked,
  ...definition
}: Omit<Authored<Input, z.ZodType>, 'outputSchema' | 'execute'> & OneRequest<Input, Request>): ToolDefinition {
  const prepare = (rest: object): object => (parameters ? parameters(rest as never) : rest);
  return defineGitHubTool<Input, z.ZodType>({
    ...(marked && markedBy(marked, answer)),
    ...definition,
    outputSchema: answer.shape,
    async execute(input, { service, effectKey }) {
      const toSent = marked ? (rest: object) => addMarker(prepare(rest), effectKey) : prepare;
      const sent = { request, input: input as object, parameters: toSent, ...defined({ repeatable }) };
      const response = await send(service, sent);
      return answer.read(response.json(), response);
    },
  });
}

function markedBy(
  marked: (since: string) => Search,
  { read }: Answer,
): Pick<Authored<AuthoredSchema, z.ZodType>, 'idempotency' | 'probe'> {
  return {
    idempotency: byMarker,
    async probe(input, { service, effectKey }, startedAt) {
      const since = earliest(startedAt);
      const search = { ...marked(since), input: input as object, since };
      const found = await findCreated(service, search, hasMarker(effectKey));
      return found && read(found);
    },
  };
}

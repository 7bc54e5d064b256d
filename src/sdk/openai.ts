/**
 * Tools for the OpenAI SDK: the objects that its Chat Completions take, with the function that its runners call.
 * Creating them does not need the SDK.
 */
import type { JsonSchema } from '../domain/json.js';
import { type BoundTool, bindTools, freshSchema } from './bind-tools.js';
import { parseArguments } from './parse-arguments.js';
import type { AdapterOptions, ToolSource } from './tool-source.js';

/** Returns the principal's tools for `chat.completions.create({ tools })` and `chat.completions.runTools({ tools })`. */
export interface OpenAiTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonSchema;
    /** Strict mode would need another schema. */
    readonly strict: false;
    /** `text`: the arguments as the model wrote them; `runner`: the SDK's runner, whose signal is passed on. */
    readonly function: (text: string, runner?: { readonly controller?: AbortController }) => Promise<unknown>;
  };
}

/** For the Responses API: pass `tool` to `responses.create({ tools })`, or the whole object to a `ResponsesToolRunner`. */
export interface OpenAiResponsesTool {
  readonly tool: {
    readonly type: 'function';
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonSchema;
    readonly strict: false;
  };
  readonly execute: (input: Record<string, unknown>, options?: { readonly signal?: AbortSignal }) => Promise<string>;
}

/** Chat Completions. */
export async function toolsFor<Who>(
  source: ToolSource<Who>,
  options = {} as AdapterOptions<Who>,
): Promise<OpenAiTool[]> {
  return (await bindTools(source, options)).map((tool) => ({
    type: 'function',
    function: {
      name: tool.name,
      description: tool.description,
      parameters: freshSchema(tool),
      strict: false,
      function: (text, runner) => tool.answer(parseArguments(text), runner?.controller?.signal),
    },
  }));
}

/** The Responses API. */
export async function responsesToolsFor<Who>(
  source: ToolSource<Who>,
  options = {} as AdapterOptions<Who>,
): Promise<OpenAiResponsesTool[]> {
  return (await bindTools(source, options)).map((tool) => ({
    tool: {
      type: 'function',
      name: tool.name,
      description: tool.description,
      parameters: freshSchema(tool),
      strict: false,
    },
    execute: (input, call) => toText(tool, input, call?.signal),
  }));
}

/** This API accepts only text (or its own content types) as a tool's output. */
async function toText(tool: BoundTool, input: unknown, signal: AbortSignal | undefined): Promise<string> {
  const answer = await tool.answer(input, signal);
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

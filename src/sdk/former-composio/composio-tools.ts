/**
 * The functions of the former Composio tools service, with their old names, over a plane: the calls are authorised,
 * recorded and limited like all others.
 *
 * To migrate: create these functions once (`createComposioTools(helve, { principalOf })`) in place of the imports. Then, for
 * each binding, store `migrateToolId(oldId, tools)` and call tools by that name through `helve.execute` or
 * `helve/formats`. When no `composio-…` id is used any more, this folder can be deleted.
 */

import type { z } from 'zod';
import { HelveError } from '../../domain/errors.js';
import type { ListedTool, ToolResult } from '../../domain/execution.js';
import type { JsonValue } from '../../domain/json.js';
import { forModel } from '../../formats/index.js';
import { isPlainObject, objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { convertComposioSchemaToZod, type Report } from './composio-schema.js';
import { extractToolArguments } from './tool-arguments.js';
import { extractComposioActionName, findTool, isComposioToolId } from './tool-ids.js';

/** In the shape of the AI SDK's tools. */
export interface LegacyToolDefinition {
  /** The id that was requested. */
  readonly id: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  /** Returns the output, or its beginning as text with a notice if it is too long. Throws the error of the call. */
  execute(input: unknown, options?: { readonly abortSignal?: AbortSignal }): Promise<unknown>;
}

export interface ConnectionToolBinding {
  /** A legacy id, Composio's slug, or a model-facing name. */
  readonly toolId: string;
  /** If absent, the tool acts without an account. */
  readonly connectionId?: string | null;
  readonly toolkitSlug?: string;
}

/** A Composio tool, in the form of its API or of its function-calling format. */
export type ComposioTool = Readonly<Record<string, unknown>>;

export type RunComposioTool = (
  action: string,
  input: Record<string, unknown>,
  options: { readonly signal?: AbortSignal },
) => Promise<unknown>;

export interface LegacyPlane<Who> {
  tools(who: { principal: Who; all?: boolean }): Promise<readonly ListedTool[]>;
  execute(call: { principal: Who; tool: string; input: unknown; signal?: AbortSignal }): Promise<ToolResult>;
}

export interface ConversionSettings {
  /** Characters of a result (`TOOL_RESULT_MAX_CHARS`). Default 10,000. */
  readonly resultMaxChars?: number;
  /** Receives messages about unknown tools and unsupported schemas. Default: a warning on the console. */
  readonly report?: Report;
}

export interface ComposioToolsOptions<Who> extends ConversionSettings {
  /** The principal for calls of this user's agent. Called for each call, so that a revocation takes effect immediately. */
  readonly principalOf: (userId: string) => Who | Promise<Who>;
}

const defaultMaxChars = 10_000;

/** Returns the functions of the former service over `plane`. */
export function createComposioTools<Who>(plane: LegacyPlane<Who>, options: ComposioToolsOptions<Who>) {
  const { principalOf } = options;
  const report: Report = options.report ?? ((problem) => console.warn(problem));
  const maxChars = options.resultMaxChars ?? defaultMaxChars;

  const toDefinition = (id: string, userId: string, { name, tool }: ListedTool): LegacyToolDefinition => ({
    id,
    description: tool.description,
    inputSchema: convertComposioSchemaToZod(tool.inputSchema, { report }),
    async execute(input, { abortSignal } = {}) {
      const call = { tool: name, input: extractToolArguments(input, tool.inputSchema) };
      const principal = await principalOf(userId);
      return getOutput(await plane.execute({ principal, ...call, ...defined({ signal: abortSignal }) }), maxChars);
    },
  });
  const getTools = async (userId: string): Promise<readonly ListedTool[]> =>
    // By name, however many there are.
    plane.tools({ principal: await principalOf(userId), all: true });
  const missing = (id: string): undefined => {
    report(`This user has no tool ${JSON.stringify(id).slice(0, 200)}`);
    return undefined;
  };

  return {
    /** Returns the tool of a binding, ready to be called; undefined if this user has none. Throws `conflict` if it is ambiguous. */
    async getConnectionToolExecutable(
      userId: string,
      binding: ConnectionToolBinding,
    ): Promise<LegacyToolDefinition | undefined> {
      const { toolId, connectionId, toolkitSlug } = binding;
      const selection = { connectionId: connectionId || null, toolkit: toolkitSlug };
      const found = findTool(toolId, await getTools(userId), selection);
      return found ? toDefinition(toolId, userId, found) : missing(toolId);
    },

    /** The same by a legacy id, with the only account. Undefined if `id` is not a legacy id or the tool does not exist. */
    async getComposioToolById(id: string, userId: string): Promise<LegacyToolDefinition | undefined> {
      const found = isComposioToolId(id) ? findTool(id, await getTools(userId)) : undefined;
      return found ? toDefinition(id, userId, found) : missing(id);
    },

    convertComposioToolToDefinition: (tool: ComposioTool, run: RunComposioTool): LegacyToolDefinition =>
      convertComposioToolToDefinition(tool, run, { resultMaxChars: maxChars, report }),
  };
}

/** A tool from Composio's own SDK, run by the holder of that SDK: no plane authorises or records it. */
export function convertComposioToolToDefinition(
  tool: ComposioTool,
  run: RunComposioTool,
  { resultMaxChars = defaultMaxChars, report }: ConversionSettings = {},
): LegacyToolDefinition {
  const described = isPlainObject(tool.function) ? tool.function : tool;
  const name = [described.slug, described.name].find((value) => typeof value === 'string' && value !== '');
  if (typeof name !== 'string')
    throw new HelveError('invalid_input', 'A Composio tool has neither a slug nor a name', {
      hint: 'Pass the tool exactly as the Composio SDK returns it.',
    });
  const action = extractComposioActionName(name);
  const { input_parameters, inputParameters, parameters: plain } = described;
  const parameters = objectOrEmpty([input_parameters, inputParameters, plain].find(isPlainObject));
  return {
    id: `composio-${action.toLowerCase()}`,
    description: typeof described.description === 'string' ? described.description : '',
    inputSchema: convertComposioSchemaToZod(parameters, defined({ report })),
    async execute(input, { abortSignal } = {}) {
      const output = await run(action, extractToolArguments(input, parameters), defined({ signal: abortSignal }));
      return shortened(output as JsonValue, resultMaxChars);
    },
  };
}

function getOutput(result: ToolResult, maxChars: number): unknown {
  if (!result.ok) {
    const { code, message, hint, details } = result.error;
    throw new HelveError(code, message, defined({ hint, details }));
  }
  return measureLength(result.output) <= maxChars ? result.output : forModel(result, maxChars);
}

function shortened(output: JsonValue, maxChars: number): unknown {
  if (measureLength(output) <= maxChars) return output;
  return forModel({ ok: true, output, executionId: '', tool: '', rule: '', durationMs: 0 }, maxChars);
}

/** As a model sees it. */
const measureLength = (output: JsonValue): number =>
  typeof output === 'string' ? output.length : (JSON.stringify(output)?.length ?? 0);

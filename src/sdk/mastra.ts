/**
 * Tools for Mastra. `strict: false` keeps its per-model compatibility layers off; what it changes all the same, and
 * `keepSchemas` undoes, is in docs/sdk/mastra.md.
 *
 * Arguments go to the plane as the model sent them. Mastra would answer a refusal of ours by trying again with nulls
 * dropped and with other arguments taken for `prompt`, so its own check is told nothing.
 */
import type { InputProcessor, ProcessInputStepArgs } from '@mastra/core/processors';
import type { Tool } from '@mastra/core/tools';
import type { JsonSchema } from '../domain/json.js';
import { type BoundTool, bindTools, freshSchema } from './bind-tools.js';
import { peer } from './peer.js';
import { sealSchema } from './seal-schema.js';
import type { AdapterOptions, ToolSource } from './tool-source.js';

export type MastraTools = Record<string, Tool>;

/** By model-facing name, for an `Agent`'s `tools` and for workflows. */
export async function toolsFor<Who>(source: ToolSource<Who>, options: AdapterOptions<Who>): Promise<MastraTools> {
  const { createTool } = await peer('@mastra/core', () => import('@mastra/core/tools'));
  const tools = await bindTools(source, options);
  const entries = tools.map((tool) => {
    const made = createTool({
      id: tool.name,
      title: tool.title,
      description: tool.description,
      strict: false,
      inputSchema: standardSchema(tool),
      execute: (input: unknown, context?: { abortSignal?: AbortSignal }) => tool.answer(input, context?.abortSignal),
    });
    sources.set(made, tool.inputSchema);
    return [tool.name, made];
  });
  return Object.fromEntries(entries);
}

const sources = new WeakMap<object, JsonSchema>();

/**
 * An input processor, the last of an agent's `inputProcessors`, after which the model is sent the schemas of `tools`
 * (what `toolsFor` gave) byte for byte.
 */
export function keepSchemas(tools: MastraTools): InputProcessor {
  return {
    id: 'helve-keep-schemas',
    processInputStep({ tools: present = {} }: Pick<ProcessInputStepArgs, 'tools'>) {
      const entries = Object.entries(present).map(([name, built]) => [name, kept(built, tools[name])]);
      return { tools: Object.fromEntries(entries) };
    },
  };
}

/** As Mastra built it for this step, with its schema replaced. */
function kept(built: unknown, made: object | undefined): unknown {
  const source = made && sources.get(made);
  if (source === undefined || !hasSchema(built)) return built;
  const schema = built.inputSchema ?? built.parameters;
  return { ...built, inputSchema: { ...schema, jsonSchema: sealSchema(source) } };
}

function hasSchema(built: unknown): built is { inputSchema?: object; parameters?: object } {
  return typeof built === 'object' && built !== null && ('inputSchema' in built || 'parameters' in built);
}

/** Standard Schema with its JSON Schema, made anew each time that it is asked for. */
function standardSchema(tool: BoundTool) {
  const schema = (): Record<string, unknown> => freshSchema(tool);
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'helve',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: schema, output: schema },
    },
  };
}

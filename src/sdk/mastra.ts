/**
 * Tools for Mastra. `strict: false` disables its compatibility layers for specific models; the changes that it still makes,
 * and that `keepSchemas` reverts, are listed in docs/sdk/mastra.md.
 *
 * Arguments go to the plane as the model sent them. After a failed check Mastra would try again with nulls
 * removed and with other arguments as `prompt`, so its own check always passes.
 */
import type { InputProcessor, ProcessInputStepArgs } from '@mastra/core/processors';
import type { Tool } from '@mastra/core/tools';
import type { JsonSchema } from '../domain/json.js';
import { peer } from '../util/peer.js';
import { type BoundTool, bindTools, freshSchema } from './bind-tools.js';
import { sealSchema } from './seal-schema.js';
import type { AdapterOptions, ToolSource } from './tool-source.js';

export type MastraTools = Record<string, Tool>;

/** Returns the principal's tools by model-facing name, for an `Agent`'s `tools` and for workflows. */
export async function toolsFor<Who>(
  source: ToolSource<Who>,
  options = {} as AdapterOptions<Who>,
): Promise<MastraTools> {
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
 * Returns an input processor that makes the model receive the schemas of `tools` (the value of `toolsFor`) byte for byte.
 * Put it last in an agent's `inputProcessors`.
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

/** The tool that Mastra built for this step, with its schema replaced. */
function kept(built: unknown, made: object | undefined): unknown {
  const source = made && sources.get(made);
  if (source === undefined || !hasSchema(built)) return built;
  const schema = built.inputSchema ?? built.parameters;
  return { ...built, inputSchema: { ...schema, jsonSchema: sealSchema(source) } };
}

function hasSchema(built: unknown): built is { inputSchema?: object; parameters?: object } {
  return typeof built === 'object' && built !== null && ('inputSchema' in built || 'parameters' in built);
}

/** Standard Schema with its JSON Schema, created each time that it is requested. */
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

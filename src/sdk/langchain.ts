/**
 * Tools for LangChain and LangGraph. LangChain checks arguments with a validator of its own, which knows other drafts than
 * the plane's and tells a model no more than that they are wrong; it is shown an open schema, and the plane decides.
 */
import type { StructuredToolInterface } from '@langchain/core/tools';
import type { ToolResult } from '../domain/execution.js';
import { bindTools, freshSchema, modelText } from './bind-tools.js';
import { peer } from './peer.js';
import type { AdapterOptions, ToolSource } from './tool-source.js';

/** For `createAgent({ tools })`, `model.bindTools(tools)` and `ToolNode`. */
export async function toolsFor<Who>(
  source: ToolSource<Who>,
  options: AdapterOptions<Who>,
): Promise<StructuredToolInterface[]> {
  const { DynamicStructuredTool } = await peer('@langchain/core', () => import('@langchain/core/tools'));
  const { ToolMessage } = await peer('@langchain/core', () => import('@langchain/core/messages'));
  const shown = (result: ToolResult): string =>
    options.format === 'standard' ? JSON.stringify(result) : modelText(result, options.maxChars);

  return (await bindTools(source, options)).map((tool) => {
    const made = new DynamicStructuredTool({
      name: tool.name,
      description: tool.description,
      schema: freshSchema(tool),
      async func(input: unknown, _manager: unknown, config?: CallConfig) {
        const result = await tool.call(input, config?.signal);
        const id = config?.toolCall?.id;
        if (id === undefined) return shown(result);
        const status = result.ok ? ('success' as const) : ('error' as const);
        return new ToolMessage({
          ...{ status, name: tool.name, tool_call_id: id, content: shown(result) },
          artifact: result,
        });
      },
    });
    return openToAnyInput(made);
  });
}

interface CallConfig {
  readonly signal?: AbortSignal;
  readonly toolCall?: { readonly id?: string };
}

/** What reads `schema` to tell a model sees the tool's own; only the check before a call sees one that admits all. */
function openToAnyInput<Made extends StructuredToolInterface>(made: Made): Made {
  const view = Object.create(made, { schema: { value: {} } }) as Made;
  const call = made.call.bind(view) as Made['call'];
  return Object.assign(made, { call });
}

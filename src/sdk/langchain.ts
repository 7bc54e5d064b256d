/**
 * Tools for LangChain and LangGraph. LangChain checks arguments with its own validator, which supports other drafts than
 * the plane's and tells a model only that they are wrong. It gets an open schema, and the plane decides.
 */
import type { StructuredToolInterface } from '@langchain/core/tools';
import { peer } from '../util/peer.js';
import { bindTools, freshSchema, resultText } from './bind-tools.js';
import type { AdapterOptions, ToolSource } from './tool-source.js';

/** Returns the principal's tools for `createAgent({ tools })`, `model.bindTools(tools)` and `ToolNode`. */
export async function toolsFor<Who>(
  source: ToolSource<Who>,
  options = {} as AdapterOptions<Who>,
): Promise<StructuredToolInterface[]> {
  const { DynamicStructuredTool } = await peer('@langchain/core', () => import('@langchain/core/tools'));
  const { ToolMessage } = await peer('@langchain/core', () => import('@langchain/core/messages'));
  return (await bindTools(source, options)).map((tool) => {
    const made = new DynamicStructuredTool({
      name: tool.name,
      description: tool.description,
      schema: freshSchema(tool),
      async func(input: unknown, _manager: unknown, config?: CallConfig) {
        const result = await tool.call(input, config?.signal);
        const content = resultText(result, options);
        const id = config?.toolCall?.id;
        if (id === undefined) return content;
        const status = result.ok ? ('success' as const) : ('error' as const);
        return new ToolMessage({ status, name: tool.name, tool_call_id: id, content, artifact: result });
      },
    });
    return openToAnyInput(made);
  });
}

interface CallConfig {
  readonly signal?: AbortSignal;
  readonly toolCall?: { readonly id?: string };
}

/** Code that reads `schema` for the model sees the tool's own; only the check before a call sees one that accepts everything. */
function openToAnyInput<Made extends StructuredToolInterface>(made: Made): Made {
  const view = Object.create(made, { schema: { value: {} } }) as Made;
  const call = made.call.bind(view) as Made['call'];
  return Object.assign(made, { call });
}

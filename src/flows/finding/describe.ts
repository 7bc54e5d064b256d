/** The full description of a tool, for a caller that wants to call it. */
import { listCapabilities } from '../../discovery/index.js';
import type { ToolDescription } from '../../domain/discovery.js';
import type { Tool } from '../../domain/tool.js';
import { printFunctions } from '../../schema/index.js';
import { defined } from '../../util/defined.js';
import { toolSignature } from '../../util/tool-signature.js';
import type { ReachedTool } from './reach.js';

export function describeTool({ name, tool, slug, connectionId, approval }: ReachedTool): ToolDescription {
  const { id, title, description, inputSchema, outputSchema, annotations, risk, examples } = tool;
  const stated = tool.capabilities;
  const derived = listCapabilities({ toolkit: id.toolkit, name: id.name, description });
  return {
    name,
    toolkit: id.toolkit,
    title,
    description,
    signature: toolSignature(tool),
    ...(connectionId === undefined || slug === undefined ? {} : { connection: slug }),
    inputSchema,
    ...defined({ outputSchema }),
    declaration: declare(name, tool),
    annotations,
    risk,
    examples,
    capabilities: stated.length > 0 ? stated : derived.map(({ verb, object }) => `${verb} ${object}`.trim()),
    approval,
  };
}

function declare(name: string, { inputSchema, outputSchema, documentedOutput }: Tool): string {
  const identifier = name.replaceAll(/[^a-zA-Z0-9_]/g, '_');
  return printFunctions(
    [{ name: identifier, input: inputSchema, output: outputSchema ?? documentedOutput }],
    'export declare ',
  );
}

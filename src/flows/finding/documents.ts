/** Converts tools to documents for the index. */
import type { DiscoveredTool } from '../../discovery/index.js';
import type { CatalogueAction } from '../../domain/catalogue.js';
import type { Tool, ToolId } from '../../domain/tool.js';

/** The id of a tool in the index. */
export function toolKey({ toolkit, name }: ToolId): string {
  return `${toolkit}/${name}`;
}

export function getDocument(tool: Tool, toolkitName: string): DiscoveredTool {
  const { id, description, searchWords, inputSchema } = tool;
  return {
    id: toolKey(id),
    toolkit: id.toolkit,
    name: id.name,
    toolkitName,
    description,
    searchWords,
    parameters: inputSchema as Readonly<Record<string, unknown>>,
  };
}

/** An action of an app that is not connected: it represents its app, under the source's own name. */
export function documentOfAction(
  { app, slug, description, title, inputParameters }: CatalogueAction,
  toolkitName: string,
): DiscoveredTool {
  return {
    id: `${app}/${slug}`,
    toolkit: app,
    name: slug,
    toolkitName,
    description: description === '' ? title : description,
    ...(inputParameters === undefined ? {} : { parameters: inputParameters as Readonly<Record<string, unknown>> }),
  };
}

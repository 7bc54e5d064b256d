/**
 * The names that a policy can use: every form that a call accepts, including tools that need an account and have none
 * yet.
 */

import { canonicalToolName, createNameIndex, type ToolId } from '../../../domain/naming/index.js';
import type { Tool, Toolkit } from '../../../domain/tool.js';
import type { Catalogue } from '../../../flows/calling/index.js';
import type { Registry } from '../../../registry/index.js';
import { nearest } from '../../../util/nearest.js';

export interface KnownNames {
  readonly tools: readonly Tool[];
  readonly toolkits: ReadonlyMap<string, Toolkit>;
  /** Toolkits whose tools cannot be read at present, such as those of an MCP server that is not connected. */
  readonly unread: ReadonlySet<string>;
  /** Returns the tools that a text without wildcards names, perhaps one of them twice; empty if there are none. */
  toolsOf(text: string): readonly ToolId[];
  /** Returns the toolkit that a text refers to, if its tools cannot be read. */
  unreadToolkitOf(text: string): string | undefined;
  nearestTool(text: string): string | undefined;
}

/** `texts`: toolkits of a large catalogue are read only if one of these texts may refer to them. */
export async function knownNames(
  registry: Registry,
  { catalogue, workspaceId }: { readonly catalogue: Catalogue; readonly workspaceId: string },
  texts: readonly string[],
): Promise<KnownNames> {
  const toolkits = await registry.toolkits();
  const used = new Set(catalogue.entries.map(({ tool }) => tool.id.toolkit));
  const wanted = toolkits.filter(
    ({ slug, onDemand }) => !onDemand || used.has(slug) || texts.some((text) => speaksOf(text, slug)),
  );
  const unread = new Set<string>();
  const lists = await Promise.all(
    wanted.map(async ({ slug }) => {
      const tools = await registry.tools(slug, workspaceId).catch(() => []);
      if (tools.length === 0) unread.add(slug);
      return tools.map(({ tool }) => tool);
    }),
  );
  const tools = distinct([...lists.flat(), ...catalogue.entries.map(({ tool }) => tool)]);
  const byCall = createNameIndex(tools.map(({ id }) => id));
  const bySlug = new Map(toolkits.map((toolkit) => [toolkit.slug, toolkit]));
  return {
    tools,
    toolkits: bySlug,
    unread,
    toolsOf(text) {
      const exact = tools.find(({ id }) => `${id.toolkit}.${id.name}` === text);
      if (exact) return [exact.id];
      const called = catalogue.find(text)?.tool.id ?? byCall.parse(text);
      const bare = canonicalToolName(text);
      const named = tools.filter(({ id }) => id.name === bare).map(({ id }) => id);
      return called ? [called, ...named] : named;
    },
    unreadToolkitOf: (text) => [...unread].find((slug) => speaksOf(text, slug)),
    nearestTool: (text) => nearest(text.trim(), candidates(tools, catalogue)),
  };
}

function distinct(tools: readonly Tool[]): Tool[] {
  return [...new Map(tools.map((tool) => [`${tool.id.toolkit}\n${tool.id.name}`, tool])).values()];
}

function candidates(tools: readonly Tool[], { entries }: Catalogue): string[] {
  const identities = tools.map(({ id }) => `${id.toolkit}.${id.name}`);
  return [...new Set([...tools.map(({ id }) => id.name), ...identities, ...entries.map(({ name }) => name)])];
}

/** Whether a form (`gmail.send`, `GMAIL_SEND`, `gmail__send`, `composio-gmail_send`) may start with this toolkit. */
function speaksOf(text: string, slug: string): boolean {
  return plain(text.replace(/^composio-/, '')).startsWith(plain(slug));
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

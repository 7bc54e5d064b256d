/** Legacy ids from when every tool came from Composio (`composio-gmail_send_email`), and their current names. */
import { HelveError } from '../../domain/errors.js';
import type { ListedTool } from '../../domain/execution.js';
import { toComposioName } from '../../domain/naming/index.js';

const prefix = 'composio-';

/** Whether this is a legacy id: it has the prefix `composio-`. */
export function isComposioToolId(id: string): boolean {
  return typeof id === 'string' && id.startsWith(prefix);
}

/** `composio-gmail_send_email` → `GMAIL_SEND_EMAIL`. An id without the prefix is only converted to capitals. */
export function extractComposioActionName(id: string): string {
  return (isComposioToolId(id) ? id.slice(prefix.length) : id).toUpperCase();
}

export interface ToolSelection {
  /** The account; `null`: only a tool that acts without one. If absent: the only account there is. */
  readonly connectionId?: string | null | undefined;
  readonly toolkit?: string | undefined;
}

/**
 * Returns the tool that a legacy id, a Composio slug or a model-facing name means; undefined if there is none. Throws
 * `conflict` if several accounts or tools match, instead of guessing.
 */
export function findTool(
  id: string,
  tools: readonly ListedTool[],
  { connectionId, toolkit }: ToolSelection = {},
): ListedTool | undefined {
  const action = extractComposioActionName(id);
  const named = tools.filter(({ tool, name, connectionId: own }) => {
    if (name !== id && toComposioName(tool.id) !== action) return false;
    if (toolkit !== undefined && tool.id.toolkit.toLowerCase() !== toolkit.toLowerCase()) return false;
    return connectionId === undefined || own === (connectionId ?? undefined);
  });
  // A model-facing name belongs to one tool only.
  const exact = named.find(({ name }) => name === id);
  if (exact || named.length <= 1) return exact ?? named[0];
  throw new HelveError('conflict', `${JSON.stringify(id)} can mean ${named.length} tools`, {
    hint: `Bind one of them: ${named
      .slice(0, 10)
      .map(({ name }) => name)
      .join(', ')}.`,
  });
}

/** Returns the current model-facing name for a legacy id, among the tools of a principal. Throws like `findTool`. */
export function migrateToolId(id: string, tools: readonly ListedTool[], selection?: ToolSelection): string | undefined {
  return findTool(id, tools, selection)?.name;
}

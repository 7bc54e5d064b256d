/** Ids of the time when every tool was Composio's (`composio-gmail_send_email`), and the way from them to today's names. */
import { HelveError } from '../../domain/errors.js';
import type { ListedTool } from '../../domain/execution.js';
import { toComposioName } from '../../domain/naming/index.js';

const prefix = 'composio-';

export function isComposioToolId(id: string): boolean {
  return typeof id === 'string' && id.startsWith(prefix);
}

/** `composio-gmail_send_email` → `GMAIL_SEND_EMAIL`. An id without the prefix is only put in capitals. */
export function extractComposioActionName(id: string): string {
  return (isComposioToolId(id) ? id.slice(prefix.length) : id).toUpperCase();
}

export interface ToolSelection {
  /** The account; `null`: only a tool that acts without one. Left out: whichever there is, if there is one only. */
  readonly connectionId?: string | null | undefined;
  readonly toolkit?: string | undefined;
}

/**
 * The tool that a legacy id, a Composio slug or a model-facing name means; undefined if there is none. Throws `conflict`
 * where several accounts, or several tools, answer to it: which one is meant is never guessed.
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
  // A model-facing name is one tool's only.
  const exact = named.find(({ name }) => name === id);
  if (exact || named.length <= 1) return exact ?? named[0];
  throw new HelveError('conflict', `${JSON.stringify(id)} can mean ${named.length} tools`, {
    hint: `Bind one of them: ${named
      .slice(0, 10)
      .map(({ name }) => name)
      .join(', ')}.`,
  });
}

/** Today's model-facing name for a legacy id, among the tools a principal sees. As `findTool`. */
export function migrateToolId(id: string, tools: readonly ListedTool[], selection?: ToolSelection): string | undefined {
  return findTool(id, tools, selection)?.name;
}

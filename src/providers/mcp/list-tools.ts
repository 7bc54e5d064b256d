/** Reads a server's list of tools to its end. Circular and endless lists are refused. */
import { z } from 'zod';
import { HelveError } from '../../domain/errors.js';
import { definitionOfListed, isListedTool, type ListedTool } from './describe-tool.js';
import { limits } from './limits.js';
import type { Link } from './link.js';

/** Looser than the library's: an invalid tool does not affect the others. */
const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

/** Asks the server each time; nothing is cached. */
export async function listTools({ client }: Link, server: string, signal: AbortSignal): Promise<readonly unknown[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const tools: unknown[] = [];
  const seen = new Set<string>();
  let size = 0;
  let cursor: string | undefined;
  for (let page = 0; page < limits.pages; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, pageSchema, {
      signal,
      timeout: limits.listMs,
    });
    size += JSON.stringify(answer.tools).length;
    tools.push(...answer.tools);
    if (size > limits.listBytes) throw endless(server, `of more than ${limits.listBytes} characters`);
    if (tools.length > limits.tools) throw endless(server, `of more than ${limits.tools} tools`);
    // Many servers write an empty cursor, or null, on the last page.
    if (!answer.nextCursor) return tools;
    cursor = answer.nextCursor;
    if (seen.has(cursor)) throw endless(server, 'whose pages lead in a circle');
    seen.add(cursor);
  }
  throw endless(server, `of more than ${limits.pages} pages`);
}

/** Returns the one tool of this name. Throws `tool_not_found`, or `conflict` if the name is ambiguous. */
export function findListed(list: readonly unknown[], name: string, server: string): ListedTool {
  const found = list.filter(isListedTool).filter((listed) => listed.name === name);
  const [first, second] = found;
  if (first === undefined) throw new HelveError('tool_not_found', `The MCP server ${server} has no tool ${name}`);
  if (second !== undefined) throw new HelveError('conflict', `The MCP server ${server} has two tools named ${name}`);
  return first;
}

/** Throws `conflict` unless the tool still is what was accepted. */
export function checkDefinition(listed: ListedTool, agreed: string | undefined, server: string): void {
  const { hash } = definitionOfListed(listed);
  if (hash === agreed) return;
  throw new HelveError('conflict', `The MCP server ${server} has changed the definition of ${listed.name}`, {
    hint: 'Nothing was called. A person must review and accept the change first.',
    details: { tool: listed.name, agreed: agreed ?? null, offered: hash },
  });
}

function endless(server: string, what: string): HelveError {
  return new HelveError('upstream_failed', `The MCP server ${server} has a list of tools ${what}`, {
    hint: 'The operator must check the server.',
  });
}

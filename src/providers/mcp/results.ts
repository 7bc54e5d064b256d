/** Converts a server's result: structured content becomes the output, with its blocks beside it. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import { HelveError } from '../../domain/errors.js';
import type { JsonSchema, JsonValue } from '../../domain/json.js';
import type { ProviderAnswer } from '../../domain/provider.js';
import type { ContentBlock, Tool } from '../../domain/tool.js';
import { satisfies } from '../../schema/index.js';
import { defined } from '../../util/defined.js';
import { parseExactJson } from '../../util/json-text.js';

type McpBlock = CallToolResult['content'][number];

/** Throws `tool_failed` with the tool's message if the result reports a failure. */
export function toAnswer(result: CallToolResult, { outputSchema }: Pick<Tool, 'outputSchema'>): ProviderAnswer {
  const blocks = (result.content ?? []).map(toBlock).filter((block) => block !== undefined);
  const text = toText(blocks);
  if (result.isError === true) {
    throw new HelveError('tool_failed', text === '' ? 'The tool failed and did not say why' : text.slice(0, 10_000));
  }
  if (result.structuredContent === undefined) {
    const plain = blocks.every(({ type }) => type === 'text');
    const content = plain && blocks.length < 2 ? undefined : blocks;
    return { output: text === '' ? null : text, ...defined({ content }) };
  }
  const structured = result.structuredContent as JsonValue;
  const json = JSON.stringify(structured);
  const output = findRepeated(blocks, { structured, json, outputSchema });
  if (output === undefined) return { output: structured, text: json, content: blocks };
  return { output, text: output === structured ? json : JSON.stringify(output) };
}

interface Structured {
  readonly structured: JsonValue;
  /** The same as text. */
  readonly json: string;
  readonly outputSchema: JsonSchema | undefined;
}

/**
 * For clients without structured content a server repeats it as text. That has all digits of an id that was rounded when the structured
 * content was read. Returns that content, with such ids as text; undefined if the blocks say something else, or if the schema does not admit text.
 */
function findRepeated(
  blocks: readonly ContentBlock[],
  { structured, json, outputSchema }: Structured,
): JsonValue | undefined {
  const [only] = blocks;
  if (only === undefined) return structured;
  if (blocks.length > 1 || only.type !== 'text') return undefined;
  if (only.text === json) return structured;
  try {
    if (JSON.stringify(JSON.parse(only.text)) !== json) return undefined;
    const exact = parseExactJson(only.text);
    if (JSON.stringify(exact) === json) return structured;
    return outputSchema === undefined || satisfies(outputSchema, exact) ? exact : undefined;
  } catch {
    return undefined;
  }
}

function toText(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function toBlock(block: McpBlock): ContentBlock | undefined {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'image' || block.type === 'audio') {
    return { type: block.type, data: block.data, mimeType: block.mimeType };
  }
  if (block.type === 'resource') {
    const { uri, mimeType } = block.resource;
    const facts = { uri, ...defined({ mimeType }) };
    const { resource } = block;
    return {
      type: 'resource',
      resource: 'text' in resource ? { ...facts, text: resource.text } : { ...facts, blob: resource.blob },
    };
  }
  if (block.type !== 'resource_link') return undefined;
  const { uri, name, mimeType } = block;
  return { type: 'resource_link', uri, name, ...defined({ mimeType }) };
}

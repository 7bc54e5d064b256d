/** Converts a server's result: structured content becomes the output, with its blocks beside it. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import { HelveError } from '../../domain/errors.js';
import type { JsonValue } from '../../domain/json.js';
import type { ProviderAnswer } from '../../domain/provider.js';
import type { ContentBlock } from '../../domain/tool.js';
import { defined } from '../../util/defined.js';

type McpBlock = CallToolResult['content'][number];

/** Throws `tool_failed` with the tool's message if the result reports a failure. */
export function toAnswer(result: CallToolResult): ProviderAnswer {
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
  const output = result.structuredContent as JsonValue;
  const json = JSON.stringify(output);
  return repeats(blocks, json) ? { output, text: json } : { output, text: json, content: blocks };
}

/** For clients without structured content a server repeats it as text. */
function repeats(blocks: readonly ContentBlock[], json: string): boolean {
  const [only] = blocks;
  if (only === undefined) return true;
  if (blocks.length > 1 || only.type !== 'text') return false;
  if (only.text === json) return true;
  try {
    return JSON.stringify(JSON.parse(only.text)) === json;
  } catch {
    return false;
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

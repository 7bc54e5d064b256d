/**
 * Stand-ins for two packages that the pages import and that are not installed here: the parts that the snippets use. Loaded
 * with `node --import`.
 */
import { register } from 'node:module';

const claude = `
  import { Client } from '@modelcontextprotocol/sdk/client/index.js';
  import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
  export async function* query({ options }) {
    const [name] = Object.keys(options.mcpServers);
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await options.mcpServers[name].instance.connect(ours);
    const client = new Client({ name: 'claude', version: '1.0.0' });
    await client.connect(theirs);
    await client.listTools();
    const { content } = await client.callTool({ name: 'calculate', arguments: { expression: '6*7' } });
    yield { type: 'assistant' };
    yield { type: 'result', subtype: 'error_max_turns', errors: ['A result of a failure has no text'] };
    yield { type: 'result', subtype: 'success', result: JSON.parse(content[0].text).text };
  }`;
const cloudflare = `export class AIChatAgent { messages = []; env = {}; }`;

const hooks = `
const sources = ${JSON.stringify({ '@anthropic-ai/claude-agent-sdk': claude, '@cloudflare/ai-chat': cloudflare })};
export async function resolve(name, context, next) {
  if (Object.hasOwn(sources, name)) return { url: new URL('./stand-in-' + Object.keys(sources).indexOf(name) + '.mjs', context.parentURL).href, shortCircuit: true };
  return next(name, context);
}
export async function load(url, context, next) {
  const [, index] = /stand-in-(\\d+)\\.mjs$/.exec(url) ?? [];
  if (index === undefined) return next(url, context);
  return { format: 'module', source: Object.values(sources)[index], shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

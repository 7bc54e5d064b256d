// Tokens of the JSON that is sent, as OpenAI's models since GPT-4o count them (o200k_base). How providers
// convert tool definitions internally is not public, so their JSON is counted.
import { createHash } from 'node:crypto';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';

const encoder = new Tiktoken(o200k);
const known = new Map();

/** The tokens of a text; counts are remembered. */
export function tokensOf(text) {
  // Tool definitions of a whole catalogue are long and are sent again and again.
  const key = text.length > 200 ? createHash('sha1').update(text).digest('base64') : text;
  const before = known.get(key);
  if (before !== undefined) return before;
  const counted = encoder.encode(text, 'all').length;
  known.set(key, counted);
  return counted;
}

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

/** `{ tools, messages }` of a request in OpenAI's chat shape. */
export function tokensOfRequest({ tools = [], messages }) {
  return {
    tools: sum(tools.map((tool) => tokensOf(JSON.stringify(tool)))),
    messages: sum(messages.map((message) => tokensOf(JSON.stringify(message)))),
  };
}

/** The tokens of a model's answer: its text, or the names and arguments of its calls. */
export function tokensOfAnswer({ choices }) {
  const { content, tool_calls: calls = [] } = choices[0].message;
  const written = calls.map(({ function: called }) => tokensOf(called.name) + tokensOf(called.arguments));
  return sum(written) + (content ? tokensOf(content) : 0);
}

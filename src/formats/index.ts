/** A tool list or a result in a consumer's shape. Pure: what a consumer is called with arrives as an argument. */

export { forModel, standard } from './for-model.js';
export { forPanel, type Widget } from './for-panel.js';
export { type McpCallResult, toMcpResult } from './mcp-result.js';
export { type McpTool, toMcpTool } from './mcp-tool.js';
export {
  type AnthropicTool,
  type OpenAiFunction,
  type OpenAiResponsesFunction,
  toAnthropicTool,
  toOpenAiFunction,
  toOpenAiResponsesFunction,
} from './model-tools.js';

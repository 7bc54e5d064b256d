/** Converts tool lists and results to the shapes of their consumers. Pure functions without I/O. */

export { cut, errorText, forModel, standard, type WrittenResult } from './for-model.js';
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

/** Helve: one place that holds every tool an agent may use, whose account it acts with, who allowed it, and what it did. */
export { createHelve, type ExecuteOptions, type Helve, type HelveOptions, type SetUp } from './helve.js';
export type { PrincipalLike } from './plane/principal-like.js';
export type { ClientChannel, HttpClient, KeyValueStore, ToolContext } from './spec/context.js';
export { type ErrorBody, type ErrorCode, errorTable, HelveError } from './spec/errors.js';
export type {
  CallRequest,
  ExecutionEvent,
  ExecutionRecord,
  ListedTool,
  ToolFailure,
  ToolResult,
  ToolSuccess,
} from './spec/execution.js';
export type { Decision, Grant, GrantInput, Policy } from './spec/grant.js';
export type { JsonObject, JsonSchema, JsonValue } from './spec/json.js';
export type { Plane } from './spec/plane.js';
export type { Permission, Principal } from './spec/principal.js';
export type { Provider } from './spec/provider.js';
export {
  type ContentBlock,
  defineTool,
  defineToolkit,
  type Tool,
  type ToolAnnotations,
  ToolContent,
  type ToolDefinition,
  type ToolkitDefinition,
} from './spec/tool.js';

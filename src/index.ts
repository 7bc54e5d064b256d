/** Helve: one place that holds every tool an agent may use, whose account it acts with, who allowed it, and what it did. */

export type { ClientChannel, HttpClient, KeyValueStore, ToolContext } from './domain/context.js';
export { type ErrorBody, type ErrorCode, errorTable, HelveError } from './domain/errors.js';
export type {
  CallRequest,
  ExecutionEvent,
  ExecutionRecord,
  ListedTool,
  ToolFailure,
  ToolResult,
  ToolSuccess,
} from './domain/execution.js';
export type { Decision, GivenGrant, Grant, GrantInput, Policy } from './domain/grant.js';
export type { JsonObject, JsonSchema, JsonValue } from './domain/json.js';
export type { Plane } from './domain/plane.js';
export type { Permission, Principal } from './domain/principal.js';
export type { Provider } from './domain/provider.js';
export {
  type ContentBlock,
  defineTool,
  defineToolkit,
  type Tool,
  type ToolAnnotations,
  ToolContent,
  type ToolDefinition,
  type ToolkitDefinition,
} from './domain/tool.js';
export { createHelve, type ExecuteOptions, type Helve, type HelveOptions, type SetUp } from './helve.js';
export type { PrincipalLike } from './plane/acts/principal-like.js';
export {
  createSharedProcesses,
  type SharedProcesses,
  type SharedProcessesOptions,
} from './plane/wiring/shared-processes.js';

/** The MCP surface: both revisions of the protocol, over HTTP and stdio, in front of one plane. */
export { createMcpDoor, type McpDoor, type McpDoorOptions, type StdioConnection } from './door.js';
export type { McpExtras, McpPrompt, McpPromptMessage, McpResource, McpResourceTemplate } from './extras.js';
export { createTaskDoor } from './task-door.js';

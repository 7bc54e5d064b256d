/** The HTTP surface: REST, pages, and the mount for MCP, behind one gate. */
export { createHttpApp } from './app.js';
export { checkProxies } from './client-address.js';
export type { HttpApp, HttpAppOptions, McpHandler } from './context.js';
export { type Listening, type ListenOptions, listen } from './listen.js';

/** The functions of the former Composio tools service, over a plane, for programs that migrate to Helve step by step. */
export { type ConversionOptions, convertComposioSchemaToZod } from './composio-schema.js';
export {
  type ComposioTool,
  type ComposioToolsOptions,
  type ConnectionToolBinding,
  convertComposioToolToDefinition,
  createComposioTools,
  type LegacyPlane,
  type LegacyToolDefinition,
  type RunComposioTool,
} from './composio-tools.js';
export { extractComposioActionName, isComposioToolId, migrateToolId, type ToolSelection } from './tool-ids.js';

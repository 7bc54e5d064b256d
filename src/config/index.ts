/** The operator's configuration: the environment and `helve.yaml`. */
export type { ConfigFile, DeclaredAgent } from './config-file.js';
export type { ModelSettings, OAuthSettings, ToolEmbeddingSettings } from './config-shape.js';
export { defaultComposioPrefix, defaultSyncHours } from './defaults.js';
export {
  composioEnvironment,
  type Environment,
  environmentFiles,
  environmentVariables,
  type GivenOptions,
  listEnvironment,
  readEnvironment,
} from './environment.js';
export { readConfigFile, readConfigText } from './read-config.js';
export type {
  ComposioSettings,
  McpServerSettings,
  OpenApiDirectorySettings,
  OpenApiSettings,
} from './source-shapes.js';

/** The operator's configuration: the environment and `helve.yaml`. */
export type { ConfigFile, DeclaredAgent, ModelSettings, OAuthSettings } from './config-file.js';
export {
  composioEnvironment,
  type Environment,
  environmentFiles,
  environmentVariables,
  readEnvironment,
} from './environment.js';
export { readConfigFile, readConfigText } from './read-config.js';
export type {
  ComposioSettings,
  McpServerSettings,
  OpenApiDirectorySettings,
  OpenApiSettings,
} from './source-shapes.js';

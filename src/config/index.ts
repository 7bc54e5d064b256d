/** What the operator wrote: the environment and `helve.yaml`. */
export type { ConfigFile, DeclaredAgent, ModelSettings } from './config-file.js';
export { type Environment, environmentVariables, readEnvironment } from './environment.js';
export { readConfigFile, readConfigText } from './read-config.js';

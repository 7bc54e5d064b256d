/** What the operator wrote: the environment and `helve.yaml`. */
export { type ConfigFile, type DeclaredAgent, parseConfig, readConfigFile } from './config-file.js';
export { type Environment, readEnvironment } from './environment.js';

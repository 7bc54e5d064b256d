/** What the operator wrote: the environment and `helve.yaml`. */
export type { ConfigFile, DeclaredAgent } from './config-file.js';
export { type Environment, readEnvironment } from './environment.js';
export { readConfigFile, readConfigText } from './read-config.js';

/** Code that is loaded only if there is a directory, or to install one. */
export { createDirectoryProvider } from './directory-provider.js';
export { createDirectorySource } from './directory-source.js';
export { createSummarise } from './index-processes.js';
export { installDirectory } from './install-directory.js';

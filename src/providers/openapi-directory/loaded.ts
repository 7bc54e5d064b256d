/** What is loaded only where there is a directory, or where one is to be installed. */
export { createDirectoryProvider } from './directory-provider.js';
export { createDirectorySource } from './directory-source.js';
export { createSummarise } from './index-processes.js';
export { installDirectory } from './install-directory.js';

